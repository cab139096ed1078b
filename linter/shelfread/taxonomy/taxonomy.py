"""Taxonomies: the concepts that sections may have, and their vocabulary; what compares headings is imported where it is used."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from shelfread.taxonomy.concept import Concept, Concepts, Label, Labels, Resolution, Surroundings
from shelfread.taxonomy.label_forms import fold, without_extras
from shelfread.taxonomy.vocabulary import Vocabulary

if TYPE_CHECKING:
    from shelfread.taxonomy.entry_schemas import EntrySchemas
    from shelfread.taxonomy.heading_evidence import Evidence
    from shelfread.taxonomy.heading_resolver import Resolver
    from shelfread.taxonomy.near_labels import NearLabels


class Affiliation(NamedTuple):
    """An organisation: the preferred spelling `label`, and all spellings."""

    id: str
    label: str
    labels: tuple[str, ...]


class Match(NamedTuple):
    """A concept and the label that matches a heading. `kind` is prefLabel, altLabel, hiddenLabel or includes."""

    concept: Concept
    kind: str
    label: str
    preferred: str  # the concept's preferred label in the language of `label`


@dataclass(frozen=True, eq=False)
class Taxonomy:
    """Concepts by id, in the order that sections should have, and forms (Survey, Benchmarks), which say no subject; empty without a name."""

    name: str
    vocabulary: Vocabulary
    title: str = ""
    iri: str = ""  # the IRI of the scheme, and the prefix of those of the concepts that its own file defines
    language: str = "en"
    concepts: Concepts = field(default_factory=Concepts)
    forms: Concepts = field(default_factory=Concepts)
    affiliations: Mapping[str, Affiliation] = field(default_factory=dict)
    # by what sections are ordered that are years or venues: year, venue, or both, the first one first.
    order: tuple[str, ...] = ()
    entry: Mapping[str, object] | None = None  # a JSON Schema (2020-12) for every entry
    closed: bool = False  # whether sections may name only concepts that the list's own files state
    have_schemas: bool = False  # whether it or a concept has a JSON Schema for entries
    restricts_links: bool = False  # whether a concept states the link roles that its entries may have
    # the ids of concepts that the list's own files state. Those of bundled taxonomies serve every list.
    own_concepts: frozenset[str] = frozenset()
    # the file, line and column of concepts and forms, from 1, and the IRIs that do not begin with `iri`.
    places: Mapping[str, tuple[str | None, int, int]] = field(default_factory=dict, repr=False)
    iris: Mapping[str, str] = field(default_factory=dict, repr=False)
    # what not every run needs, to be decoded when it is used: labels, near (what `near_index` returned).
    parts: Mapping[str, bytes] = field(default_factory=dict, repr=False)

    # Answers that were given before.
    _schemas: dict[tuple[str, ...], EntrySchemas] = field(default_factory=dict, init=False, repr=False)
    _resolutions: dict[tuple[str, tuple[str, ...]], Resolution] = field(
        default_factory=dict, init=False, repr=False
    )
    _suggestions: dict[str, Match | None] = field(default_factory=dict, init=False, repr=False)
    _ancestors: dict[str, tuple[str, ...]] = field(default_factory=dict, init=False, repr=False)

    def iri_of(self, concept: str) -> str:
        """Return the IRI of a concept or form."""
        return self.iris.get(concept, f"{self.iri}{concept}")

    def find(self, heading: str) -> Match | None:
        """Return the concept or form with a label equal to a heading but for case, numbers, emoji and punctuation."""
        label = self.labels.written(heading) or self.labels.written(without_extras(heading))
        return self.match(label) if label else None

    def resolve(self, heading: str, above: tuple[str, ...] = ()) -> Resolution:
        """Return the concepts that a heading names below a section that names the concepts `above`."""
        key = heading, above
        if key not in self._resolutions:
            self._resolutions[key] = self._resolver.resolve(heading, above)
        return self._resolutions[key]

    def weighed(self, found: Resolution, heading: str, around: Surroundings) -> Resolution:
        """Return what a heading names, as surely as what stands around it says."""
        return self._evidence.weighed(found, heading, around)

    def suggest(self, heading: str) -> Match | None:
        """Return the concept with the most similar label to a heading, or None."""
        if heading not in self._suggestions:
            label = self._near.suggest(without_extras(heading))
            self._suggestions[heading] = self.match(label) if label else None
        return self._suggestions[heading]

    def respelt(self, heading: str) -> str | None:
        """Return a heading with misspelt words put right, if it then names something; else None."""
        words = heading.split()
        likely = [self._near.likely_word(word) for word in words]
        if not any(likely):
            return None
        text = " ".join(right or word for right, word in zip(likely, words, strict=True))
        return text if self.resolve(text).certainty in ("label", "variant", "named") else None

    def nearest(self, heading: str, count: int, languages: Collection[str]) -> tuple[Match, ...]:
        """Return up to `count` concepts with the labels in some languages that are most similar to a heading, the nearest first."""
        return tuple(self.match(label) for label in self._near.nearest(heading, count, languages))

    def match(self, label: Label) -> Match:
        concept = self.concepts.get(label.concept) or self.forms[label.concept]
        return Match(concept, label.kind, label.text, concept.label_in(label.language))

    def common(self, concepts: Sequence[str]) -> str | None:
        """Return the nearest concept that several are or are narrower than, None if there is none."""
        if len(concepts) == 1:
            return concepts[0]
        first, *others = ((id, *self.ancestors(id)) for id in concepts)
        return next((id for id in first if all(id in other for other in others)), None)

    def ancestors(self, concept: str) -> tuple[str, ...]:
        """Return the ids of all broader concepts, nearest first."""
        if concept in self._ancestors:
            return self._ancestors[concept]
        found: dict[str, None] = {}
        level = [concept]
        while level:
            broader = [other for id in level if id in self.concepts for other in self.concepts.broader(id)]
            level = [id for id in dict.fromkeys(broader) if id not in found and id != concept]
            found.update(dict.fromkeys(level))
        return self._ancestors.setdefault(concept, tuple(found))

    def position(self, concept: str) -> int:
        """Return the index of a concept, from 0. Raises KeyError for an unknown id."""
        return self._positions[concept]

    def affiliation(self, text: str) -> Affiliation | None:
        """Return the organisation of a name or alias, or None."""
        return self._affiliation_labels.get(fold(text))

    def entry_schemas(self, sections: tuple[str, ...]) -> EntrySchemas:
        """Return the schemas for a section's entries, the broadest first: the taxonomy's, those of the sections above and its own."""
        if sections not in self._schemas:
            from shelfread.taxonomy.entry_schemas import make_schemas

            ids = dict.fromkeys(id for each in sections for id in (*reversed(self.ancestors(each)), each))
            known = [self.concepts.get(id) or self.forms[id] for id in ids]
            stated = [("", self.entry), *((each.label, each.entry) for each in known)]
            self._schemas[sections] = make_schemas([(label, schema) for label, schema in stated if schema])
        return self._schemas[sections]

    def _part(self, name: str, default: Any) -> Any:
        return marshal.loads(self.parts[name]) if name in self.parts else default

    @cached_property
    def labels(self) -> Labels:
        return Labels(*self._part("labels", ((), {}, {}, {}, {})))

    @cached_property
    def _resolver(self) -> Resolver:
        from shelfread.taxonomy.heading_resolver import Resolver

        return Resolver(self.labels, self.forms, self.own_concepts, self.ancestors, self._names)

    @cached_property
    def _evidence(self) -> Evidence:
        from shelfread.taxonomy.heading_evidence import Evidence

        return Evidence(self.labels, self._near, self.concepts, self.own_concepts, self.ancestors)

    def _names(self, concept: str) -> tuple[str, ...]:
        known = self.concepts.get(concept)
        return (known.label, *known.alt_labels) if known else ()

    @cached_property
    def _near(self) -> NearLabels:
        from shelfread.taxonomy.near_labels import NearIndex, NearLabels

        return NearLabels(self.labels, NearIndex(*self._part("near", ((), (), {}))))

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {concept: index for index, concept in enumerate(self.concepts)}

    @cached_property
    def _affiliation_labels(self) -> dict[str, Affiliation]:
        return {fold(label): found for found in self.affiliations.values() for label in found.labels}
