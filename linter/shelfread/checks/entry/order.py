"""The rule `entry/order`."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity
from shelfread.core.differences import in_order
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions import When
from shelfread.index.order import Order, is_by_another_column, plain_keys, ranks
from shelfread.index.sorted_lists import LEAST, By, SortedList, sorted_lists, sorted_lists_since

if TYPE_CHECKING:
    from shelfread.index.order_moves import Move


def order(
    document: Document, context: RuleContext, *, when: When = "learned", by: By = "auto"
) -> RawDiagnostics:
    """Report entries that are not in the order of their list or table."""
    if when == "never":
        return
    base = context.base.text(document) if context.base is not None else None
    found = sorted_lists(document, when, by) if base is None else sorted_lists_since(document, base, when, by)
    sure = when == "always" or by != "auto"
    for sorted_list in found:
        run, own = sorted_list[:2]
        # Papers are added at the end, which their years only follow.
        if own.exceptions and (sure or not (own.is_by_year or is_by_another_column(run, own))):
            yield from _misplaced(document, sorted_list, sure)


def _may_stand(document: Document, run: list[Entry], found: Order, move: Move) -> bool:
    """Return whether an entry is in order under another usual collation, or replaces one above it that is struck out."""
    if not found.is_by_name:
        return False
    text, place = document.source.text, move.place
    if place and "~~" in text[run[place - 1].title_line.start : run[place - 1].title_line.end]:
        return True
    staying = [found.places[number] for number in found.kept]
    index = bisect_left(staying, place)
    near = [run[other] for other in (*staying[max(0, index - 1) : index], place, *staying[index : index + 1])]
    keys = plain_keys([entry.title.value for entry in near], [entry.title_line for entry in near], text)
    return any(key == sorted(key) for key in keys)


def _is_ambiguous(document: Document, run: list[Entry], found: Order) -> bool:
    """Return whether under another usual collation fewer entries of a short list are out of order, or as few other ones."""
    if len(run) >= LEAST or not found.is_by_name:
        return False
    entries = [run[place] for place in found.places]
    titles, lines = [entry.title.value for entry in entries], [entry.title_line for entry in entries]
    collations = plain_keys(titles, lines, document.source.text)
    for values in map(ranks, collations):
        kept = [values[number] for number in found.kept]
        longest = len(in_order(values))
        if longest > len(kept) or (longest == len(kept) and kept != sorted(kept)):
            return True
    return False


def _misplaced(document: Document, sorted_list: SortedList, sure: bool) -> RawDiagnostics:
    """Yield the entries of a run that are out of order, each with its move."""
    from shelfread.index.order_moves import edits_of_moves, moves

    run, found, doubtful, reported = sorted_list
    first = found.places[found.kept[0]]
    if not sure and _is_ambiguous(document, run, found):
        return
    certain: list[Move] = []
    uncertain: list[Move] = []
    for move in moves(found):
        if reported is not None and move.place not in reported:
            continue
        # An entry at the top of a sorted list is mostly pinned there, unless it was just added.
        pinned = move.place < first
        if not sure and ((pinned and reported is None) or _may_stand(document, run, found, move)):
            continue
        (uncertain if (doubtful or pinned) and not sure else certain).append(move)
    for moving, safe, severity in ((certain, True, Severity.WARNING), (uncertain, False, Severity.INFO)):
        edits = edits_of_moves(document.source, run, moving) if moving else {}
        for move in sorted(moving, key=lambda move: move.place):
            entry = run[move.place]
            down = move.before is None or (move.after is not None and move.after > move.place)
            other = run[(move.after if down else move.before) or 0]
            values = {
                "title": entry.title.value,
                "other": other.title.value,
                "line": other.line,
                "count": len(found.kept),
                "total": len(found.places),
                "by": found.by,
            }
            message = "after" if down else "before"
            moved = edits.get(move.place, ())
            yield RawDiagnostic(entry.title.span, values, moved, safe, severity, message)
