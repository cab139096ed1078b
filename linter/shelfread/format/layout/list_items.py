"""The columns of a list's items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.format.layout.columns import column, indentation, marker_at
from shelfread.markdown.node import Block


class ListItem(NamedTuple):
    """A list item and the columns of its marker, of the end of its marker and of its content."""

    block: Block
    ordered: bool
    depth: int
    marker: int
    marker_end: int
    content: int
    gap: str
    """The spaces and tabs behind the marker."""
    begins_line: bool
    """Only spaces are before the marker in its line."""

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
