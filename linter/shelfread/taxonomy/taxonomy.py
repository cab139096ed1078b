"""Subjects that a list's sections may have, and the vocabulary that goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from shelfread.core.support.strict_yaml import YamlFile
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.vocabulary import Vocabulary


class Concept(NamedTuple):
    """A subject; `label` is its prefLabel, `broader` and `related` are ids."""

    id: str
    label: str
    alt_labels: tuple[str, ...] = ()
    hidden_labels: tuple[str, ...] = ()
    definition: str | None = None
    broader: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    scope_note: str | None = None
    exact_match: tuple[str, ...] = ()
    roles: tuple[str, ...] | None = None
    """The ids of the link roles that its entries may have; None = all."""
    entry: Mapping[str, object] | None = None
    """A JSON Schema that its entries fit as well as the taxonomy's."""


class Affiliation(NamedTuple):
    """An organisation as the list is to print it, and its other spellings."""

    id: str
    label: str
    labels: tuple[str, ...]


class Match(NamedTuple):
    """A concept and the label of it that a heading is; `kind` is prefLabel, altLabel or hiddenLabel."""

    concept: Concept
    kind: str
    label: str


@dataclass(frozen=True)
class Taxonomy:
    """Concepts by id in the order that sections are to have; none where no config names a taxonomy."""

    name: str
    vocabulary: Vocabulary
    title: str = ""
    iri: str = ""
    """What concept ids are appended to, to name them to the world."""
    language: str = "en"
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    affiliations: Mapping[str, Affiliation] = field(default_factory=dict)
    entry: Mapping[str, object] | None = None
    """A JSON Schema (2020-12) that every exported entry fits."""
    files: tuple[YamlFile, ...] = field(default=(), repr=False, compare=False)
    """What it was read from: the list's own file first, then what that extends."""

    def location(self, concept: str) -> tuple[str | None, int, int]:
        """File, line and column of a concept's definition; raises KeyError for an unknown id."""
        file = next((file for file in self.files if concept in (file.data.get("concepts") or ())), None)
        if file is None:
            raise KeyError(concept)
        return file.path, *file.place(("concepts", concept), key=True)

    def find(self, heading: str) -> Match | None:
        """The concept that a heading names, whatever its case, numbering, emoji and punctuation."""
        return self._labels.get(fold(heading))

    def suggest(self, heading: str) -> Match | None:
        """The label nearest to a heading that names no concept."""
        from difflib import get_close_matches

        near = get_close_matches(fold(heading), self._labels, 1, 0.8)
        return self._labels[near[0]] if near else None

    def ancestors(self, concept: str) -> tuple[str, ...]:
        """The ids of all that is broader, nearest first."""
        found: dict[str, None] = {}
        row = [concept]
        while row:
            row = [up for below in row if below in self.concepts for up in self.concepts[below].broader]
            row = [up for up in dict.fromkeys(row) if up not in found and up != concept]
            found.update(dict.fromkeys(row))
        return tuple(found)

    def position(self, concept: str) -> int:
        """Its place among the concepts, from 0; raises KeyError for an unknown id."""
        return self._order[concept]

    def affiliation(self, text: str) -> Affiliation | None:
        """The organisation of that name or alias."""
        return self._affiliation_labels.get(fold(text))

    def entry_validators(self, concept: str | None) -> tuple[Any, ...]:
        """Return what validates a concept's exported entries: the taxonomy's own schema and the concept's."""
        if concept not in self._validators:
            from shelfread.taxonomy.entry import entry_validator

            own = self.concepts.get(concept or "")
            schemas = (self.entry, own.entry if own else None)
            self._validators[concept] = tuple(
                entry_validator(schema) for schema in schemas if schema is not None
            )
        return self._validators[concept]

    @cached_property
    def _validators(self) -> dict[str | None, tuple[Any, ...]]:
        return {}

    @cached_property
    def _labels(self) -> dict[str, Match]:
        # A better label wins where a list's own taxonomy was not checked.
        matches = sorted(self._matches(), key=lambda match: _RANK[match.kind], reverse=True)
        return {fold(match.label): match for match in matches}

    def _matches(self) -> Iterator[Match]:
        for concept in self.concepts.values():
            yield Match(concept, "prefLabel", concept.label)
            for label in concept.alt_labels:
                yield Match(concept, "altLabel", label)
            for label in concept.hidden_labels:
                yield Match(concept, "hiddenLabel", label)

    @cached_property
    def _order(self) -> dict[str, int]:
        return {concept: at for at, concept in enumerate(self.concepts)}

    @cached_property
    def _affiliation_labels(self) -> dict[str, Affiliation]:
        return {fold(label): one for one in self.affiliations.values() for label in one.labels}


_RANK = {"prefLabel": 0, "altLabel": 1, "hiddenLabel": 2}
