"""What the terms of entries tell about where an entry belongs: of the entries with a term, how many stand in which section."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.placement.subject_sections import SubjectSections
from shelfread.taxonomy.hosts import CODE_HOSTS
from shelfread.taxonomy.label_forms import is_word, singular, stem, tokens
from shelfread.taxonomy.phrases import FIELDS, JOINING, PLAIN, PREPOSITIONS, TREATMENTS
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.url_evidence import split_url
from shelfread.taxonomy.vocabulary import Vocabulary

_SIGNS = "".join(sign for sign in string.punctuation if sign not in "+#")
"""Between words; `C++` and `C#` are not `C`."""
_BLANKS = bytes.maketrans(_SIGNS.encode(), b" " * len(_SIGNS))
_NOT_WORD = lazy(r"[^\w+#]+")
_MAX_CHARACTERS = 500
"""Of a description; what comes later is seldom its subject."""
_MAX_LINKS = 4
_SILENT = PREPOSITIONS | JOINING | PLAIN | TREATMENTS | FIELDS | {"your", "no", "or", "we"}
"""Words that say nothing about a subject alone: `of`, `Efficient`, `Evaluation`, `System`."""
_ANY_SUBJECT = CODE_HOSTS | frozenset("arxiv.org doi.org youtube.com youtu.be medium.com".split())
"""Hosts of things about any subject."""
_MOST_OF_LIST = 0.4
"""A section that holds a larger share of the list is not worth proposing."""
_LEAST_ENTRIES = 2
"""With a term, in a section, for it to count."""
_LEAST_SHARE = 0.35
_DEPTH_BONUS = 0.03
"""What a level of depth is worth: the narrower section wins if it is nearly as certain."""


class Term(NamedTuple):
    """What the entries of a section may have in common, as an entry states it."""

    words: str
    field: str
    """Where: title, description, venue or link."""


class Keys:
    """Finds the keys of the terms of entries: `pruning`, `venue:cvpr`, `host:kaggle.com`."""

    def __init__(self) -> None:
        self._words, self._hosts = _Words(), _Hosts()

    def of(self, entry: Entry) -> set[str]:
        """Return the keys of an entry's terms."""
        keys = set(map(self._words.__getitem__, _split(" ".join(texts_of(entry)))))
        if entry.citation is not None and entry.citation.venue is not None:
            keys.add(f"venue:{entry.citation.venue.id}")
        for link in entry.links[:_MAX_LINKS]:
            parts = link.link.url.split("/", 3)
            if len(parts) > 2:
                keys.add(self._hosts[parts[2]])
        keys.discard("")
        return keys

    def term(self, key: str, entry: Entry, vocabulary: Vocabulary) -> Term:
        """Return a term of an entry as the entry states it first."""
        kind, _, value = key.rpartition(":")
        if kind == "venue":
            return Term(vocabulary.venues[value].label if value in vocabulary.venues else value, kind)
        if kind == "host":
            return Term(value, "link")
        title, description = texts_of(entry)
        for word in _split(title):
            if self._words[word] == key:
                return Term(word, "title")
        return Term(next(word for word in _split(description) if self._words[word] == key), "description")


class _Words(dict[str, str]):
    """The key of each word that was met, empty if it says nothing about a subject."""

    def __missing__(self, word: str) -> str:
        one = singular(word) if word[-1] == "s" else word
        key = self[word] = "" if len(one) == 1 or one in _SILENT else one
        return key


class _Hosts(dict[str, str]):
    """The key of each host that was met, empty if it has things about any subject."""

    def __missing__(self, written: str) -> str:
        host, _ = split_url(written)
        is_general = "." not in host or host in _ANY_SUBJECT or host.endswith("wikipedia.org")
        key = self[written] = "" if is_general else f"host:{host}"
        return key


def texts_of(entry: Entry) -> tuple[str, str]:
    """Return the title and the description of an entry. Notes below a paper may be about anything."""
    described = entry.description if entry.kind == "classic" else None
    return entry.title.value, described.value[:_MAX_CHARACTERS] if described is not None else ""


def stems_of(texts: Iterable[str]) -> set[str]:
    """Return the stems of the words of texts that say something about a subject."""
    words = (word for text in texts for word in tokens(text))
    return {stem(word) for word in words if is_word(word) and word not in _SILENT and len(word) > 1}


def _split(text: str) -> list[str]:
    """Return the words of a text in lower case."""
    if text.isascii():
        return text.lower().encode().translate(_BLANKS).decode().split()
    return _NOT_WORD.sub(" ", text.casefold()).split()


class Placement(NamedTuple):
    """The section in which an entry seems to belong, and why: most entries with the same term stand in it."""

    section: int
    """Its index."""
    key: str
    """That of the term."""
    inside: int
    total: int
    """Of `total` other entries with the term, `inside` stand in the section or below it."""
    rival: float
    """The certainty of the best section elsewhere."""

    @property
    def certainty(self) -> float:
        """From 0 to 1: the share of the entries with the term, as if one more stood elsewhere."""
        return self.inside / (self.total + 1)


