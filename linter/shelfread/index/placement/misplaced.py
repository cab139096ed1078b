"""Entries that stand in another section than the one in which they seem to belong.

The thresholds are those of benchmarks/results/placement.md. Lists are mostly right, so an entry is only misplaced if nothing
about it speaks for its section, and the section is not one that collects things of several subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry
from shelfread.index.placement.subject_sections import find_targets
from shelfread.index.placement.term_evidence import ListEvidence, Placement, Term, gather
from shelfread.taxonomy.taxonomy import Taxonomy

_SURE = 0.9
_MOST_RIVAL = 0.36
"""Of the entries with any other term, a third may stand in another section."""
_ELSEWHERE = 0.7
"""From here on an entry seems to belong elsewhere than where it stands."""
_LEAST_ENTRIES = 5
"""Of a section, to know what it collects."""
_MOST_ELSEWHERE = 0.2
"""The share of a section's entries that may seem to belong elsewhere."""
_UNUSUAL, _LEAST_USUAL = 2, 0.15
"""A term speaks for a section that holds more of its entries than twice that of others, and than so many."""


class Misplaced(NamedTuple):
    """An entry, by its index, the section that it stands in, and where it seems to belong."""

    entry: int
    section: int
    placement: Placement
    concept: str | None
    """That of the other section."""
    term: Term


def is_sure(placement: Placement) -> bool:
    """Return whether a proposal is right for 97 of 100 entries of real lists."""
    return placement.certainty >= _SURE and placement.rival < _MOST_RIVAL


def find_misplaced(document: Document, taxonomy: Taxonomy) -> Iterator[Misplaced]:
    """Yield the entries of a list that surely belong in another section, if the taxonomy knows both sections."""
    if not taxonomy.concepts or len(document.entries) <= _LEAST_ENTRIES:
        return
    targets = find_targets(document, taxonomy)
    if len({target.concept for target in targets.by_section.values()} - {None}) < 2:
        return  # no section to choose from
    evidence = gather(document, taxonomy, targets)
    strays = Strays(evidence)
    for index in sorted(_suspects(evidence)):
        section = evidence.around[index][0]
        placement = better_place(evidence, strays, index, section)
        end = document.entries[index].span.end
        is_nested = any(other.span.end >= end for other in document.entries[:index])
        if placement is not None and not is_nested:
            concept = targets.by_section[placement.section].concept
            yield Misplaced(index, section, placement, concept, evidence.term(index, placement))


def _suspects(evidence: ListEvidence) -> Iterator[int]:
    """Yield the entries with a term that may be enough for another section, which takes less time than to propose one."""
    strong: dict[str, list[int]] = {}
    for key, places in evidence.telling.items():
        total = evidence.totals[key]
        for section, count in places:
            if _SURE * total <= count < total:
                strong.setdefault(key, []).append(section)
    for sections, indexes in evidence.standing.items():
        keys = {
            key
            for key in strong.keys() & evidence.counts[sections[0]].keys()
            if any(_are_comparable(evidence, sections[0], other) for other in strong[key])
        }
        for index in indexes if keys else ():
            if not keys.isdisjoint(evidence.keys_of(index)):
                yield index


class Strays(dict[int, Mapping[int, int]]):
    """By section the entries that stand in it and seem to belong elsewhere, sure or not, and where.

    Many show that a section is a mixed one.
    """

    def __init__(self, evidence: ListEvidence) -> None:
        self._evidence = evidence

    def __missing__(self, section: int) -> Mapping[int, int]:
        strays = self[section] = dict(self._find(section))
        return strays

    def _find(self, section: int) -> Iterator[tuple[int, int]]:
        evidence = self._evidence
        groups = (group for around, group in evidence.standing.items() if around[0] == section)
        for index in chain.from_iterable(groups):
            placement = evidence.propose(index, (index,))
            if placement is None or placement.certainty < _ELSEWHERE:
                continue
            if not evidence.targets.are_nested(section, placement.section):
                yield index, placement.section


def better_place(evidence: ListEvidence, strays: Strays, index: int, section: int) -> Placement | None:
    """Return where an entry of a list belongs if it stands in `section`; None if that is where, or nobody can tell."""
    placement = evidence.propose(index, (index,))
    if placement is None or not is_sure(placement):
        return None
    if evidence.targets.are_nested(section, placement.section):
        return None
    if not _are_comparable(evidence, section, placement.section):
        return None
    if _belongs(evidence, index, section):
        return None
    others = [target for other, target in strays[section].items() if other != index]
    entries = evidence.entries[section]
    if entries < _LEAST_ENTRIES or len(others) > _MOST_ELSEWHERE * entries or placement.section in others:
        return None  # a section of a few things, or of things of several subjects
    return None if _has_copy(evidence, index, placement.section) else placement


def _has_copy(evidence: ListEvidence, index: int, section: int) -> bool:
    """Return whether a section holds an entry for the same thing."""
    entries = evidence.document.entries
    keys = set(identity_of(entries[index]))
    return any(
        section in around and other != index and not keys.isdisjoint(identity_of(entries[other]))
        for other, around in enumerate(evidence.around)
    )


def identity_of(entry: Entry) -> list[str]:
    """Return the keys that entries for the same thing have in common."""
    return identity_keys(entry, fold_title(entry.title.value))


def _are_comparable(evidence: ListEvidence, section: int, other: int) -> bool:
    """Return whether the taxonomy knows the subjects of two sections as different ones, of the same form."""
    targets = evidence.targets
    one, two = targets.by_section[section], targets.by_section[other]
    if one.concept is None or two.concept is None or one.forms != two.forms:
        return False
    return not targets.are_related(section, other)


def _belongs(evidence: ListEvidence, index: int, section: int) -> bool:
    """Return whether anything about an entry speaks for a section: a word of its names, a term of its entries."""
    stems = evidence.stems(index)
    if any(not name.isdisjoint(stems) for name in evidence.names_of(section)):
        return True
    usual = max(_UNUSUAL * evidence.entries[section] / sum(map(bool, evidence.around)), _LEAST_USUAL)
    stands = section in evidence.around[index]
    for key in evidence.keys_of(index):
        others = evidence.counts[section][key] - stands
        if others >= 2 and others > usual * evidence.totals[key]:
            return True
    return False
