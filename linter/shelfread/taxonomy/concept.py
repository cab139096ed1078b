"""Concepts in SKOS's terms, made from the merged terms of files when they are asked for."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from shelfread.taxonomy.label_index import Label

# The keys of labels, which hold one or several for each language.
LABELS = ("prefLabel", "altLabel", "hiddenLabel", "includes")
TEXTS = ("definition", "scopeNote")  # the keys of texts, which hold one for each language
# The SKOS properties that map a concept to one of another vocabulary.
MATCHES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch")


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
    # concepts of other vocabularies: the SKOS property, such as exactMatch, and the IRI.
    matches: tuple[tuple[str, str], ...] = ()
    roles: tuple[str, ...] | None = None  # the ids of the link roles that its entries may have, None for all
    # a JSON Schema for its entries, in addition to that of the taxonomy.
    entry: Mapping[str, object] | None = None
    labels: tuple[Label, ...] = ()  # its labels in all languages
    # if it is not to be used any more, the id of the concept that replaces it; empty if none does.
    retired: str | None = None
    # its definitions and scope notes in all languages: the SKOS property, the text and the language.
    texts: tuple[tuple[str, str, str], ...] = ()

    def label_in(self, language: str) -> str:
        """Return the preferred label in a language; if there is none, `label`."""
        labels = self.labels
        return next((label.text for label in labels if label[1::2] == ("prefLabel", language)), self.label)


class Concepts(Mapping[str, Concept]):
    """Concepts by id, in their order. Each is made when it is first asked for, as a run needs few of a large taxonomy."""

    def __init__(self, terms: bytes = b"", languages: Sequence[str] = ()) -> None:
        """Take merged terms as `marshal` writes them; they are decoded when the first one is needed."""
        self._encoded = terms
        self._languages = languages
        self._made: dict[str, Concept] = {}

    @cached_property
    def _terms(self) -> Mapping[str, Mapping[str, Any]]:
        terms: Mapping[str, Mapping[str, Any]] = marshal.loads(self._encoded) if self._encoded else {}
        return terms

    def __getitem__(self, id: str) -> Concept:
        if id not in self._made:
            self._made[id] = _concept(id, self._terms[id], self._languages)
        return self._made[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._terms)

    def __len__(self) -> int:
        return len(self._terms)

    def __contains__(self, id: object) -> bool:
        return id in self._terms

    def broader(self, id: str) -> tuple[str, ...]:
        """Return the ids of the broader concepts of one."""
        return ids(self._terms[id], "broader")


def labels_of(id: str, term: Mapping[str, Any]) -> Iterator[Label]:
    """Yield the labels of a merged term, in all languages."""
    for kind in LABELS:
        for language, given in term.get(kind, {}).items():
            for text in (given,) if isinstance(given, str) else given:
                yield Label(id, kind, text, language)


def ids(term: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """Return the id or ids at a key of a term."""
    given = term.get(key, ())
    return (given,) if isinstance(given, str) else tuple(given)


def successor(term: Mapping[str, Any]) -> str:
    """Return the id of the concept that replaces a retired one, empty if there is none."""
    given = term.get("retired")
    return given.removeprefix("use ").strip() if isinstance(given, str) else ""


def _concept(id: str, term: Mapping[str, Any], languages: Sequence[str]) -> Concept:
    labels = tuple(labels_of(id, term))
    spoken = {label.language for label in labels if label.kind == "prefLabel"}
    language = _spoken(spoken, languages)
    own = [label for label in labels if label.language == language]
    return Concept(
        id=id,
        label=next((label.text for label in own if label.kind == "prefLabel"), id),
        alt_labels=tuple(label.text for label in own if label.kind == "altLabel"),
        hidden_labels=tuple(label.text for label in own if label.kind == "hiddenLabel"),
        definition=_text(term.get("definition", {}), languages),
        broader=ids(term, "broader"),
        related=ids(term, "related"),
        scope_note=_text(term.get("scopeNote", {}), languages),
        matches=tuple((kind, iri) for kind in MATCHES for iri in term.get(kind, ())),
        roles=tuple(term["links"]) if "links" in term else None,
        entry=term.get("entry"),
        retired=successor(term) if term.get("retired") else None,
        labels=labels,
        texts=tuple((key, text, tag) for key in TEXTS for tag, text in term.get(key, {}).items()),
    )


def _spoken(spoken: Collection[str], languages: Sequence[str]) -> str:
    """Return the first of the languages that is spoken, else English, else the first by name."""
    return next((tag for tag in (*languages, "en") if tag in spoken), min(spoken, default=""))


def _text(by_language: Mapping[str, str], languages: Sequence[str]) -> str | None:
    return by_language.get(_spoken(by_language, languages))
