"""Moves new entries to where the order of their list has them."""

from __future__ import annotations

from collections.abc import Container, Sequence

from shelfread.core.diagnostics import Edit
from shelfread.core.edits import apply_edits
from shelfread.core.support.line_diff import align
from shelfread.document.model import Document, Entry
from shelfread.imports.insert.places import all_runs
from shelfread.imports.insert.trends import Trends
from shelfread.index.order.detection import Order, by_date, by_name
from shelfread.index.order.moves import edits_of_moves, moves
from shelfread.index.order.sorted_lists import SortedList, sorted_lists

_LEAST_SORTED = 3
"""Sorted lists of a file, from which on its short ones are taken for sorted too."""
_LEAST_IN_ORDER = 5
"""Entries that hardly stand in order by chance."""


def in_order(before: Document, added: Document, written: Container[int]) -> str:
    """Return the text with the new entries, given by their lines from 1, moved to where the order of their lists has them."""
    sorted_before = list(sorted_lists(before, "learned", "auto"))
    by_line = {found.run[0].line: found for found in sorted_before}
    edits: list[Edit] = []
    text = added.source.text
    aligned = align(before.source.lines, added.source.lines)
    trends = Trends(before)
    for run in all_runs(added):
        new = {index for index, entry in enumerate(run) if entry.line in written}
        if not new or len(new) == len(run):
            continue
        old_line = run[min(set(range(len(run))) - new)].line
        old = by_line.get(aligned[old_line - 1] + 1)
        order = _order(run, text, new, old, sorted_before)
        if order is not None:
            moving = [move for move in moves(order) if move.place in new]
        else:
            moving = trends.moves(run, new)
        if moving:
            found = edits_of_moves(added.source, run, moving)
            edits += {edit for group in found.values() for edit in group}
    return apply_edits(text, edits)


def _order(
    run: Sequence[Entry],
    text: str,
    new: set[int],
    old: SortedList | None,
    sorted_before: Sequence[SortedList],
) -> Order | None:
    """Return the order of a list, in which the old entries stay; None if it is not sorted."""
    staying = [index not in new for index in range(len(run))]
    if old is not None and not old.order.is_by_name:
        order = by_date(run, text, staying)
        return order if order is not None and order.by == old.order.by else None
    if old is None:
        # A list too short for the rule about orders: in order without exception, or all other lists are sorted.
        others = len(sorted_before) >= _LEAST_SORTED and all(
            found.order.is_by_name for found in sorted_before
        )
        if sum(staying) < _LEAST_IN_ORDER and not others:
            return None
        alone = by_name([entry for index, entry in enumerate(run) if staying[index]], text)
        if alone is None or alone.exceptions:
            return None
    order = by_name(run, text, staying, as_they_stay=True)
    return order if order is not None and (old is None or order.by == old.order.by) else None