class _Candidate(NamedTuple):
    """A section, and how many of the entries with a term stand in it."""

    certainty: float
    section: int
    key: str
    inside: int
    total: int


@dataclass(frozen=True, eq=False)
class ListEvidence:
    """The entries of a list by their terms."""

    document: Document
    taxonomy: Taxonomy
    targets: SubjectSections
    around: Sequence[tuple[int, ...]]
    """For each entry the targets that it stands in, the innermost first."""
    standing: Mapping[tuple[int, ...], Sequence[int]]
    """The entries by the targets that they stand in."""
    entries: Counter[int]
    """How many entries stand in each target or below it."""
    keys: Keys
    totals: Counter[str]
    """By the key of a term, how many entries that stand in a target have it."""
    counts: Mapping[int, Counter[str]]
    """For each target, how many entries in it or below it have each term."""
    telling: Mapping[str, Sequence[tuple[int, int]]]
    """By the key of a term the targets with many of the entries that have it, and how many."""

    def propose(self, entry: int, without: Collection[int]) -> Placement | None:
        """Return where an entry of the list seems to belong, however uncertain, going by those not in `without`."""
        candidates = list(self._candidates(entry, without))
        if not candidates:
            return None
        around = self.targets.around

        def rank(candidate: _Candidate) -> tuple[float, _Candidate]:
            return candidate.certainty + _DEPTH_BONUS * len(around[candidate.section]), candidate

        best = max(candidates, key=rank)
        others = (one for one in candidates if not self.targets.are_nested(one.section, best.section))
        rival = max((one.certainty for one in others), default=0.0)
        return Placement(best.section, best.key, best.inside, best.total, rival)

    def keys_of(self, entry: int) -> set[str]:
        """Return the keys of the terms of an entry."""
        return self.keys.of(self.document.entries[entry])

    def term(self, entry: int, placement: Placement) -> Term:
        """Return the term for which an entry seems to belong in a section."""
        return self.keys.term(placement.key, self.document.entries[entry], self.taxonomy.vocabulary)

    def stems(self, entry: int) -> set[str]:
        """Return the stems of the words of an entry."""
        return stems_of(texts_of(self.document.entries[entry]))

    def names_of(self, section: int) -> list[set[str]]:
        """Return the stems of the title of a target, and of each label of its concepts."""
        concepts = (self.taxonomy.concepts.get(id) for id in self.targets.by_section[section].concepts)
        labels = (label.text for concept in concepts if concept is not None for label in concept.labels)
        names = (stems_of([name]) for name in (self.document.sections[section].title, *labels))
        return [name for name in names if name]

    def _candidates(self, entry: int, without: Collection[int]) -> Iterator[_Candidate]:
        left_out = [(self.around[index], self.keys_of(index)) for index in without if self.around[index]]
        for key in self.keys_of(entry):
            places = self.telling.get(key)
            if not places:
                continue
            removed = [around for around, keys in left_out if key in keys]
            total = self.totals[key] - len(removed)
            for section, count in places:
                for around in removed:
                    count -= section in around
                if count >= _LEAST_ENTRIES and count >= _LEAST_SHARE * total:
                    yield _Candidate(count / (total + 1), section, key, count, total)


def gather(document: Document, taxonomy: Taxonomy, targets: SubjectSections) -> ListEvidence:
    """Return what the entries of a list say about its sections."""
    outer = [targets.around[entry.section] if entry.section is not None else () for entry in document.entries]
    entries = Counter(chain.from_iterable(outer))
    most = _MOST_OF_LIST * sum(map(bool, outer))
    small = {
        sections: tuple(section for section in sections if entries[section] <= most)
        for sections in set(outer)
    }
    around = [small[sections] for sections in outer]
    standing: dict[tuple[int, ...], list[int]] = {}
    for index, sections in enumerate(around):
        if sections:
            standing.setdefault(sections, []).append(index)
    keys, totals = Keys(), Counter[str]()
    counts = {section: Counter[str]() for sections in standing for section in sections}
    for sections, indexes in standing.items():
        own = Counter(chain.from_iterable(keys.of(document.entries[index]) for index in indexes))
        _add(own, totals)
        for section in sections:
            _add(own, counts[section])
    telling: dict[str, list[tuple[int, int]]] = {}
    for section, counted in counts.items():
        for key, count in counted.items():
            if count >= _LEAST_ENTRIES and count >= _LEAST_SHARE * (totals[key] - 1):
                telling.setdefault(key, []).append((section, count))
    return ListEvidence(document, taxonomy, targets, around, standing, entries, keys, totals, counts, telling)


def _add(counted: Counter[str], to: Counter[str]) -> None:
    if to:
        to.update(counted)
    else:
        dict.update(to, counted)  # which takes no time
