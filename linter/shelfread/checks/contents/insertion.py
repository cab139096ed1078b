"""New lines of a contents: where they go, and what the lines there have that they must have too."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from shelfread.checks.contents.item_style import Manner, Writer
from shelfread.checks.contents.model import Item
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect

_MARKUP = Effect(Change.MARKUP)


class Line(NamedTuple):
    """The edits that add a heading's line, with those of other lines that must come along."""

    edits: tuple[Edit, ...]
    applicability: Applicability


class _Row(NamedTuple):
    """The items of one list in order."""

    items: list[Item]

    @property
    def is_numbered(self) -> bool:
        inside = self.items[0].inside
        return inside is not None and inside.marker in (".", ")")

    @property
    def is_loose(self) -> bool:
        inside = self.items[0].inside
        return inside is not None and not inside.tight


class _Slot(NamedTuple):
    """Where a line goes: before the item at this place of its row, where all behind the last is -1."""

    row: _Row
    at: int
    """So many items of the row stand before it."""
    offset: int
    before: bool
    """The line ends, not begins, with a newline."""
    manner: Manner
    sure: bool = True
    """The siblings above and below stand in one list."""


def new_lines(writer: Writer, missing: Sequence[int]) -> dict[int, Line]:
    """The lines of headings that the contents lacks, as far as it shows how they are to be."""
    if not missing or (applicability := writer.wording.applicability) is None:
        return {}
    slots = dict(_Places(writer).slots(missing))
    numbers, renumbered = _numbers(slots, writer)
    offsets: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for index, slot in slots.items():
        offsets[slot.offset, slot.before].append(index)
    edits: dict[int, tuple[Edit, ...]] = {}
    for (offset, before), indexes in offsets.items():
        text = ""
        for index in indexes:
            heading = writer.contents.headings[index]
            indent, bullet, gap = slots[index].manner
            end = "\n\n" if slots[index].row.is_loose else "\n"
            line = f"{indent}{numbers.get(index, bullet)}{gap}[{writer.label(heading)}]({writer.address(heading)})"
            text += line + end if before else end + line
        edit = Edit(offset, offset, text, Effect(Change.REMOVED, "", text))
        edits.update((index, (edit,)) for index in indexes)
    together: dict[int, dict[Edit, None]] = defaultdict(dict)
    for index, slot in slots.items():
        together[id(slot.row.items)].update(dict.fromkeys(edits[index]))
    lines = {}
    for index, slot in slots.items():
        key = id(slot.row.items)
        own = (*together[key], *renumbered.get(key, ())) if slot.row.is_numbered else edits[index]
        sure = applicability if slot.sure else Applicability.UNSAFE
        lines[index] = Line(tuple(sorted(own)), sure)
    return lines


class _Places:
    """Where the contents lists what."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.headings = writer.contents.headings
        self.rows: dict[int, _Row] = {}
        self.where: dict[int, tuple[_Row, int]] = {}
        self.siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.nested: tuple[Manner, Manner] | None = None
        for part in writer.contents.parts:
            for item in () if part.generator else part.items:
                self._add(item, part.items)
        for index in sorted(self.where):
            self.siblings[self.headings[index].parent, self.headings[index].level].append(index)

    def _add(self, item: Item, items: Sequence[Item]) -> None:
        if item.inside is None:
            return
        row = self.rows.setdefault(id(item.inside), _Row([]))
        row.items.append(item)
        if item.heading is not None and item.heading >= 0:
            self.where.setdefault(item.heading, (row, len(row.items) - 1))
        if self.nested is None and item.parent >= 0 and items[item.parent].inside is not item.inside:
            above, own = self.writer.manner(items[item.parent]), self.writer.manner(item)
            if above and own and own.indent.startswith(above.indent):
                self.nested = above, own

    def slots(self, missing: Sequence[int]) -> Iterator[tuple[int, _Slot]]:
        reached: dict[int, int] = {}
        for index in missing:
            heading = self.headings[index]
            siblings = self.siblings.get((heading.parent, heading.level), [])
            at = bisect_left(siblings, index)
            slot = None
            if at:
                slot = self._behind(siblings[at - 1], index, reached)
                if slot is not None and at < len(siblings):
                    slot = slot._replace(sure=self.where[siblings[at]][0].items is slot.row.items)
            elif siblings:
                slot = self._above(siblings[0])
            elif heading.parent in self.where:
                slot = self._below(heading.parent)
            if slot is not None:
                yield index, slot

    def _behind(self, sibling: int, index: int, reached: dict[int, int]) -> _Slot | None:
        """Behind the sibling above, and behind what is listed behind it of its own section."""
        row, at = self.where[sibling]
        manner = self.writer.manner(row.items[at])
        at = reached.get(sibling, at)
        while at + 1 < len(row.items) and sibling < (row.items[at + 1].heading or -1) < index:
            at += 1
        reached[sibling] = at
        if manner is None:
            return None
        return _Slot(row, at + 1, self.writer.end_of(row.items[at]), False, manner)

    def _above(self, sibling: int) -> _Slot | None:
        row, at = self.where[sibling]
        manner = self.writer.manner(row.items[at])
        if manner is None:
            return None
        source = self.writer.source
        return _Slot(row, at, source.starts[source.line_at(row.items[at].link.start)], True, manner)

    def _below(self, parent: int) -> _Slot | None:
        """The first of those nested in an item that has none yet, indented as others are."""
        row, at = self.where[parent]
        item = row.items[at]
        manner = self.writer.manner(item)
        if manner is None or self.nested is None or item.block is None or len(item.block.blocks) > 1:
            return None
        above, own = self.nested
        indent = manner.indent + own.indent[len(above.indent) :]
        if own.bullet[0].isdigit():
            return None
        return _Slot(_Row([item]), 0, self.writer.end_of(item), False, Manner(indent, own.bullet, own.gap))


def _numbers(slots: dict[int, _Slot], writer: Writer) -> tuple[dict[int, str], dict[int, tuple[Edit, ...]]]:
    """The numbers of new lines in numbered lists, and the edits of those behind them, by row."""
    numbers: dict[int, str] = {}
    edits: dict[int, tuple[Edit, ...]] = {}
    rows: dict[int, list[int]] = defaultdict(list)
    for index, slot in slots.items():
        if slot.row.is_numbered and slot.manner.bullet[0].isdigit():
            rows[id(slot.row.items)].append(index)
    for key, indexes in rows.items():
        row = slots[indexes[0]].row
        was = [item.block.level if item.block else 0 for item in row.items]
        mark = slots[indexes[0]].manner.bullet[-1]
        if len(set(was)) == 1 and len(was) > 1:
            numbers.update((index, f"{was[0]}{mark}") for index in indexes)
            continue
        if was != list(range(was[0], was[0] + len(was))):
            numbers.update((index, f"{was[max(0, slots[index].at - 1)] + 1}{mark}") for index in indexes)
            continue
        places = [slots[index].at for index in indexes]
        for order, index in enumerate(indexes):
            numbers[index] = f"{was[0] + slots[index].at + order}{mark}"
        edits[key] = tuple(_renumbered(row.items, places, was[0], writer))
    return numbers, edits


def _renumbered(items: Sequence[Item], places: Sequence[int], first: int, writer: Writer) -> Iterable[Edit]:
    """The numbers of a row's items as they are after insertions before these places, which are sorted."""
    before = 0
    for at, item in enumerate(items):
        while before < len(places) and places[before] <= at:
            before += 1
        if before and item.block is not None:
            start = item.block.start
            yield Edit(start, start + len(str(first + at)), str(first + at + before), _MARKUP)
