"""Taxonomies: the concepts that a list's sections may have, and their vocabulary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from shelfread.taxonomy.concept import Concept, Concepts
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.heading import without_extras
from shelfread.taxonomy.labels import Label, Labels
from shelfread.taxonomy.near import NearLabels
from shelfread.taxonomy.prepared import unpacked
from shelfread.taxonomy.resolve import Resolution, Resolver
from shelfread.taxonomy.vocabulary import Vocabulary


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
    preferred: str
    """The concept's preferred label in the language of `label`."""


@dataclass(frozen=True)
class Taxonomy:
    """Concepts by id, in the order that sections should have. Empty if no config names a taxonomy.

    Forms are a scheme of their own: Survey or Benchmarks say what kind of thing a section lists, not about which
    subject.
    """

    name: str
    vocabulary: Vocabulary
    title: str = ""
    iri: str = ""
    """The prefix of the IRIs of concepts."""
    language: str = "en"
    concepts: Concepts = field(default_factory=Concepts)
    forms: Concepts = field(default_factory=Concepts)
    affiliations: Mapping[str, Affiliation] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    """By what sections are ordered that are years or venues: year, venue, or both, the first one first."""
    entry: Mapping[str, object] | None = None
    """A JSON Schema (2020-12) for every exported entry."""
    own_concepts: frozenset[str] = frozenset()
    """The ids of concepts that the list's own files state. Those of bundled taxonomies serve every list."""
    packed_places: bytes = field(default=b"", repr=False)
    packed_labels: bytes = field(default=b"", repr=False)
    packed_near: bytes = field(default=b"", repr=False)
    """The index of labels for suggestions."""

    def location(self, concept: str) -> tuple[str | None, int, int]:
        """Return the file, line and column of a concept or form, from 1. Raises KeyError for an unknown id."""
        return self._places[concept]

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

    def suggest(self, heading: str) -> Match | None:
        """Return the concept with the most similar label to a heading, or None."""
        if heading not in self._suggestions:
            label = self._near.suggest(heading)
            self._suggestions[heading] = self.match(label) if label else None
        return self._suggestions[heading]

    def nearest(self, heading: str, count: int) -> tuple[Match, ...]:
        """Return up to `count` concepts with the most similar labels to a heading, the nearest first."""
        return tuple(self.match(label) for label in self._near.nearest(heading, count))

    def match(self, label: Label) -> Match:
        """Return the concept of a label."""
        concept = self.concepts.get(label.concept) or self.forms[label.concept]
        return Match(concept, label.kind, label.text, concept.label_in(label.language))

    def common(self, concepts: Sequence[str]) -> str | None:
        """Return the nearest concept that several are or are narrower than, None if there is none."""
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

    def entry_validators(self, concept: str | None) -> tuple[Any, ...]:
        """Return what validates a concept's exported entries: the taxonomy's own schema and the concept's."""
        if concept not in self._validators:
            from shelfread.taxonomy.entry import entry_validator

            own = self.concepts.get(concept or "")
            schemas = (self.entry, own.entry if own else None)
            self._validators[concept] = tuple(entry_validator(each) for each in schemas if each is not None)
        return self._validators[concept]

    @cached_property
    def _validators(self) -> dict[str | None, tuple[Any, ...]]:
        return {}

    @cached_property
    def labels(self) -> Labels:
        """The labels of concepts and forms."""
        return Labels(*unpacked(self.packed_labels)) if self.packed_labels else Labels((), {}, {}, {})

    @cached_property
    def _resolver(self) -> Resolver:
        return Resolver(self.labels, self.forms, self.ancestors, self._names)

    def _names(self, concept: str) -> tuple[str, ...]:
        known = self.concepts.get(concept)
        return (known.label, *known.alt_labels) if known else ()

    @cached_property
    def _near(self) -> NearLabels:
        return NearLabels(self.labels, unpacked(self.packed_near) if self.packed_near else {})

    @cached_property
    def _places(self) -> Mapping[str, tuple[str | None, int, int]]:
        places: Mapping[str, tuple[str | None, int, int]] = (
            unpacked(self.packed_places) if self.packed_places else {}
        )
        return places

    @cached_property
    def _resolutions(self) -> dict[tuple[str, tuple[str, ...]], Resolution]:
        return {}

    @cached_property
    def _suggestions(self) -> dict[str, Match | None]:
        return {}

    @cached_property
    def _ancestors(self) -> dict[str, tuple[str, ...]]:
        return {}

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {concept: index for index, concept in enumerate(self.concepts)}

    @cached_property
    def _affiliation_labels(self) -> dict[str, Affiliation]:
        return {fold(label): found for found in self.affiliations.values() for label in found.labels}
