"""Which lists and tables of a document are sorted, and by what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from shelfread.checks.entry.order_detection import Order, by_date, by_name
from shelfread.checks.entry.order_runs import runs
from shelfread.core.support.line_diff import GONE, align
from shelfread.document.model import Document, Entry
from shelfread.index.conventions.majority import When

By: TypeAlias = Literal["auto", "name", "date"]
"""What entries may be sorted by; `auto` detects it."""

LEAST = 10
_LEAST_OF_FILE = 5
"""The fewest entries that show that a list is sorted: by themselves, and if nearly all lists of the file are sorted."""
_CLEAR, _LIKELY, _MAJORITY = 10, 4, 3
"""One of as many entries may be out of order: in a single list, in a file of sorted lists, and with `always`."""


class SortedList(NamedTuple):
    """A run of entries that is sorted, apart from exceptions."""

    run: list[Entry]
    order: Order
    doubtful: bool
    """Whether it may be sorted by chance, or by something else."""
    reported: Container[int] | None = None
    """The places of the exceptions to report; None for all."""


class _Run(NamedTuple):
    """Entries that may be sorted."""

    entries: list[Entry]
    staying: list[bool] | None
    """Which of them stood in this order before; None for all."""
    by_name: Order | None


def sorted_lists(document: Document, when: When, by: By) -> Iterator[SortedList]:
    """Yield the lists and tables that are sorted, in document order."""
    found = [(entries, None) for entries in runs(document, _least(when))]
    yield from (expected for _, expected in _expect_orders(document, found, when, by) if expected is not None)


def sorted_lists_since(document: Document, before: Document, when: When, by: By) -> Iterator[SortedList]:
    """Yield the sorted lists of a document that was changed; what was sorted before remains so.

    What is out of order is what was added or moved: entries that stood in order before, or in a list that was not
    sorted, are not reported.
    """
    old_starts = _find_old_starts(document, before)
    earlier = list(sorted_lists(before, when, by))
    earlier_of = {entry.block.start: index for index, each in enumerate(earlier) for entry in each.run}
    found = []
    for entries in runs(document, _least(when)):
        staying = [entry.block.start in old_starts for entry in entries]
        found.append((entries, None if all(staying) else staying))
    for run, expected in _expect_orders(document, found, when, by):
        starts = [old_starts.get(entry.block.start, -1) for entry in run.entries]
        new = {place for place, start in enumerate(starts) if start < 0}
        same = Counter(earlier_of[start] for start in starts if start in earlier_of).most_common(1)
        base = earlier[same[0][0]] if same else None
        order = _order_as(base.order, run, document.source.text) if base is not None else None
        if base is not None and order is not None:
            misplaced = {base.run[place].block.start for place in base.order.misplaced}
            old = {place for place, start in enumerate(starts) if start in misplaced}
            yield SortedList(run.entries, order, base.doubtful, new | old)
        elif expected is not None and new:
            yield expected._replace(reported=new)


def _find_old_starts(document: Document, before: Document) -> dict[int, int]:
    """Return where entries began before, by where they begin now; without entries that are new or were moved."""
    rows = align(*([entry.title.value for entry in each.entries] for each in (before, document)))
    pairs = zip(document.entries, rows, strict=True)
    return {entry.block.start: before.entries[row].block.start for entry, row in pairs if row != GONE}


def _order_as(base: Order, run: _Run, text: str) -> Order | None:
    """Return the order of a run if it is mostly the one that it had before."""
    order = run.by_name if base.is_by_name else by_date(run.entries, text, run.staying)
    return order if order is not None and order.by == base.by and order.is_clear(_LIKELY) else None


def _least(when: When) -> int:
    return 2 if when == "always" else _LEAST_OF_FILE


def _expect_orders(
    document: Document, found: Sequence[tuple[list[Entry], list[bool] | None]], when: When, by: By
) -> Iterator[tuple[_Run, SortedList | None]]:
    """Yield runs of entries, each with its order if enough entries are in order to expect it of the others."""
    text = document.source.text
    named = [
        _Run(entries, staying, by_name(entries, text, staying) if by != "date" else None)
        for entries, staying in found
    ]
    sorted_file, rare = _is_sorted_file(named), _is_rare(named)
    for run in named:
        order, doubtful = run.by_name, rare
        if order is None or not _is_expected(run, order, sorted_file, when):
            dated = by != "name" and len(run.entries) >= LEAST
            order, doubtful = by_date(run.entries, text, run.staying) if dated else None, True
            if order is not None and not _is_expected(run, order, False, when):
                order = None
        yield run, SortedList(run.entries, order, doubtful) if order is not None else None


def _is_expected(run: _Run, order: Order, sorted_file: bool, when: When) -> bool:
    """Return whether enough entries of a run are in order to expect it of the others."""
    if when == "always":
        return order.is_clear(_MAJORITY)
    if sorted_file:
        return order.is_clear(_LIKELY)
    return len(run.entries) >= LEAST and order.is_clear(_CLEAR)


def _is_sorted_file(runs: Sequence[_Run]) -> bool:
    """Return whether nearly all lists of a file are sorted by name, and nearly all entries are in order."""
    found = [run.by_name for run in runs if run.by_name is not None]
    total = sum(len(order.places) for order in found)
    clear = sum(1 for order in found if order.is_clear(_LEAST_OF_FILE))
    exceptions = sum(order.exceptions for order in found)
    return total >= 30 and len(found) >= 3 and clear * 10 >= len(runs) * 9 and exceptions * 12 <= total


def _is_rare(runs: Sequence[_Run]) -> bool:
    """Return whether few of a file's long lists are sorted by name, so that one may be sorted by chance."""
    long = [run.by_name for run in runs if len(run.entries) >= LEAST]
    clear = sum(1 for order in long if order is not None and order.is_clear(_CLEAR))
    return clear * 3 < len(long)
