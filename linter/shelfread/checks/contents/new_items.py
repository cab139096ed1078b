"""New lines of a table of contents: where they are inserted, and in which style."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import MARKUP, Applicability, Edit
from shelfread.index.contents.item_style import Prefix, Writer
from shelfread.index.contents.table_of_contents import Item

_MOST_TOGETHER = 50
"""The most headings that each have the edits of all whose lines are added together; the others have none."""

Line: TypeAlias = tuple[tuple[Edit, ...], Applicability]
"""The edits that add a heading's line, with those of other lines that must change with it."""


class _Row(NamedTuple):
    """The items of one list, in order."""

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
    """Where a line is inserted."""

    row: _Row
    position: int
    """The number of items of the row before it."""
    offset: int
    is_before: bool
    """It is inserted before a line, so it ends, not begins, with a newline."""
    prefix: Prefix
    is_certain: bool = True
    """The siblings above and below are in the same list."""


def new_lines(writer: Writer, missing: Sequence[int]) -> dict[int, Line]:
    """Return the lines of omitted headings by their index, as far as the style of the others shows how to write them."""
    if not missing or (applicability := writer.wording.applicability) is None:
        return {}
    slots = dict(_Slots(writer).find(missing))
    numbers, renumbered = _numbers(slots)
    offsets: dict[tuple[int, bool], list[int]] = defaultdict(list)
    for index, slot in slots.items():
        offsets[slot.offset, slot.is_before].append(index)
    edits: dict[int, tuple[Edit, ...]] = {}
    for (offset, is_before), indexes in offsets.items():
        text = ""
        for index in indexes:
            heading = writer.contents.headings[index]
            indent, bullet, gap = slots[index].prefix
            end = "\n\n" if slots[index].row.is_loose else "\n"
            link = f"[{writer.label(heading)}]({writer.url(heading)})"
            line = f"{indent}{numbers.get(index, bullet)}{gap}{link}"
            text += line + end if is_before else end + line
        edit = Edit.insert(offset, text)
        edits.update((index, (edit,)) for index in indexes[:_MOST_TOGETHER])
    together: dict[int, list[int]] = defaultdict(list)
    for index, slot in slots.items():
        if slot.row.is_numbered:
            together[id(slot.row.items)].append(index)
    for key, indexes in together.items():
        added = dict.fromkeys(edit for index in indexes for edit in edits.pop(index, ()))
        own = tuple(sorted((*added, *renumbered.get(key, ()))))
        edits.update((index, own) for index in indexes[:_MOST_TOGETHER])
    safety = {
        index: applicability if slot.is_certain else Applicability.UNSAFE for index, slot in slots.items()
    }
    return {index: (own, safety[index]) for index, own in edits.items()}


