"""Entries out of the order that their list or table is in."""

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
"""What entries may be sorted by: either, or one alone."""

_LEAST = 10
_LEAST_OF_FILE = 5
"""So many entries tell that a list is sorted: by themselves, and where nearly all of the file's lists are."""
_CLEAR, _LIKELY, _MAJORITY = 10, 4, 3
"""One of so many may be out of order: where a list speaks for itself, where its file does, where it must."""
_LAST = lazy(r"(?:and )?(?:others?|more|misc\w*|various|etc)\b|\W*$", re.IGNORECASE)


def order(
    document: Document, context: RuleContext, *, when: When = "learned", by: By = "auto"
) -> Iterator[RawDiagnostic]:
    """Entries that are not where the order of their siblings puts them."""
    least = 2 if when == "always" else _LEAST_OF_FILE
    if when == "never" or len(document.entries) < least:
        return
    text = document.source.text
    named = [(run, by_name(run, text) if by != "date" else None) for run in runs(document, least)]
    habit = _is_habit([found for _, found in named])
    rare = _is_rare(named)
    held = _held(document, context, least, when, by)
    for run, found in named:
        still = held.get(_section(document, run)) if found is not None else None
        if found is not None and still is not None and still[0] == found.by and found.is_clear(_LIKELY):
            doubtful = still[1]
        elif found is None or not _rules(run, found, habit, when):
            found = by_date(run, text) if by != "name" and len(run) >= _LEAST else None
            if found is None or not _rules(run, found, False, when):
                continue
            doubtful = True
        else:
            doubtful = rare
        if found.exceptions:
            sure = when == "always" or by != "auto"
            yield from _places(document, run, found, sure, doubtful)


def _held(
    document: Document, context: RuleContext, least: int, when: When, by: By
) -> dict[tuple[str, ...], tuple[str, bool]]:
    """The orders that a file's sections were in before the change, which is not to undo them; and if rarely."""
    base = context.base if by != "date" else None
    before = base.document(document.source.path or "") if base is not None else None
    if before is None:
        return {}
    named = [(run, by_name(run, before.source.text)) for run in runs(before, least)]
    habit, rare = _is_habit([found for _, found in named]), _is_rare(named)
    return {
        _section(before, run): (found.by, rare)
        for run, found in named
        if found is not None and _rules(run, found, habit, when)
    }


def _section(document: Document, run: list[Entry]) -> tuple[str, ...]:
    return document.sections[run[0].section].path if run[0].section is not None else ()


def _rules(run: list[Entry], found: Order, habit: bool, when: When) -> bool:
    """Whether a run is in an order that those out of it break."""
    if when == "always":
        return found.is_clear(_MAJORITY)
    if habit:
        return found.is_clear(_LIKELY)
    return len(run) >= _LEAST and found.is_clear(_CLEAR)


def _is_habit(orders: list[Order | None]) -> bool:
    """Whether nearly all lists of a file are sorted by name, and nearly all entries in their place."""
    found = [order for order in orders if order is not None]
    total = sum(len(order.places) for order in found)
    clear = sum(1 for order in found if order.is_clear(_LEAST_OF_FILE))
    exceptions = sum(order.exceptions for order in found)
    return total >= 30 and len(found) >= 3 and clear * 10 >= len(orders) * 9 and exceptions * 12 <= total


def _is_rare(named: list[tuple[list[Entry], Order | None]]) -> bool:
    """Whether few of a file's long lists are sorted by name, so that one may be so by chance."""
    long = [found for run, found in named if len(run) >= _LEAST]
    clear = sum(1 for found in long if found is not None and found.is_clear(_CLEAR))
    return clear * 3 < len(long)


def _may_stand(document: Document, run: list[Entry], found: Order, place: int) -> bool:
    """Whether an entry stands right between its neighbours under another usual collation, or beside its predecessor.

    What follows a struck-out entry is mostly what took its place.
    """
    if found.by not in (BY_NAME, BY_NAME_FALLING):
        return False
    text = document.source.text
    if place and "~~" in text[run[place - 1].title_line.start : run[place - 1].title_line.end]:
        return True
    staying = [found.places[number] for number in found.kept]
    at = bisect_left(staying, place)
    near = [run[other] for other in (*staying[max(0, at - 1) : at], place, *staying[at : at + 1])]
    keys = plain_keys([entry.title.value for entry in near], [entry.title_line for entry in near], text)
    return any(key == sorted(key, reverse=found.by == BY_NAME_FALLING) for key in keys)


def _is_ambiguous(document: Document, run: list[Entry], found: Order) -> bool:
    """Whether a short list is as much in order under another usual collation, which blames other entries."""
    if len(run) >= _LEAST or found.by not in (BY_NAME, BY_NAME_FALLING):
        return False
    sign = 1 if found.by == BY_NAME else -1
    entries = [run[place] for place in found.places]
    titles, heads = [entry.title.value for entry in entries], [entry.title_line for entry in entries]
    for keys in plain_keys(titles, heads, document.source.text):
        kept = in_order([sign * rank for rank in ranks(keys)])
        if len(kept) >= len(found.kept) and kept != found.kept:
            return True
    return False


def _places(
    document: Document, run: list[Entry], found: Order, sure: bool, doubtful: bool
) -> Iterator[RawDiagnostic]:
    first = found.places[found.kept[0]]
    doubtful = doubtful or (not sure and _is_ambiguous(document, run, found))
    certain: list[Move] = []
    uncertain: list[Move] = []
    for move in moves(found):
        if move.place + 2 >= len(run) and _LAST.match(run[move.place].title.value):
            continue
        # What stands on top of a sorted list may be meant to.
        is_certain = sure or not (
            doubtful or move.place < first or _may_stand(document, run, found, move.place)
        )
        (certain if is_certain else uncertain).append(move)
    for moving, applicability, severity in (
        (certain, Applicability.SAFE, Severity.WARNING),
        (uncertain, Applicability.UNSAFE, Severity.INFO),
    ):
        edits = edits_of_moves(document.source, run, moving) if moving else {}
        for move in sorted(moving, key=lambda move: move.place):
            entry = run[move.place]
            # Said by what it passes on its way: the one after which, or before which, it comes to stand.
            down = move.before is None or (move.after is not None and move.after > move.place)
            other = run[(move.after if down else move.before) or 0]
            values = {
                "title": entry.title.value,
                "where": "after" if down else "before",
                "other": other.title.value,
                "line": other.line,
                "count": len(found.kept),
                "total": len(found.places),
                "by": found.by,
            }
            yield RawDiagnostic(entry.title.span, values, edits.get(move.place, ()), applicability, severity)
