"""New lines of a table of contents: where they are inserted, and in which style."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Applicability, Edit
from shelfread.index.item_style import Prefix, Writer
from shelfread.index.table_of_contents import Item

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
            line = f"{indent}{bullet}{gap}{link}"
            text += line + end if is_before else end + line
        edit = Edit.insert(offset, text)
        edits.update((index, (edit,)) for index in indexes[:_MOST_TOGETHER])
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
        for part in writer.contents.parts:
            for item in () if part.generator else part.items:
                self._add(item)
        for index in sorted(self.listed):
            self.siblings[self.headings[index].parent, self.headings[index].level].append(index)

    def _add(self, item: Item) -> None:
        if item.inside is None:
            return
        row = self.rows.setdefault(id(item.inside), _Row([]))
        row.items.append(item)
        if item.heading is not None and item.heading >= 0:
            self.listed.setdefault(item.heading, (row, len(row.items) - 1))

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
            if slot is not None and not slot.row.is_numbered:
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
