"""Entries that stand in another section than the one in which they seem to belong.

The thresholds are those of benchmarks/placement.md. Lists are mostly right, so an entry is only misplaced if nothing
about it speaks for its section, and the section is not one that collects things of several subjects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from shelfread.core.spans import find_parents
from shelfread.document.model import Document
from shelfread.document.section_concepts import resolve_section
from shelfread.index.placement.evidence import ListEvidence, Placement, gather
from shelfread.index.placement.terms import stems_of, text_of
from shelfread.taxonomy.taxonomy import Taxonomy

_SURE, _SURE_IF_NAMED = 0.9, 0.85
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


def is_sure(placement: Placement) -> bool:
    """Return whether a proposal is right for 97 of 100 entries of real lists."""
    least = _SURE_IF_NAMED if placement.is_named else _SURE
    return placement.certainty >= least and placement.rival < _MOST_RIVAL


def find_misplaced(document: Document, taxonomy: Taxonomy) -> Iterator[Misplaced]:
    """Yield the entries of a list that surely belong in another section, if the taxonomy knows both sections."""
    if not taxonomy.concepts or len(document.entries) <= _LEAST_ENTRIES:
        return
    if len(_known_subjects(document, taxonomy)) < 2:
        return  # no section to choose from
    evidence = gather(document, taxonomy)
    strays = find_strays(evidence)
    parents = find_parents([entry.span for entry in document.entries]) if strays else []
    for index in sorted(index for group in strays.values() for index in group):
        section = evidence.around[index][0]
        placement = better_place(evidence, strays, index, section) if parents[index] < 0 else None
        if placement is not None:
            yield Misplaced(index, section, placement)


def _known_subjects(document: Document, taxonomy: Taxonomy) -> set[str]:
    sections = {entry.section for entry in document.entries}
    return {
        label.concept
        for section in sections
        for label in resolve_section(document, section, taxonomy).subjects
    }


Strays: TypeAlias = Mapping[int, Mapping[int, int]]
"""By section, the entries that stand in it and seem to belong elsewhere, and where."""


def find_strays(evidence: ListEvidence) -> Strays:
    """Return the entries that seem to belong elsewhere, sure or not. Many in a section show that it is a mixed one."""
    strays: dict[int, dict[int, int]] = {}
    for index, sections in enumerate(evidence.around):
        found = evidence.nearest(index) if sections else None
        if found is None or found[1] < _ELSEWHERE:
            continue
        if _is_elsewhere(evidence, index, sections[0], found[0]):
            strays.setdefault(sections[0], {})[index] = found[0]
    return strays


def better_place(evidence: ListEvidence, strays: Strays, index: int, section: int) -> Placement | None:
    """Return where an entry of a list belongs if it stands in `section`; None if that is where, or nobody can tell."""
    placement = evidence.propose_again(index)
    if placement is None or not is_sure(placement):
        return None
    others = [target for other, target in strays.get(section, {}).items() if other != index]
    entries = evidence.entries[section]
    if entries < _LEAST_ENTRIES or len(others) > _MOST_ELSEWHERE * entries or placement.section in others:
        return None  # a section of a few things, or of things of several subjects
    if not _is_elsewhere(evidence, index, section, placement.section):
        return None
    if not _are_comparable(evidence, section, placement.section) or _belongs(evidence, index, section):
        return None
    return placement


def _is_elsewhere(evidence: ListEvidence, index: int, section: int, other: int) -> bool:
    """Return whether a section is apart from the one in which an entry stands, and holds no copy of the entry."""
    if evidence.targets.are_nested(section, other):
        return False
    return all(other not in evidence.around[copy] for copy in evidence.copies[index] if copy != index)


def _are_comparable(evidence: ListEvidence, section: int, other: int) -> bool:
    """Return whether the taxonomy knows the subjects of two sections as different ones, of the same form."""
    targets = evidence.targets
    one, two = targets.by_section[section], targets.by_section[other]
    if one.concept is None or two.concept is None or one.forms != two.forms:
        return False
    return not targets.are_related(section, other)


def _belongs(evidence: ListEvidence, index: int, section: int) -> bool:
    """Return whether anything about an entry speaks for a section: a word of its labels, a term of its entries."""
    text = text_of(evidence.document.entries[index])
    stems = stems_of((text.title, text.description), evidence.reader)
    if evidence.targets.by_section[section].stems & stems:
        return True
    usual = max(_UNUSUAL * evidence.entries[section] / sum(map(bool, evidence.around)), _LEAST_USUAL)
    stands = section in evidence.around[index]
    for key in evidence.keys[index]:
        others = evidence.counts.get(key, {}).get(section, 0) - stands
        if others >= 2 and others > usual * len(evidence.having[key]):
            return True
    return False
