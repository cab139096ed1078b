"""The order of sections that are years or venues: `2024`, `OSDI 2020`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document, Section

YEAR, VENUE = "year", "venue"


class DatedRow(NamedTuple):
    """Sections below one parent, by their indexes, and the rank of each in the order that they should have."""

    sections: Sequence[int]
    ranks: Sequence[int]


def dated_rows(document: Document, indexes: Iterable[int], order: Collection[str]) -> list[DatedRow]:
    """Return the sections among `indexes` that are years or venues, and their ranks.

    With `year` in the order, years rise or fall as they mostly do in the file. With `venue` first, the sections of one
    venue stand together.
    """
    siblings: dict[int | None, list[int]] = {}
    for index in indexes:
        section = document.sections[index]
        if (section.year is not None and YEAR in order) or (_venue(section) and VENUE in order):
            siblings.setdefault(section.parent, []).append(index)
    rows = [row for row in siblings.values() if len(row) > 1]
    by_venue = bool(order) and next(iter(order)) == VENUE
    sign = _direction(document, rows, by_venue) if YEAR in order else 0
    return [DatedRow(row, _ranks(document, row, by_venue, sign)) for row in rows]


def _direction(document: Document, rows: Iterable[Sequence[int]], by_venue: bool) -> int:
    """Return 1 if most years rise from one section to the next, -1 if they fall."""
    rising = 0
    for row in rows:
        sections = (document.sections[index] for index in row)
        for one, other in pairwise(section for section in sections if section.year is not None):
            if not by_venue or _venue(one) == _venue(other):
                rising += ((other.year or 0) > (one.year or 0)) - ((other.year or 0) < (one.year or 0))
    return 1 if rising > 0 else -1


def _ranks(document: Document, row: Sequence[int], by_venue: bool, sign: int) -> list[int]:
    sections = [document.sections[index] for index in row]
    first: dict[str, int] = {}
    for section in sections:
        first.setdefault(_venue(section), len(first))
    last = 0
    keys = []
    for section in sections:
        last = last if section.year is None else sign * section.year  # `OSDI` below `2024` is no year
        keys.append((first[_venue(section)] if by_venue else 0, last))
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _venue(section: Section) -> str:
    citation = section.citation
    if citation is None:
        return ""
    if citation.venue is not None:
        return citation.venue.id
    return citation.name.value.casefold() if citation.name is not None else citation.text.casefold()
