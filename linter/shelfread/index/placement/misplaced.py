"""Entries that stand in another section than the one in which they seem to belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log
from typing import NamedTuple

from shelfread.document.model import Document, EntryIndex
from shelfread.index.placement.section_model import Place, SectionModel, learn

# Of the entries of real lists one in a hundred is `DOUBTED` where it stands, and two in a thousand are `WRONG`; of entries put
# elsewhere at random, 28 and 12 in a hundred (benchmarks/results/placement.md).
DOUBTED, WRONG = 2.4, 3.5
_LEAST_ENTRIES = 3
"""Beside the entry, to know what a section collects."""
_EXPECTED = 2 / 3
"""A large section has the larger share of any entry, though less than in proportion."""
_LEAST_SHARE = 0.001
"""Shares below it say the same."""
_SIBLING = 1.0
"""How much less doubt there is if the better section is beside it: what two of these collect is often the same."""


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
        if doubt_of(model, section, None, 0.0) < least:
            continue  # no entry of so small a section can be
        shares = model.shares_of(index)
        best = max(shares, key=shares.__getitem__)
        doubt = doubt_of(model, section, best, shares[section])
        if (
            doubt >= least
            and best not in model.copies.get(index, ())
            and not _are_nested(document, best, section)
            and around.around(entries[index].title.span) is entries[index]
        ):
            places = tuple(place for place in model.places_of(index, 4) if place.section != section)
            yield Misplaced(index, section, places[:3], doubt)


def doubt_of(model: SectionModel, section: int, best: int | None, share: float) -> float:
    """Return how much speaks against a section that has such a share of an entry, if another is the best one."""
    sections = model.document.sections
    is_beside = best is not None and sections[best].parent == sections[section].parent
    return _EXPECTED * log(model.part(section)) - log(share + _LEAST_SHARE) - _SIBLING * is_beside


def _are_nested(document: Document, one: int, other: int) -> bool:
    """Return whether one of two sections is below the other, or is that."""
    paths = [document.sections[section].path for section in (one, other)]
    shorter = min(map(len, paths))
    return paths[0][:shorter] == paths[1][:shorter]
