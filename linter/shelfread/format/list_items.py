"""The items of lists: columns of their markers and contents, and what the lists of a text have throughout.

Columns count from 0; a tab reaches to the next multiple of 4, as in CommonMark.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.format.blank_lines import PageBlock
from shelfread.format.habits import Habits, Section
from shelfread.markdown.node import Block

TAB = 4


def column(line: str, index: int) -> int:
    if "\t" not in line[:index]:
        return index
    found = 0
    for character in line[:index]:
        found = found + TAB - found % TAB if character == "\t" else found + 1
    return found


def indentation(line: str) -> str:
    """Return the spaces and tabs at the start of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def marker_at(line: str, index: int, ordered: bool) -> str:
    """Return the list marker at an index of a line: `-`, `12.`."""
    end = index
    while ordered and end < len(line) and line[end].isdigit():
        end += 1
    return line[index : end + 1]


class ListItem(NamedTuple):
    """A list item and the columns of its marker, of the end of its marker and of its content."""

    block: Block
    ordered: bool
    depth: int
    marker: int
    marker_end: int
    content: int
    gap: str  # the spaces and tabs behind the marker
    begins_line: bool  # only spaces are before the marker in its line

    @property
    def spaces(self) -> int:
        """How many columns are between the marker and the content."""
        return self.content - self.marker_end


def read_item(source: Source, block: Block, parent: Block, depth: int) -> ListItem:
    """Return an item of the list `parent`."""
    line, start = source.lines[block.first], source.starts[block.first]
    index = block.start - start
    ordered = parent.marker in (".", ")")
    end = index + len(marker_at(line, index, ordered))
    marker_end = column(line, end)
    first = block.blocks[0] if block.blocks else None
    content = marker_end + 1
    if first is not None and first.first == block.first and not is_indented_code(first):
        content = column(line, first.start - start)
    begins_line = not line[:index].strip()
    gap = indentation(line[end:])
    return ListItem(block, ordered, depth, column(line, index), marker_end, content, gap, begins_line)


def is_indented_code(block: Block) -> bool:
    """Return whether a block is code without a fence."""
    return block.kind == "code" and not block.marker


def is_aligned(source: Source, block: Block) -> bool:
    """Return whether the contents of an ordered list are in one column though its numbers are not as long."""
    if block.marker not in (".", ")"):
        return False
    items = [read_item(source, child, block, 0) for child in block.blocks]
    return len({item.content for item in items}) == 1 < len({item.marker_end - item.marker for item in items})


def find_adjacent_lists(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield where lists begin that are next to another list."""
    pending = [blocks]
    while pending:
        siblings = pending.pop()
        for before, after in pairwise(siblings):
            if before.kind == after.kind == "list":
                yield from (before.start, after.start)
        pending += [block.blocks for block in siblings if block.kind in ("list", "item", "quote")]


MAX_SPACES = 4  # more spaces behind a marker are the beginning of indented code


class ListHabits:
    """The habits of a text's lists, of ordered items (True) and of others (False)."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.top: Habits[None, int] = Habits()  # the column of top-level lists
        self.bullets: Habits[int, str] = Habits()  # the bullet of each depth
        self.gaps: Habits[bool, str] = Habits()  # the spaces behind markers
        # how far a nested marker is from its parent's, by the kind of the parent.
        self.steps: Habits[bool, int] = Habits()
        # how far the further lines of an item's text are from its marker.
        self.hangs: Habits[bool, int] = Habits()
        self.tabs: Habits[None, bool] = Habits()  # whether lines that could be are indented with tabs
        for page_block in blocks:
            if page_block.block is not None and page_block.kind == "list":
                self._add_list(page_block.block, page_block.section)

    def _add_list(self, top: Block, section: Section) -> None:
        pending: list[tuple[Block, int, ListItem | None]] = [(top, 0, None)]
        while pending:
            block, depth, parent = pending.pop()
            aligned = is_aligned(self.source, block)
            for child in block.blocks:
                item = read_item(self.source, child, block, depth)
                self._add_item(item, block, parent, section, aligned)
                pending += [(inner, depth + 1, item) for inner in child.blocks if inner.kind == "list"]

    def _add_item(
        self, item: ListItem, block: Block, parent: ListItem | None, section: Section, aligned: bool
    ) -> None:
        if not item.ordered:
            self.bullets.add(item.depth, section, block.marker)
        if item.block.blocks and 0 < item.spaces <= MAX_SPACES and not aligned:
            self.gaps.add(item.ordered, section, item.gap)
        if item.begins_line:
            self._add_indentation(item.block.first, section)
            if aligned:
                pass
            elif parent is None:
                self.top.add(None, section, item.marker)
            else:
                self.steps.add(parent.ordered, section, item.marker - parent.marker)
        for inner in item.block.blocks:
            if inner.kind == "paragraph":
                for number in range(max(inner.first, item.block.first + 1), inner.last):
                    line = self.source.lines[number]
                    self.hangs.add(item.ordered, section, column(line, len(indentation(line))) - item.marker)
                    self._add_indentation(number, section)

    def _add_indentation(self, number: int, section: Section) -> None:
        line = self.source.lines[number]
        before = indentation(line)
        if column(line, len(before)) >= TAB:
            self.tabs.add(None, section, "\t" in before)
