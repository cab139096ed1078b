"""How telling the terms of a list's entries are: of the entries with a term, how many stand in which section."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shelfread.document.identity.keys import fold_title, identity_keys
from shelfread.document.model import Document
from shelfread.index.placement.targets import Target, Targets, find_targets
from shelfread.index.placement.terms import Term, Text, find_keys, find_term, stems_of, text_of
from shelfread.taxonomy.mentions import Reader
from shelfread.taxonomy.taxonomy import Taxonomy

_MOST_OF_LIST = 0.4
"""A section that holds a larger share of the list is not worth proposing."""
_LEAST_ENTRIES = 2
"""With a term, in a section, for it to count."""
_LEAST_SHARE = 0.35
_MOST_COPIES = 20
"""Of one thing; a link that more entries have is not that of each."""
_DEPTH_BONUS = 0.03
"""What a level of depth is worth: the narrower section wins if it is nearly as certain."""


class Support(NamedTuple):
    """A term, and that of `total` other entries with it `inside` stand in a section."""

    term: Term
    inside: int
    total: int


class Placement(NamedTuple):
    """The section in which an entry seems to belong, and why: most entries with the same term stand in it."""

    section: int
    """Its index."""
    concept: str | None
    term: Term
    inside: int
    total: int
    """Of `total` other entries with the term, `inside` stand in the section or below it."""
    is_named: bool
    """Whether the entry's text names the section: its title, or a label of its concept or a narrower one."""
    support: Support | None
    """Another term that speaks for the same section."""
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
    reader: Reader
    targets: Targets
    around: Sequence[tuple[int, ...]]
    """For each entry the targets that it stands in, the innermost first."""
    entries: Counter[int]
    """How many entries stand in each target or below it."""
    keys: Sequence[Collection[str]]
    """The keys of the terms of each entry."""
    having: Mapping[str, Collection[int]]
    """The indexes of the entries that stand in a target, by the key of a term that several have."""
    counts: Mapping[str, Mapping[int, int]]
    """By the key of a term, how many entries with it stand in each target or below it."""
    telling: Mapping[str, Sequence[tuple[int, int]]]
    """Those of `counts` that are many of the entries with the term."""

    def propose(self, text: Text) -> Placement | None:
        """Return where an entry that is not in the list seems to belong, however uncertain."""
        candidates = self._candidates(find_keys(text, self.taxonomy, self.reader), ())
        return self._placement(candidates, text) if candidates else None

    def propose_again(self, entry: int) -> Placement | None:
        """Return where an entry of the list seems to belong, going by the others that are not the same thing."""
        candidates = self._candidates(self.keys[entry], self.copies[entry])
        return self._placement(candidates, text_of(self.document.entries[entry])) if candidates else None

    def nearest(self, entry: int) -> tuple[int, float] | None:
        """Return the section of `propose_again` and its certainty, going by all others, which takes less time."""
        candidates = self._candidates(self.keys[entry], (entry,))
        found = self._best(candidates) if candidates else None
        return (found.section, found.certainty) if found is not None else None

    @cached_property
    def copies(self) -> Sequence[Collection[int]]:
        """For each entry the indexes of the entries with a common identity key, itself included."""
        keys = [identity_keys(entry, fold_title(entry.title.value)) for entry in self.document.entries]
        by_key: dict[str, list[int]] = {}
        for index, own_keys in enumerate(keys):
            for key in own_keys:
                by_key.setdefault(key, []).append(index)
        return [
            {index}.union(*(by_key[key] for key in own_keys if len(by_key[key]) <= _MOST_COPIES))
            for index, own_keys in enumerate(keys)
        ]

    def _best(self, candidates: Iterable[_Candidate]) -> _Candidate:
        around = self.targets.around

        def rank(candidate: _Candidate) -> tuple[float, bool, _Candidate]:
            certainty = candidate.certainty + _DEPTH_BONUS * len(around[candidate.section])
            return certainty, candidate.key.startswith("concept:"), candidate

        return max(candidates, key=rank)

    def _placement(self, candidates: Sequence[_Candidate], text: Text) -> Placement:
        found = self._best(candidates)
        term = find_term(found.key, text, self.taxonomy, self.reader)
        target = self.targets.by_section[found.section]
        rivals = (each for each in candidates if not self.targets.are_nested(each.section, found.section))
        return Placement(
            section=found.section,
            concept=target.concept,
            term=term,
            inside=found.inside,
            total=found.total,
            is_named=self._is_named(text, term, target),
            support=self._support(candidates, found, term, text),
            rival=max((each.certainty for each in rivals), default=0.0),
        )

    def _candidates(self, keys: Iterable[str], without: Collection[int]) -> list[_Candidate]:
        found = []
        for key in keys:
            telling = self.telling.get(key, ())
            if not telling:
                continue
            having = self.having[key]
            removed = [index for index in without if index in having]
            total = len(having) - len(removed)
            for section, count in telling:
                for index in removed:
                    count -= section in self.around[index]
                if count >= _LEAST_ENTRIES and count >= _LEAST_SHARE * total:
                    found.append(_Candidate(count / (total + 1), section, key, count, total))
        return found

    def _support(
        self, candidates: Iterable[_Candidate], found: _Candidate, term: Term, text: Text
    ) -> Support | None:
        """Return the best other term for a section or one around it, of other words."""
        words = set(term.words.split())
        for each in sorted(candidates, reverse=True):
            if each.section in self.targets.around[found.section]:
                other = find_term(each.key, text, self.taxonomy, self.reader)
                if words.isdisjoint(other.words.split()):
                    return Support(other, each.inside, each.total)
        return None

    def _is_named(self, text: Text, term: Term, target: Target) -> bool:
        if term.is_label and target.concept is not None:
            concept = term.key.partition(":")[2]
            if target.concept in (concept, *self.taxonomy.ancestors(concept)):
                return True
        stems = stems_of((text.title, text.description), self.reader)
        return bool(target.title_stems) and target.title_stems <= stems


def gather(document: Document, taxonomy: Taxonomy) -> ListEvidence:
    """Return what the entries of a list say about its sections."""
    reader = Reader(taxonomy.labels)
    targets = find_targets(document, taxonomy, reader)
    around = [
        targets.around[entry.section] if entry.section is not None else () for entry in document.entries
    ]
    entries = Counter(section for sections in around for section in sections)
    most = _MOST_OF_LIST * sum(map(bool, around))
    around = [tuple(section for section in sections if entries[section] <= most) for sections in around]
    keys = [find_keys(text_of(entry), taxonomy, reader) for entry in document.entries]
    by_key: dict[str, list[int]] = {}
    for index, own in enumerate(keys):
        for key in own if around[index] else ():
            by_key.setdefault(key, []).append(index)
    having = {key: set(indexes) for key, indexes in by_key.items() if len(indexes) >= _LEAST_ENTRIES}
    counts: dict[str, Mapping[int, int]] = {}
    telling: dict[str, Sequence[tuple[int, int]]] = {}
    for key, indexes in having.items():
        counted: dict[int, int] = {}
        for index in indexes:
            for section in around[index]:
                counted[section] = counted.get(section, 0) + 1
        least = max(_LEAST_ENTRIES, _LEAST_SHARE * (len(indexes) - 1))
        counts[key] = counted
        telling[key] = [(section, count) for section, count in counted.items() if count >= least]
    return ListEvidence(document, taxonomy, reader, targets, around, entries, keys, having, counts, telling)
