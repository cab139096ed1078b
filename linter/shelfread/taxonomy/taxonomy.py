"""Taxonomies: the concepts that a list's sections may have, and their vocabulary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from shelfread.core.support.strict_yaml import YamlFile
from shelfread.taxonomy.fold import fold
from shelfread.taxonomy.vocabulary import Vocabulary


class Concept(NamedTuple):
    """A SKOS concept. `label` is its prefLabel; `broader` and `related` are ids."""

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
    """The ids of the link roles that its entries may have, None for all."""
    entry: Mapping[str, object] | None = None
    """A JSON Schema for its entries, in addition to that of the taxonomy."""


class Affiliation(NamedTuple):
    """An organisation: the preferred spelling `label`, and all spellings."""

    id: str
    label: str
    labels: tuple[str, ...]


class Match(NamedTuple):
    """A concept and the label that matches a heading. `kind` is prefLabel, altLabel or hiddenLabel."""

    concept: Concept
    kind: str
    label: str


@dataclass(frozen=True)
class Taxonomy:
    """Concepts by id, in the order that sections should have. Empty if no config names a taxonomy."""

    name: str
    vocabulary: Vocabulary
    title: str = ""
    iri: str = ""
    """The prefix of the IRIs of concepts."""
    language: str = "en"
    concepts: Mapping[str, Concept] = field(default_factory=dict)
    affiliations: Mapping[str, Affiliation] = field(default_factory=dict)
    entry: Mapping[str, object] | None = None
    """A JSON Schema (2020-12) for every exported entry."""
    files: tuple[YamlFile, ...] = field(default=(), repr=False, compare=False)
    """The files it was read from: the list's own first, then those that it extends."""

    def location(self, concept: str) -> tuple[str | None, int, int]:
        """Return the file, line and column of a concept, the latter from 1. Raises KeyError for an unknown id."""
        file = next((file for file in self.files if concept in (file.data.get("concepts") or ())), None)
        if file is None:
            raise KeyError(concept)
        return file.path, *file.place(("concepts", concept), key=True)

    def find(self, heading: str) -> Match | None:
        """Return the concept with a label equal to a heading, ignoring case, numbers, emoji and punctuation."""
        return self._labels.get(fold(heading))

    def suggest(self, heading: str) -> Match | None:
        """Return the concept with the most similar label to a heading, or None."""
        from difflib import get_close_matches

        near = get_close_matches(fold(heading), self._labels, 1, 0.8)
        return self._labels[near[0]] if near else None

    def ancestors(self, concept: str) -> tuple[str, ...]:
        """Return the ids of all broader concepts, nearest first."""
        found: dict[str, None] = {}
        level = [concept]
        while level:
            broader = [other for id in level if id in self.concepts for other in self.concepts[id].broader]
            level = [id for id in dict.fromkeys(broader) if id not in found and id != concept]
            found.update(dict.fromkeys(level))
        return tuple(found)

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
    def _labels(self) -> dict[str, Match]:
        # In a taxonomy with duplicate labels, which was not checked, the preferred one wins.
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
    def _positions(self) -> dict[str, int]:
        return {concept: index for index, concept in enumerate(self.concepts)}

    @cached_property
    def _affiliation_labels(self) -> dict[str, Affiliation]:
        return {fold(label): found for found in self.affiliations.values() for label in found.labels}


_RANK = {"prefLabel": 0, "altLabel": 1, "hiddenLabel": 2}