class _Slots:
    """Where the table of contents lists each heading."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.headings = writer.contents.headings
        self.rows: dict[int, _Row] = {}
        self.listed: dict[int, tuple[_Row, int]] = {}
        self.siblings: dict[tuple[int, int], list[int]] = defaultdict(list)
        self.nested: tuple[Prefix, Prefix] | None = None
        for part in writer.contents.parts:
            for item in () if part.generator else part.items:
                self._add(item, part.items)
        for index in sorted(self.listed):
            self.siblings[self.headings[index].parent, self.headings[index].level].append(index)

    def _add(self, item: Item, items: Sequence[Item]) -> None:
        if item.inside is None:
            return
        row = self.rows.setdefault(id(item.inside), _Row([]))
        row.items.append(item)
        if item.heading is not None and item.heading >= 0:
            self.listed.setdefault(item.heading, (row, len(row.items) - 1))
        if self.nested is None and item.parent >= 0 and items[item.parent].inside is not item.inside:
            above, own = self.writer.prefix(items[item.parent]), self.writer.prefix(item)
            if above and own and own.indent.startswith(above.indent):
                self.nested = above, own

    def find(self, missing: Sequence[int]) -> Iterator[tuple[int, _Slot]]:
        """Yield omitted headings by their index, with where they are inserted."""
        reached: dict[int, int] = {}
        for index in missing:
            heading = self.headings[index]
            siblings = self.siblings.get((heading.parent, heading.level), [])
            following = bisect_left(siblings, index)
            slot = None
            if following:
                slot = self._after(siblings[following - 1], index, reached)
                if slot is not None and following < len(siblings):
                    is_same_list = self.listed[siblings[following]][0].items is slot.row.items
                    slot = slot._replace(is_certain=is_same_list)
            elif siblings:
                slot = self._before(siblings[0])
            elif heading.parent in self.listed:
                slot = self._nested(heading.parent)
            if slot is not None:
                yield index, slot

    def _after(self, sibling: int, index: int, reached: dict[int, int]) -> _Slot | None:
        """Return the slot after the previous sibling, and after what is listed of its own section."""
        row, position = self.listed[sibling]
        prefix = self.writer.prefix(row.items[position])
        position = reached.get(sibling, position)
        while position + 1 < len(row.items) and sibling < (row.items[position + 1].heading or -1) < index:
            position += 1
        reached[sibling] = position
        if prefix is None:
            return None
        return _Slot(row, position + 1, self.writer.end_of(row.items[position]), False, prefix)

    def _before(self, sibling: int) -> _Slot | None:
        """Return the slot before the next sibling."""
        row, position = self.listed[sibling]
        prefix = self.writer.prefix(row.items[position])
        if prefix is None:
            return None
        source = self.writer.source
        offset = source.starts[source.line_at(row.items[position].link.start)]
        return _Slot(row, position, offset, True, prefix)

    def _nested(self, parent: int) -> _Slot | None:
        """Return the slot of the first item in a parent that has none, indented as in other parents."""
        row, position = self.listed[parent]
        item = row.items[position]
        prefix = self.writer.prefix(item)
        if prefix is None or self.nested is None or item.block is None or len(item.block.blocks) > 1:
            return None
        above, own = self.nested
        if own.bullet[0].isdigit():
            return None
        own = own._replace(indent=prefix.indent + own.indent[len(above.indent) :])
        return _Slot(_Row([item]), 0, self.writer.end_of(item), False, own)


def _numbers(slots: dict[int, _Slot]) -> tuple[dict[int, str], dict[int, tuple[Edit, ...]]]:
    """Return the numbers of new lines in numbered lists, and by row the edits of the numbers after them."""
    numbers: dict[int, str] = {}
    edits: dict[int, tuple[Edit, ...]] = {}
    rows: dict[int, list[int]] = defaultdict(list)
    for index, slot in slots.items():
        if slot.row.is_numbered and slot.prefix.bullet[0].isdigit():
            rows[id(slot.row.items)].append(index)
    for key, indexes in rows.items():
        row = slots[indexes[0]].row
        old = [item.block.level if item.block else 0 for item in row.items]
        delimiter = slots[indexes[0]].prefix.bullet[-1]
        if len(set(old)) == 1 and len(old) > 1:
            numbers.update((index, f"{old[0]}{delimiter}") for index in indexes)
            continue
        positions = [slots[index].position for index in indexes]
        if old != list(range(old[0], old[0] + len(old))):
            for index, position in zip(indexes, positions, strict=True):
                numbers[index] = f"{old[max(0, position - 1)] + 1}{delimiter}"
            continue
        for added, (index, position) in enumerate(zip(indexes, positions, strict=True)):
            numbers[index] = f"{old[0] + position + added}{delimiter}"
        edits[key] = tuple(_renumbered(row.items, positions, old[0]))
    return numbers, edits


def _renumbered(items: Sequence[Item], positions: Sequence[int], first: int) -> Iterable[Edit]:
    """Yield the edits of a row's numbers for insertions at these sorted positions."""
    added = 0
    for position, item in enumerate(items):
        while added < len(positions) and positions[added] <= position:
            added += 1
        if added and item.block is not None:
            start = item.block.start
            end = start + len(str(first + position))
            yield Edit(start, end, str(first + position + added), MARKUP)
