"""Lists: their bullets, the spaces behind these, and the indentation of what is nested."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.edits import TextEdit
from shelfread.core.source import Source
from shelfread.format.layout.columns import column, indentation, marker_at
from shelfread.format.style import Style, clear_majority
from shelfread.markdown.node import Block

_MAX_SPACES = 4
"""More spaces behind a marker are the beginning of indented code."""


class _Item(NamedTuple):
    """A list item and the columns of its marker, of the end of its marker and of its content."""

    block: Block
    ordered: bool
    depth: int
    marker: int
    marker_end: int
    content: int
    begins_line: bool
    """Only spaces are before the marker in its line."""

    @property
    def spaces(self) -> int:
        """How many columns are between the marker and the content."""
        return self.content - self.marker_end


class ListLayout:
    """The layout that most lists of a text have; what has no clear majority stays as written."""

    def __init__(self, source: Source, blocks: Sequence[Block], style: Style) -> None:
        self.source = source
        self.style = style
        self.adjacent = set(_adjacent_lists(blocks))
        top: Counter[int] = Counter()
        bullets: defaultdict[int, Counter[str]] = defaultdict(Counter)
        spaces: defaultdict[bool, Counter[int]] = defaultdict(Counter)
        steps: defaultdict[bool, Counter[int]] = defaultdict(Counter)
        hangs: defaultdict[bool, Counter[int]] = defaultdict(Counter)
        for item, block, parent in self._items(blocks):
            if not item.ordered:
                bullets[item.depth][block.marker] += 1
            if item.block.blocks and 0 < item.spaces <= _MAX_SPACES:
                spaces[item.ordered][item.spaces] += 1
            for inner in item.block.blocks:
                if inner.kind == "paragraph":
                    for number in range(max(inner.first, item.block.first + 1), inner.last):
                        hangs[item.ordered][self._indent(number) - item.marker] += 1
            if item.begins_line and parent is None:
                top[item.marker] += 1
            elif item.begins_line and parent is not None:
                steps[parent.ordered][item.marker - parent.marker] += 1
        self.top = clear_majority(top)
        """The column of top-level lists."""
        self.bullets = {depth: clear_majority(counts) for depth, counts in bullets.items()}
        """The bullet of each depth."""
        if style.bullet != "majority":
            self.bullets = dict.fromkeys(bullets, None if style.bullet == "keep" else style.bullet)
        self.spaces = {ordered: clear_majority(counts) for ordered, counts in spaces.items()}
        """The spaces behind markers, of ordered lists and of others."""
        self.steps = {ordered: clear_majority(counts) for ordered, counts in steps.items()}
        """How far a nested marker is from its parent's, for ordered parents and others."""
        self.hangs = {ordered: clear_majority(counts) for ordered, counts in hangs.items()}
        """How far the further lines of an item's text are from its marker."""

    def edits(self, block: Block) -> list[TextEdit]:
        """Return the edits of a top-level list; none if some of its lines cannot be moved."""
        try:
            return list(self._list(block, 0, None, 0, 0))
        except _RigidError:
            return []

    # ---------------------------------------------------------------------------- what the text has
    def _items(self, blocks: Sequence[Block]) -> Iterator[tuple[_Item, Block, _Item | None]]:
        """Yield the items of all lists, each with its list and its parent."""
        pending: list[tuple[Block, int, _Item | None]] = [
            (block, 0, None) for block in reversed(blocks) if block.kind == "list"
        ]
        while pending:
            block, depth, parent = pending.pop()
            for child in block.blocks:
                item = self._item(child, block, depth)
                yield item, block, parent
                pending += [(inner, depth + 1, item) for inner in child.blocks if inner.kind == "list"]

    def _indent(self, line: int) -> int:
        text = self.source.lines[line]
        return column(text, len(indentation(text)))

    def _item(self, block: Block, parent: Block, depth: int) -> _Item:
        line, start = self.source.lines[block.first], self.source.starts[block.first]
        index = block.start - start
        ordered = parent.marker in (".", ")")
        marker_end = column(line, index + len(marker_at(line, index, ordered)))
        first = block.blocks[0] if block.blocks else None
        content = marker_end + 1
        if first is not None and first.first == block.first and not _is_indented_code(first):
            content = column(line, first.start - start)
        begins_line = not line[:index].strip()
        return _Item(block, ordered, depth, column(line, index), marker_end, content, begins_line)

    # ------------------------------------------------------------------------- what it is to have
    def _list(
        self, block: Block, depth: int, parent: _Item | None, parent_marker: int, parent_content: int
    ) -> Iterator[TextEdit]:
        """Yield the edits of a list whose parent's marker and content get these columns."""
        for index, child in enumerate(block.blocks):
            item = self._item(child, block, depth)
            marker = item.marker
            if item.begins_line:
                marker = self._marker_column(item, parent, parent_marker, parent_content)
            elif parent is not None and parent.content != parent_content:
                raise _RigidError
            text = self._marker_text(item, block, index)
            first = child.blocks[0] if child.blocks and child.blocks[0].first == child.first else None
            spaces = item.spaces
            if first is not None and item.begins_line and 0 < spaces <= _MAX_SPACES:
                spaces = self.spaces.get(item.ordered) or spaces
            yield from self._first_line(item, marker, text, spaces, first)
            content = marker + len(text) + (spaces if first is not None else 1)
            yield from self._content(item, marker, content)

    def _first_line(
        self, item: _Item, indent: int, marker: str, spaces: int, first: Block | None
    ) -> Iterator[TextEdit]:
        """Yield the edit of an item's line up to its content: `marker` at a column, and some spaces."""
        line, start = self.source.lines[item.block.first], self.source.starts[item.block.first]
        index = item.block.start - start
        end = index + len(marker_at(line, index, item.ordered))
        if first is not None and _is_indented_code(first):
            if indent != item.marker or marker != line[index:end]:
                raise _RigidError
            return
        begin = 0 if item.begins_line else index
        if first is not None:
            end += len(indentation(line[end:]))
        before = " " * indent if item.begins_line else ""
        new = before + marker + (" " * spaces if first is not None else "")
        if line[begin:end] != new:
            yield TextEdit(start + begin, start + end, new)

    def _marker_column(self, item: _Item, parent: _Item | None, marker: int, content: int) -> int:
        """Return the column for an item's marker."""
        if parent is None:
            return item.marker if self.top is None or self.top > 3 else self.top
        step = self.steps.get(parent.ordered)
        wanted = marker + (item.marker - parent.marker if step is None else step)
        return wanted if content <= wanted <= content + 3 else content

    def _marker_text(self, item: _Item, block: Block, index: int) -> str:
        if item.ordered:
            if self.style.number == "consecutive":
                return f"{block.level + index}{block.marker}"
            line = self.source.lines[item.block.first]
            written = marker_at(line, item.block.start - self.source.starts[item.block.first], True)
            return written[:-1] + block.marker
        if block.start in self.adjacent:
            return block.marker  # a different bullet is what keeps it apart from the list beside it
        return self.bullets.get(item.depth) or block.marker

    def _content(self, item: _Item, marker: int, content: int) -> Iterator[TextEdit]:
        """Yield the edits of an item's lines below its first."""
        outer, delta = item.block, content - item.content
        done = outer.first + 1
        for block in outer.blocks:
            yield from self._shift(range(done, block.first), delta)  # definitions
            lines = range(max(block.first, outer.first + 1), block.last)
            if block.kind == "list":
                yield from self._list(block, item.depth + 1, item, marker, content)
            elif block.kind in ("code", "html"):
                yield from self._verbatim(block, lines, content, delta)
            else:
                for line in lines:
                    columns = self._text_column(line, item, marker, content, line == block.first)
                    yield from self._indent_to(line, columns)
            done = max(done, block.last)
        yield from self._shift(range(done, outer.last), delta)

    def _text_column(self, line: int, item: _Item, marker: int, content: int, first: bool) -> int:
        """Return the column for a further line of an item's text: the usual one, else where it was."""
        usual = self.hangs.get(item.ordered)
        if usual is not None and content <= marker + usual <= content + 3:
            return marker + usual
        indent = self._indent(line)
        if not first and indent < item.content and content == item.content:
            return indent  # a lazy continuation line
        return min(max(content, indent + content - item.content), content + 3)

    def _verbatim(self, block: Block, lines: range, content: int, delta: int) -> Iterator[TextEdit]:
        """Yield the edits of code or HTML, moved as a whole; fences move to the content's column."""
        if block.marker and block.first in lines:
            index = block.start - self.source.starts[block.first]
            delta = content - column(self.source.lines[block.first], index)
        if delta and any("\t" in indentation(self.source.lines[line]) for line in lines):
            raise _RigidError
        yield from self._shift(lines, delta)

    def _shift(self, lines: range, delta: int) -> Iterator[TextEdit]:
        """Yield the edits that move lines by some columns."""
        for line in lines if delta else ():
            yield from self._indent_to(line, max(0, self._indent(line) + delta))

    def _indent_to(self, line: int, columns: int) -> Iterator[TextEdit]:
        """Yield the edit that indents a line with spaces alone."""
        text, start = self.source.lines[line], self.source.starts[line]
        old = indentation(text)
        if text.strip() and old != " " * columns:
            yield TextEdit(start, start + len(old), " " * columns)


class _RigidError(Exception):
    """Lines that cannot be moved without changing the page."""


def _is_indented_code(block: Block) -> bool:
    return block.kind == "code" and not block.marker


def _adjacent_lists(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield where lists begin that are next to another list."""
    pending = [blocks]
    while pending:
        siblings = pending.pop()
        for before, after in pairwise(siblings):
            if before.kind == after.kind == "list":
                yield from (before.start, after.start)
        pending += [block.blocks for block in siblings if block.kind in ("list", "item", "quote")]
