"""Entries that stand in another section than the one in which they seem to belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log
from typing import NamedTuple

from shelfread.document.model import Document, EntryIndex
from shelfread.index.placement.section_model import Place, SectionModel, learn

# Three in a hundred entries of real lists are `DOUBTED` where they stand, and four in a thousand are `WRONG`; of entries put
# elsewhere at random, 40 and 15 in a hundred (benchmarks/results/placement.md).
DOUBTED, WRONG = 1.8, 2.9
_LEAST_ENTRIES = 3
"""Beside the entry, to know what a section collects."""
_EXPECTED = 2 / 3
"""A large section has the larger share of any entry, though less than in proportion."""
_LEAST_SHARE = 0.003
"""Shares below it say the same."""


class Misplaced(NamedTuple):
    """An entry, by its index, the section that it stands in, and where it seems to belong."""

    entry: int
    section: int
    places: tuple[Place, ...]
    """The three best ones, without its own."""
    doubt: float
    """How improbable the section is, beside what its size lets expect."""


def find_misplaced(
    document: Document, among: Iterable[int] | None = None, least: float = DOUBTED
) -> Iterator[Misplaced]:
    """Yield the entries of a list, or those `among` them by index, with at least so much doubt about their section."""
    entries = document.entries
    indexes = range(len(entries)) if among is None else sorted(among)
    if not indexes or len({entry.section for entry in entries} - {None}) < 2:
        return
    model = learn(document)
    around = EntryIndex(entries)
    for index in indexes:
        section = entries[index].section
        if section is None or len(model.entries[section]) <= _LEAST_ENTRIES:
            continue
        if doubt_of(model, section, 0.0) < least:
            continue  # no entry of so small a section can be
        shares = model.shares_of(index)
        doubt = doubt_of(model, section, shares[section])
        best = max(shares, key=shares.__getitem__)
        if (
            doubt >= least
            and best not in model.copies.get(index, ())
            and not _are_nested(document, best, section)
            and around.around(entries[index].title.span) is entries[index]
        ):
            places = tuple(place for place in model.places_of(index, 4) if place.section != section)
            yield Misplaced(index, section, places[:3], doubt)


def doubt_of(model: SectionModel, section: int, share: float) -> float:
    """Return how much speaks against a section that has such a share of an entry."""
    part = len(model.entries[section]) / model.placed
    return _EXPECTED * log(part) - log(share + _LEAST_SHARE)


def _are_nested(document: Document, one: int, other: int) -> bool:
    """Return whether one of two sections is below the other, or is that."""
    paths = [document.sections[section].path for section in (one, other)]
    shorter = min(map(len, paths))
    return paths[0][:shorter] == paths[1][:shorter]
