"""Entries that are one although neither identity nor title says so: retitled, mended, given another link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from shelfread.changes.model import ListedEntry, Pair, SectionPath
from shelfread.changes.sections import match_sections, section_after
from shelfread.core.support.regex import lazy
from shelfread.document.identity.keys import PAPER_IDS, fold_title, fold_url
from shelfread.index.duplicates.near_titles import near_titles

_NUMBER = lazy(r"\d+", re.ASCII)
_LONGEST = 400
"""So many letters of a text are looked at."""
_AROUND = 20
"""So many entries of the same section, as far down among those that went, are held against one."""
# Hundredths in which two texts must be the same: of things with the same link, of what may be the same.
_ONE_LINK = 50
_ALIKE = 85
_LEAST_LETTERS = 20


def pair_similar(
    before: Sequence[ListedEntry], after: Sequence[ListedEntry], pairs: Sequence[Pair]
) -> list[Pair]:
    """Pairs among the entries that are left: those of one link, of nearly one title, of one place."""
    if not before or not after:
        return []
    shelves = match_sections(pairs)
    taken: set[ListedEntry] = set()
    found: list[Pair] = []
    for candidates in (
        _by_link(before, after),
        _by_title(before, after),
        _by_place(before, after, shelves),
    ):
        for one, other in candidates:
            if one not in taken and other not in taken:
                taken.update((one, other))
                found.append(Pair(one, other))
    return found


def _by_link(before: Iterable[ListedEntry], after: Iterable[ListedEntry]) -> Iterator[Pair]:
    """Entries that alone lead to an address, and whose titles have something in common."""
    leading = _leading(before)
    for url, other in _leading(after).items():
        one = leading.get(url)
        if one is not None and other is not None and _agree(one, other, _ONE_LINK):
            yield Pair(one, other)


def _leading(listed: Iterable[ListedEntry]) -> dict[str, ListedEntry | None]:
    """The one entry that leads to an address; None where several do."""
    found: dict[str, ListedEntry | None] = {}
    for one in listed:
        for url in {fold_url(link.link.url) for link in one.entry.links if "://" in link.link.url}:
            found[url] = None if url in found else one
    return found


def _by_title(before: Iterable[ListedEntry], after: Iterable[ListedEntry]) -> Iterator[Pair]:
    """Entries of nearly the same title."""
    names = {
        one.title: fold_title(one.entry.name.value) if one.entry.name else "" for one in (*before, *after)
    }
    near = near_titles(names)
    waiting: dict[str, list[ListedEntry]] = {}
    for one in before:
        if one.title in near:
            waiting.setdefault(near[one.title], []).append(one)
    for other in after:
        queue = waiting.get(near.get(other.title, ""))
        if queue and _numbers(queue[0].title) == _numbers(other.title):
            yield Pair(queue.pop(0), other)


def _by_place(
    before: Iterable[ListedEntry], after: Iterable[ListedEntry], shelves: dict[SectionPath, SectionPath]
) -> Iterator[Pair]:
    """Entries of one section that say nearly the same, the most alike first."""
    gone: dict[SectionPath, list[ListedEntry]] = {}
    come: dict[SectionPath, list[ListedEntry]] = {}
    for one in before:
        gone.setdefault(section_after(one.section, shelves), []).append(one)
    for one in after:
        come.setdefault(one.section, []).append(one)
    for shelf, others in come.items():
        ones = gone.get(shelf, [])
        scored: list[tuple[float, int, int, int, Pair]] = []
        for at, other in enumerate(others):
            first = max(at * len(ones) // len(others) - _AROUND // 2, 0) if len(ones) > _AROUND else 0
            for one in ones[first : first + _AROUND]:
                score = _likeness(one, other)
                if score >= _ALIKE:
                    scored.append((-score, one.entry.line, other.entry.line, len(scored), Pair(one, other)))
        yield from (pair for *_, pair in sorted(scored))


def _likeness(one: ListedEntry, other: ListedEntry) -> float:
    """How alike, of 100, two entries are in title or description; things that numbers tell apart are not."""
    if _numbers(one.title) != _numbers(other.title) or _are_apart(one, other):
        return 0
    score = _ratio(one.title, other.title)
    shorter, longer = sorted((one.title, other.title), key=len)
    if len(shorter) >= _LEAST_LETTERS and (longer.startswith(shorter) or longer.endswith(shorter)):
        score = 100
    said, says = one.entry.description, other.entry.description
    if score < _ALIKE and said and says and min(len(said.value), len(says.value)) >= _LEAST_LETTERS:
        score = max(score, _ratio(said.value, says.value))
    return score


def _agree(one: ListedEntry, other: ListedEntry, least: float) -> bool:
    return not _are_apart(one, other) and _ratio(one.title, other.title) >= least


def _are_apart(one: ListedEntry, other: ListedEntry) -> bool:
    """Whether two papers have other identifiers, and titles that are not one but for a slip."""
    first, second = one.entry.identifiers, other.entry.identifiers
    differ = any(kind in second and first[kind] != second[kind] for kind in first if kind in PAPER_IDS)
    return differ and _ratio(one.title, other.title) < _ALIKE


def _numbers(title: str) -> list[str]:
    """What tells GPT-3 from GPT-4."""
    numbers: list[str] = _NUMBER.findall(title)
    return numbers


def _ratio(one: str, other: str) -> float:
    from rapidfuzz.fuzz import ratio

    return ratio(one[:_LONGEST], other[:_LONGEST])
