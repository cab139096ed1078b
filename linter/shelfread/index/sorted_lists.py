"""Runs of entries that may be sorted, and which lists and tables of a document are sorted, by what."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from shelfread.core.differences import GONE
from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.index.context import BaseText
from shelfread.index.conventions import When
from shelfread.index.order import Order, by_date, by_name
from shelfread.markdown.node import Block


class Sibling(NamedTuple):
    """An entry and its lines, from 0 and half open, with the comments directly above it."""

    entry: Entry
    top: int
    bottom: int


def runs(document: Document, least: int) -> list[list[Entry]]:
    """Return the runs of at least `least` entries of a list or table without other items between them."""
    entries: dict[int, Entry] = {}
    for entry in document.entries:
        if entry.block.kind in ("item", "row"):
            entries.setdefault(entry.block.start, entry)
    found: list[list[Entry]] = []
    for _, level in levels(document):
        for blocks in _split(level, document.source):
            if len(blocks) >= least:
                found += _unbroken(blocks, entries, least)
    return sorted(found, key=lambda run: run[0].line)


def _split(level: Sequence[Block], source: Source) -> Iterator[Sequence[Block]]:
    """Yield the items or rows of each list and table; lists with only a comment between them are one."""
    items: list[Block] = []
    marker, last = "", -1
    for block in level:
        kind = block.kind
        if kind == "list":
            if block.marker == marker and block.first == last:
                items += block.blocks
            else:
                yield items
                items, marker = [*block.blocks], block.marker
            last = block.last
        elif kind == "table":
            yield [row for row in block.blocks if row.level]
        elif kind == "html" and block.first == last and are_comments(block.first, block.last, source):
            last = block.last
    yield items


def _unbroken(blocks: Sequence[Block], entries: dict[int, Entry], least: int) -> Iterator[list[Entry]]:
    """Yield the runs of entries among items; an item that is not an entry ends a run."""
    run: list[Entry] = []
    for block in blocks:
        entry = entries.get(block.start)
        if entry is not None and entry.block.kind == block.kind:
            run.append(entry)
            continue
        if len(run) >= least:
            yield run
        run = []
    if len(run) >= least:
        yield run


def with_lines(run: Sequence[Entry], source: Source) -> list[Sibling]:
    """Return the entries with their lines; a comment at the end of an item belongs to the next one."""
    siblings: list[Sibling] = []
    top = run[0].block.first
    for entry, after in zip(run, [*run[1:], None], strict=True):
        bottom = entry.block.last
        next_top = after.block.first if after is not None else bottom
        while after is not None and next_top > top + 1 and are_comments(next_top - 1, next_top, source):
            next_top -= 1
        siblings.append(Sibling(entry, top, min(bottom, next_top)))
        top = next_top
    return siblings


def are_comments(first: int, last: int, source: Source) -> bool:
    """Return whether each of the lines, from 0 and half open, is a comment."""
    lines = (line.strip(" \t>") for line in source.lines[first:last])
    return all(line.startswith("<!--") and line.endswith("--") for line in lines)


@lru_cache(maxsize=1)
def levels(document: Document) -> list[tuple[int, tuple[Block, ...]]]:
    """Return the blocks of the document, and of each quote and item with several blocks, and in how many items they are."""
    found = []
    waiting = [(0, document.tree.blocks)]
    while waiting:
        depth, level = waiting.pop()
        found.append((depth, level))
        for block in level:
            if block.kind == "list":
                waiting += [(depth + 1, item.blocks) for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                waiting.append((depth, block.blocks))
    return found


By: TypeAlias = Literal["auto", "name", "date"]  # what entries may be sorted by; `auto` detects it

LEAST = 10
# The fewest entries that show that a list is sorted: by themselves, and if nearly all lists of the file are
# sorted.
_LEAST_OF_FILE = 5
# One of as many entries may be out of order: in a single list, in a file of sorted lists, and with `always`.
_CLEAR, _LIKELY, _MAJORITY = 10, 4, 3


class SortedList(NamedTuple):
    """A run of entries that is sorted, apart from exceptions."""

    run: list[Entry]
    order: Order
    doubtful: bool  # whether it may be sorted by chance, or by something else
    reported: Container[int] | None = None  # the places of the exceptions to report; None for all


class _OrderedRun(NamedTuple):
    """Entries that may be sorted."""

    entries: list[Entry]
    text: str  # the text that they are in
    staying: list[bool] | None  # which of them stood in this order before; None for all
    by_name: Order | None


def sorted_lists(document: Document, when: When, by: By) -> Iterator[SortedList]:
    """Yield the lists and tables that are sorted, in document order."""
    found = [_run(entries, document, None, by) for entries in runs(document, _least(when))]
    yield from filter(None, _expect_orders(found, when, by))


def sorted_lists_since(document: Document, base: BaseText, when: When, by: By) -> Iterator[SortedList]:
    """Yield the sorted lists of a changed document: what was sorted remains so, and only what was added or moved is out of order."""
    base_lines = _find_base_lines(document, base)
    found: list[_OrderedRun] = []
    for entries in runs(document, _least(when)):
        staying = [entry.block.start in base_lines for entry in entries]
        found.append(_run(entries, document, None if all(staying) else staying, by))
    sorted_before: dict[int, tuple[list[int], SortedList]] = {}
    for before in sorted_lists(base.document, when, by):
        old_lines = [entry.line - 1 for entry in before.run]
        sorted_before |= dict.fromkeys(old_lines, (old_lines, before))
    for run, expected in zip(found, _expect_orders(found, when, by), strict=True):
        run_lines = [base_lines.get(entry.block.start, GONE) for entry in run.entries]
        new = {place for place, line in enumerate(run_lines) if line == GONE}
        counts = Counter(sorted_before[line][0][0] for line in run_lines if line in sorted_before)
        order = None
        if counts:
            first = counts.most_common(1)[0][0]
            old_lines, before = sorted_before[first]
            order = _order_as(before.order, run)
        if order is not None:
            misplaced = {old_lines[place] for place in before.order.misplaced}
            old = {place for place, line in enumerate(run_lines) if line in misplaced}
            yield SortedList(run.entries, order, before.doubtful, new | old)
        elif expected is not None and new:
            yield expected._replace(reported=new)


def _find_base_lines(document: Document, base: BaseText) -> dict[int, int]:
    """Return the old lines, from 0, of entries in the same order, by where they begin: unchanged, or between the same neighbours."""
    entries = document.entries
    rows = [base.lines[entry.line - 1] for entry in entries]
    titles = {entry.line - 1: entry.title.value for entry in base.document.entries}
    old = sorted(titles)
    following: list[int] = [GONE] * len(rows)
    for index in range(len(rows) - 1, -1, -1):
        after = following[index + 1] if index + 1 < len(rows) else GONE
        following[index] = after if rows[index] == GONE else rows[index]
    found: dict[int, int] = {}
    last = GONE
    for entry, row, after in zip(entries, rows, following, strict=True):
        if row == GONE:
            end = bisect_left(old, after) if after != GONE else len(old)
            between = (
                line for line in old[bisect_right(old, last) : end] if titles[line] == entry.title.value
            )
            row = next(between, GONE)
        if row != GONE:
            found[entry.block.start] = last = row
    return found


def _order_as(base: Order, run: _OrderedRun) -> Order | None:
    """Return the order of a run if it is mostly the one that it had before."""
    order = run.by_name if base.is_by_name else by_date(run.entries, run.text, run.staying)
    return order if order is not None and order.by == base.by and order.is_clear(_LIKELY) else None


def _least(when: When) -> int:
    return 2 if when == "always" else _LEAST_OF_FILE


def _run(entries: list[Entry], document: Document, staying: list[bool] | None, by: By) -> _OrderedRun:
    text = document.source.text
    return _OrderedRun(entries, text, staying, by_name(entries, text, staying) if by != "date" else None)


def _expect_orders(found: Sequence[_OrderedRun], when: When, by: By) -> Iterator[SortedList | None]:
    """Yield for each run its order if enough entries are in order to expect it of the others, else None."""
    sorted_file, rare = _is_sorted_file(found), _is_rare(found)
    for run in found:
        order, doubtful = run.by_name, rare
        if order is None or not _is_expected(run, order, sorted_file, when):
            dated = by != "name" and len(run.entries) >= LEAST
            order, doubtful = by_date(run.entries, run.text, run.staying) if dated else None, True
            if order is not None and not _is_expected(run, order, False, when):
                order = None
        yield SortedList(run.entries, order, doubtful) if order is not None else None


def _is_expected(run: _OrderedRun, order: Order, sorted_file: bool, when: When) -> bool:
    """Return whether enough entries of a run are in order to expect it of the others."""
    if when == "always":
        return order.is_clear(_MAJORITY)
    if sorted_file:
        # Four of five in order may be chance.
        return len(order.kept) >= min(len(order.places), _LEAST_OF_FILE) and order.is_clear(_LIKELY)
    return len(run.entries) >= LEAST and order.is_clear(_CLEAR)


def _is_sorted_file(runs: Sequence[_OrderedRun]) -> bool:
    """Return whether nearly all lists of a file are sorted by name, and nearly all entries are in order."""
    found = [run.by_name for run in runs if run.by_name is not None]
    total = sum(len(order.places) for order in found)
    clear = sum(1 for order in found if order.is_clear(_LEAST_OF_FILE))
    exceptions = sum(order.exceptions for order in found)
    return total >= 30 and len(found) >= 3 and clear * 10 >= len(runs) * 9 and exceptions * 12 <= total


def _is_rare(runs: Sequence[_OrderedRun]) -> bool:
    """Return whether few of a file's long lists are sorted by name, so that one may be sorted by chance."""
    long = [run.by_name for run in runs if len(run.entries) >= LEAST]
    clear = sum(1 for order in long if order is not None and order.is_clear(_CLEAR))
    return clear * 3 < len(long)
