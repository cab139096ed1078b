"""The rule `entry/order`."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal, TypeAlias

from shelfread.checks.common.sequence import in_order, ranks
from shelfread.checks.entry.order_collations import plain_keys
from shelfread.checks.entry.order_detection import BY_NAME, BY_NAME_FALLING, Order, by_date, by_name
from shelfread.checks.entry.order_moves import Move, edits_of_moves, moves
from shelfread.checks.entry.order_runs import runs
from shelfread.core.diagnostics import Applicability, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When

By: TypeAlias = Literal["auto", "name", "date"]
"""What entries may be sorted by; `auto` detects it."""

_LEAST = 10
_LEAST_OF_FILE = 5
"""The fewest entries that show that a list is sorted: by themselves, and if nearly all lists of the file are sorted."""
_CLEAR, _LIKELY, _MAJORITY = 10, 4, 3
"""One of as many entries may be out of order: in a single list, in a file of sorted lists, and with `always`."""
_LAST = lazy(r"(?:and )?(?:others?|more|misc\w*|various|etc)\b|\W*$", re.IGNORECASE)


def order(
    document: Document, context: RuleContext, *, when: When = "learned", by: By = "auto"
) -> Iterator[RawDiagnostic]:
    """Report entries that are not in the order of their list or table."""
    least = 2 if when == "always" else _LEAST_OF_FILE
    if when == "never" or len(document.entries) < least:
        return
    text = document.source.text
    named = [(run, by_name(run, text) if by != "date" else None) for run in runs(document, least)]
    sorted_file = _is_sorted_file([found for _, found in named])
    rare = _is_rare(named)
    earlier = _earlier_orders(document, context, least, when, by)
    for run, found in named:
        order_of_base = earlier.get(_section(document, run)) if found is not None else None
        if found is not None and order_of_base and order_of_base[0] == found.by and found.is_clear(_LIKELY):
            doubtful = order_of_base[1]
        elif found is None or not _is_expected(run, found, sorted_file, when):
            found = by_date(run, text) if by != "name" and len(run) >= _LEAST else None
            if found is None or not _is_expected(run, found, False, when):
                continue
            doubtful = True
        else:
            doubtful = rare
        if found.exceptions:
            sure = when == "always" or by != "auto"
            yield from _misplaced(document, run, found, sure, doubtful)


def _earlier_orders(
    document: Document, context: RuleContext, least: int, when: When, by: By
) -> dict[tuple[str, ...], tuple[str, bool]]:
    """Return for each section its order in the base commit, and whether few lists of the file were sorted then."""
    base = context.base if by != "date" else None
    before = base.document(document.source.path or "") if base is not None else None
    if before is None:
        return {}
    named = [(run, by_name(run, before.source.text)) for run in runs(before, least)]
    sorted_file, rare = _is_sorted_file([found for _, found in named]), _is_rare(named)
    return {
        _section(before, run): (found.by, rare)
        for run, found in named
        if found is not None and _is_expected(run, found, sorted_file, when)
    }


def _section(document: Document, run: list[Entry]) -> tuple[str, ...]:
    return document.sections[run[0].section].path if run[0].section is not None else ()


def _is_expected(run: list[Entry], found: Order, sorted_file: bool, when: When) -> bool:
    """Return whether enough entries of a run are in order to expect it of the others."""
    if when == "always":
        return found.is_clear(_MAJORITY)
    if sorted_file:
        return found.is_clear(_LIKELY)
    return len(run) >= _LEAST and found.is_clear(_CLEAR)


def _is_sorted_file(orders: list[Order | None]) -> bool:
    """Return whether nearly all lists of a file are sorted by name, and nearly all entries are in order."""
    found = [order for order in orders if order is not None]
    total = sum(len(order.places) for order in found)
    clear = sum(1 for order in found if order.is_clear(_LEAST_OF_FILE))
    exceptions = sum(order.exceptions for order in found)
    return total >= 30 and len(found) >= 3 and clear * 10 >= len(orders) * 9 and exceptions * 12 <= total


def _is_rare(named: list[tuple[list[Entry], Order | None]]) -> bool:
    """Return whether few of a file's long lists are sorted by name, so that one may be sorted by chance."""
    long = [found for run, found in named if len(run) >= _LEAST]
    clear = sum(1 for found in long if found is not None and found.is_clear(_CLEAR))
    return clear * 3 < len(long)


def _may_stand(document: Document, run: list[Entry], found: Order, place: int) -> bool:
    """Return whether an entry is in order under another usual collation, or follows an entry that is struck out.

    An entry after one that is struck out is mostly its replacement.
    """
    if found.by not in (BY_NAME, BY_NAME_FALLING):
        return False
    text = document.source.text
    if place and "~~" in text[run[place - 1].title_line.start : run[place - 1].title_line.end]:
        return True
    staying = [found.places[number] for number in found.kept]
    index = bisect_left(staying, place)
    near = [run[other] for other in (*staying[max(0, index - 1) : index], place, *staying[index : index + 1])]
    keys = plain_keys([entry.title.value for entry in near], [entry.title_line for entry in near], text)
    return any(key == sorted(key, reverse=found.by == BY_NAME_FALLING) for key in keys)


def _is_ambiguous(document: Document, run: list[Entry], found: Order) -> bool:
    """Return whether under another usual collation as few entries of a short list are out of order, but other ones."""
    if len(run) >= _LEAST or found.by not in (BY_NAME, BY_NAME_FALLING):
        return False
    sign = 1 if found.by == BY_NAME else -1
    entries = [run[place] for place in found.places]
    titles, lines = [entry.title.value for entry in entries], [entry.title_line for entry in entries]
    collations = plain_keys(titles, lines, document.source.text)
    orders = (in_order([sign * rank for rank in ranks(keys)]) for keys in collations)
    return any(len(kept) >= len(found.kept) and kept != found.kept for kept in orders)


def _misplaced(
    document: Document, run: list[Entry], found: Order, sure: bool, doubtful: bool
) -> Iterator[RawDiagnostic]:
    """Yield the entries of a run that are out of order, each with its move."""
    first = found.places[found.kept[0]]
    doubtful = doubtful or (not sure and _is_ambiguous(document, run, found))
    certain: list[Move] = []
    uncertain: list[Move] = []
    for move in moves(found):
        if move.place + 2 >= len(run) and _LAST.match(run[move.place].title.value):
            continue
        # An entry at the top of a sorted list may be pinned there.
        pinned = move.place < first
        doubt = not sure and (doubtful or pinned or _may_stand(document, run, found, move.place))
        (uncertain if doubt else certain).append(move)
    for moving, applicability, severity in (
        (certain, Applicability.SAFE, Severity.WARNING),
        (uncertain, Applicability.UNSAFE, Severity.INFO),
    ):
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
            yield RawDiagnostic(entry.title.span, values, moved, applicability, severity, message)
