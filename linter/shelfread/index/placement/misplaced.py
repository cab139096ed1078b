"""Entries that stand in another section than the one in which they seem to belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import log
from typing import NamedTuple

from shelfread.document.model import Document, EntryIndex
from shelfread.index.placement.section_model import Place, SectionModel, learn

# Lists are mostly right, so the section of an entry must be improbable, not only another one probable. One in a hundred
# entries of real lists is `DOUBTED` where it stands, and four in a thousand are `WRONG` (benchmarks/results/placement.md).
DOUBTED, WRONG = 3.3, 4.8
_LEAST_ENTRIES = 3
"""Beside the entry, to know what a section collects."""
_COMPARED = 12
"""Entries of a section that tell how mixed it is."""
_FIT = 1.5
_LEAST_GAP = 1.5
"""Between what speaks for the best section and for the own one; with less none is doubted."""


class Misplaced(NamedTuple):
    """An entry, by its index, the section that it stands in, and where it seems to belong."""

    entry: int
    section: int
    place: Place
    doubt: float
    """How improbable the section is beside the other one."""


def find_misplaced(document: Document, among: Iterable[int] | None = None) -> Iterator[Misplaced]:
    """Yield the entries of a list, or those `among` them by index, whose section is at least `DOUBTED`."""
    entries = document.entries
    indexes = range(len(entries)) if among is None else sorted(among)
    if not indexes or len({entry.section for entry in entries} - {None}) < 2:
        return
    model, fits = learn(document), dict[int, float]()
    around = EntryIndex(entries)
    for index in indexes:
        section = entries[index].section
        if section is None or len(model.entries[section]) <= _LEAST_ENTRIES:
            continue
        scores = model.scores_of(index)
        best = max(scores, key=scores.__getitem__)
        if (
            scores[best] - scores[section] < _LEAST_GAP * model.temperature
            or best in model.copies.get(index, ())
            or _are_nested(document, best, section)
        ):
            continue
        doubt = doubt_of(model, model.shares(scores), section, fits)
        if doubt >= DOUBTED and around.around(entries[index].title.span) is entries[index]:
            yield Misplaced(index, section, model.places_of(index, 1)[0], doubt)


def doubt_of(model: SectionModel, shares: dict[int, float], section: int, fits: dict[int, float]) -> float:
    """Return how much speaks against a section, where `shares` are those of an entry; `fits` keeps what is known of sections."""
    if section not in fits:
        indexes = model.entries[section]
        some = indexes[:: -(-len(indexes) // _COMPARED)]
        usual = [model.shares_of(index)[section] for index in some]
        fits[section] = (sum(usual) + 0.5) / (len(usual) + 1.5)  # of a section that is like no other, all
    best = max(shares.values())
    return log((best + 1e-6) / (1 - best + 1e-6)) - log(shares[section] + 0.01) + _FIT * log(fits[section])


def _are_nested(document: Document, one: int, other: int) -> bool:
    """Return whether one of two sections is below the other."""
    paths = [document.sections[section].path for section in (one, other)]
    shorter = min(map(len, paths))
    return paths[0][:shorter] == paths[1][:shorter]
