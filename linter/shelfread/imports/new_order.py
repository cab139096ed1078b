"""Moves new entries to where the order of their list has them: by name, by date, or as its entries mostly stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, apply_edits
from shelfread.core.differences import align
from shelfread.document.model import Document, Entry
from shelfread.imports.insertion_point import all_runs
from shelfread.index.order import Order, by_date, by_name, dates_before
from shelfread.index.order_moves import Move, edits_of_moves, moves
from shelfread.index.sorted_lists import SortedList, sorted_lists

_LEAST_SORTED = 3  # sorted lists of a file, from which on its short ones are taken for sorted too
_LEAST_IN_ORDER = 5  # entries that hardly stand in order by chance
# Pairs of different dates that show a trend in one list; a list with fewer follows the whole file.
_LEAST_PAIRS = 3
_MANY_PAIRS = 15  # fewer pairs show a trend only if none of them is out of order
_CLEAR = 4  # as many pairs in order for one that is not


def in_order(before: Document, added: Document, new_lines: Collection[int]) -> str:
    """Return the text with the new entries, given by their lines from 1, moved to where the order of their lists has them."""
    sorted_before = list(sorted_lists(before, "learned", "auto"))
    by_line = {item.run[0].line: item for item in sorted_before}
    edits: list[Edit] = []
    text = added.source.text
    aligned = align(before.source.lines, added.source.lines)
    old_runs = all_runs(before)
    given = [[date for date in _dates(run, before.source.text) if date is not None] for run in old_runs]
    trend_of_file = _Pairs(*map(sum, zip((0, 0), *map(_pairs, given), strict=True))).trend()
    long_runs = [run for run in old_runs if len(run) >= _LEAST_IN_ORDER]
    # One such list among many in no order is in it by chance.
    are_by_name = 2 * sum(_is_by_name(run, before.source.text) for run in long_runs) >= len(long_runs)
    for run in all_runs(added):
        new = {index for index, entry in enumerate(run) if entry.line in new_lines}
        if not new:
            continue
        old_line = next((entry.line for index, entry in enumerate(run) if index not in new), None)
        old = by_line.get(aligned[old_line - 1] + 1) if old_line is not None else None
        order = _order(run, text, new, old, sorted_before, are_by_name)
        if order is not None:
            moving = [move for move in moves(order) if move.place in new]
        else:
            moving = _moves_by_trend(_dates(run, text), new, trend_of_file)
        if moving:
            groups = edits_of_moves(added.source, run, moving)
            edits += {edit for group in groups.values() for edit in group}
    return apply_edits(text, edits)


def _order(
    run: Sequence[Entry],
    text: str,
    new: set[int],
    old: SortedList | None,
    sorted_before: Sequence[SortedList],
    are_by_name: bool,
) -> Order | None:
    """Return the order of a list, in which the old entries stay; None if it is not sorted."""
    staying = [index not in new for index in range(len(run))]
    if old is not None and not old.order.is_by_name:
        order = by_date(run, text, staying)
        return order if order is not None and order.by == old.order.by else None
    if old is None:
        # A list too short for the rule about orders: in order without exception, or all other lists are sorted.
        others = len(sorted_before) >= _LEAST_SORTED and all(item.order.is_by_name for item in sorted_before)
        if not others and (sum(staying) < _LEAST_IN_ORDER or not are_by_name):
            return None
        if not _is_by_name([entry for index, entry in enumerate(run) if staying[index]], text):
            return None
    order = by_name(run, text, staying, as_they_stay=True)
    return order if order is not None and (old is None or order.by == old.order.by) else None


def _is_by_name(run: Sequence[Entry], text: str) -> bool:
    order = by_name(run, text)
    return order is not None and not order.exceptions


# ---------------------------------------------------- lists that are mostly, not strictly, from old to new or new to old
class _Pairs(NamedTuple):
    """Of how many pairs of entries the lower one is later, and of how many the upper one."""

    rising: int
    falling: int

    def trend(self) -> int:
        """Return 1 for oldest first, -1 for newest first, 0 for neither."""
        total, fewer = sum(self), min(self)
        if total < _LEAST_PAIRS or fewer * (_CLEAR + 1) > total or (fewer and total < _MANY_PAIRS):
            return 0
        return 1 if self.rising > self.falling else -1


def _dates(run: Sequence[Entry], text: str) -> Sequence[int | None]:
    """Return the dates that the lines of a list begin with, `[2024/05]`, else the years of its entries."""
    return dates_before(run, text) or [entry.year for entry in run]


def _moves_by_trend(dates: Sequence[int | None], new: Collection[int], trend_of_file: int) -> list[Move]:
    """Return the moves of the new entries of a list, given by their indexes; none if it has no trend."""
    dated = {index: date for index, date in enumerate(dates) if date is not None}
    staying = [index for index in range(len(dates)) if index not in new]
    pairs = _pairs([dated[index] for index in staying if index in dated])
    trend = pairs.trend()
    if not trend and sum(pairs) < _LEAST_PAIRS:
        against = pairs.falling if trend_of_file > 0 else pairs.rising
        trend = 0 if against else trend_of_file
    if not trend:
        return []
    stay = [dated.get(index) for index in staying]
    moving = sorted(
        (index for index in new if index in dated), key=lambda index: (trend * dated[index], index)
    )
    places = {date: _place(date, stay, trend) for date in {dated[index] for index in moving}}
    return [
        Move(index, staying[place - 1] if place else None, staying[place])
        for index in moving
        if (place := places[dated[index]]) < len(staying)
    ]


def _pairs(values: Sequence[int]) -> _Pairs:
    """Count the pairs of different values; linear for few different ones."""
    above: Counter[int] = Counter()
    rising = falling = 0
    for value in values:
        lower = sum(count for other, count in above.items() if other < value)
        rising += lower
        falling += above.total() - lower - above[value]
        above[value] += 1
    return _Pairs(rising, falling)


def _place(date: int, staying: Sequence[int | None], trend: int) -> int:
    """Return the index before which the fewest entries are out of order: below equals if oldest are first, else above."""
    wrong = [trend * ((date > other) - (date < other)) if other is not None else 0 for other in staying]
    cost = best = sum(side > 0 for side in wrong)  # at the top, all that belong above are below
    place = 0
    for index, side in enumerate(wrong, start=1):
        cost -= side  # passed: one that belongs above is right now, one that belongs below is wrong
        if cost < best or (cost == best and trend > 0):
            best, place = cost, index
    return place
