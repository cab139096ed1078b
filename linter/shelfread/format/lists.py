"""Lists: their bullets, the spaces behind these, and the indentation of what is nested; columns count from 0, tabs as in CommonMark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import TextEdit
from shelfread.core.source import Source
from shelfread.format.blank_lines import PageBlock
from shelfread.format.habits import FEWEST, Habits, Section
from shelfread.format.result import Style
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


class ListLayout:
    """The layout that nine of ten lists of a text have; what has no such habit stays as written."""

    def __init__(
        self, source: Source, blocks: Sequence[Block], page_blocks: Sequence[PageBlock], style: Style
    ) -> None:
        self.source = source
        self.style = style
        self.adjacent = set(find_adjacent_lists(blocks))
        self.habits = ListHabits(source, page_blocks)

    def edits(self, block: Block, section: Section) -> list[TextEdit]:
        """Return the edits of a top-level list; none if some of its lines cannot be moved."""
        bullets = self._bullets(block, section)
        try:
            return list(_ListWriter(self, section, bullets).write(block, 0, None, 0, 0))
        except _RigidError:
            return []

    def _bullets(self, block: Block, section: Section) -> dict[int, str]:
        """Return the bullets that a list gets, by depth; one bullet for the whole list is not torn in two."""
        if self.style.bullet == "keep":
            return {}
        written: dict[int, set[str]] = {}
        pending = [(block, 0)]
        while pending:
            inner, depth = pending.pop()
            if inner.marker in ("-", "*", "+"):
                written.setdefault(depth, set()).add(inner.marker)
            pending += [
                (below, depth + 1) for item in inner.blocks for below in item.blocks if below.kind == "list"
            ]
        if self.style.bullet != "majority":
            return dict.fromkeys(written, self.style.bullet)
        # A table of contents is often short, and its bullets are its own.
        usual = {depth: self.habits.bullets.usual(depth, section, FEWEST) for depth in written}
        found = {depth: form for depth, form in usual.items() if form}
        before = set().union(*written.values())
        after = {
            form for depth, forms in written.items() for form in ({found[depth]} if depth in found else forms)
        }
        return {} if len(before) == 1 < len(after) else found


class _ListWriter:
    """Writes the edits of one top-level list."""

    def __init__(self, layout: ListLayout, section: Section, bullets: dict[int, str]) -> None:
        self.layout, self.source, self.habits = layout, layout.source, layout.habits
        self.section = section
        self.bullets = bullets
        self.tabs = self.habits.tabs.usual(None, section)

    def write(
        self, block: Block, depth: int, parent: ListItem | None, parent_marker: int, parent_content: int
    ) -> Iterator[TextEdit]:
        """Yield the edits of a list whose parent's marker and content get these columns."""
        aligned = is_aligned(self.source, block)
        items = [read_item(self.source, child, block, depth) for child in block.blocks]
        # Numbers may be indented so that their texts are aligned, and lists at the margin stay there.
        usual = not aligned and not (parent is None and all(item.marker == 0 for item in items))
        for index, (child, item) in enumerate(zip(block.blocks, items, strict=True)):
            column_ = item.marker
            if item.begins_line:
                column_ = self._marker_column(item, parent, parent_marker, parent_content, usual)
            elif parent is not None and parent.content != parent_content:
                raise _RigidError
            marker = self._marker_text(item, block, index)
            first = child.blocks[0] if child.blocks and child.blocks[0].first == child.first else None
            gap = item.gap if first is not None else ""
            if first is not None and item.begins_line and 0 < item.spaces <= MAX_SPACES and not aligned:
                gap = self.habits.gaps.usual(item.ordered, self.section) or gap
            before = self._indentation(child.first, column_) if item.begins_line else None
            yield from self._first_line(item, before, marker, gap, first)
            content = item.content
            if first is not None and is_indented_code(first):
                pass
            elif before is not None:
                written = before + marker + (gap or " ")
                content = column(written, len(written))
            else:
                content = column_ + len(marker) + item.spaces
            yield from self._content(item, column_, content)

    def _first_line(
        self, item: ListItem, before: str | None, marker: str, gap: str, first: Block | None
    ) -> Iterator[TextEdit]:
        """Yield the edit of an item's line up to its content; `before` is None for one that begins no line."""
        line, start = self.source.lines[item.block.first], self.source.starts[item.block.first]
        index = item.block.start - start
        end = index + len(marker_at(line, index, item.ordered))
        if first is not None and is_indented_code(first):
            if (before is not None and before != line[:index]) or marker != line[index:end]:
                raise _RigidError
            return
        begin = index if before is None else 0
        if first is not None:
            end += len(item.gap)
        new = (before or "") + marker + gap
        if line[begin:end] != new:
            yield TextEdit(start + begin, start + end, new)

    def _marker_column(
        self, item: ListItem, parent: ListItem | None, marker: int, content: int, usual: bool
    ) -> int:
        """Return the column for an item's marker: the usual one, or where it was beside its parent."""
        if parent is None:
            top = self.habits.top.usual(None, self.section) if usual else None
            return item.marker if top is None or top > 3 else top
        step = self.habits.steps.usual(parent.ordered, self.section) if usual else None
        if step is None:  # it stays below the text of its parent, or as far from its marker
            wanted = content if item.marker == parent.content else marker + item.marker - parent.marker
        else:
            wanted = marker + step
        return wanted if content <= wanted <= content + 3 else content

    def _marker_text(self, item: ListItem, block: Block, index: int) -> str:
        if item.ordered:
            if self.layout.style.number == "consecutive":
                return f"{block.level + index}{block.marker}"
            line = self.source.lines[item.block.first]
            written = marker_at(line, item.block.start - self.source.starts[item.block.first], True)
            return written[:-1] + block.marker
        line = self.source.lines[item.block.first].rstrip()
        is_emphasis = len(block.blocks) == 1 and line[-1:] == "*" and line.count("*") == 2
        if block.start in self.layout.adjacent or (is_emphasis and block.marker == "*"):
            return block.marker  # it keeps two lists apart, or was to be the partner of a `*`
        return self.bullets.get(item.depth) or block.marker

    def _content(self, item: ListItem, marker: int, content: int) -> Iterator[TextEdit]:
        """Yield the edits of an item's lines below its first."""
        outer, delta = item.block, content - item.content
        done = outer.first + 1
        for block in outer.blocks:
            yield from self._shift(range(done, block.first), delta)  # definitions
            lines = range(max(block.first, outer.first + 1), block.last)
            if block.kind == "list":
                yield from self.write(block, item.depth + 1, item, marker, content)
            elif block.kind in ("code", "html"):
                yield from self._verbatim(block, lines, item, marker, content)
            else:
                for line in lines:
                    columns = self._text_column(line, item, marker, content, line == block.first)
                    yield from self._indent_to(line, columns)
            done = max(done, block.last)
        yield from self._shift(range(done, outer.last), delta)

    def _text_column(self, line: int, item: ListItem, marker: int, content: int, first: bool) -> int:
        """Return the column for a further line of an item's text: the usual one, else where it was."""
        usual = self.habits.hangs.usual(item.ordered, self.section)
        if usual is not None and content <= marker + usual <= content + 3:
            return marker + usual
        indent = self._column(line)
        if not first and content == item.content:
            return indent  # a line that continues a paragraph may begin anywhere
        return min(max(content, indent + content - item.content), content + 3)

    def _verbatim(
        self, block: Block, lines: range, item: ListItem, marker: int, content: int
    ) -> Iterator[TextEdit]:
        """Yield the edits of code or HTML, moved as a whole; fences move as the first line of text does."""
        delta = content - item.content
        if block.marker and block.first in lines:
            delta = self._text_column(block.first, item, marker, content, True) - self._column(block.first)
        if delta and any("\t" in indentation(self.source.lines[line]) for line in lines):
            raise _RigidError
        yield from self._shift(lines, delta)

    def _shift(self, lines: range, delta: int) -> Iterator[TextEdit]:
        """Yield the edits that move lines by some columns."""
        for line in lines if delta else ():
            yield from self._indent_to(line, max(0, self._column(line) + delta))

    def _column(self, line: int) -> int:
        text = self.source.lines[line]
        return column(text, len(indentation(text)))

    def _indent_to(self, line: int, columns: int) -> Iterator[TextEdit]:
        text, start = self.source.lines[line], self.source.starts[line]
        old, new = indentation(text), self._indentation(line, columns)
        begins_blank = text[len(old) : len(old) + 1].isspace()  # with a space of another kind
        if text.strip() and old != new and not begins_blank:
            yield TextEdit(start, start + len(old), new)

    def _indentation(self, line: int, columns: int) -> str:
        """Return the spaces or tabs that indent a line; those that it has if they do and are the usual ones."""
        old = indentation(self.source.lines[line])
        tabs = "\t" in old if self.tabs is None else self.tabs
        if tabs == ("\t" in old) and column(old, len(old)) == columns:
            return old
        return "\t" * (columns // TAB) + " " * (columns % TAB) if tabs else " " * columns


class _RigidError(Exception):
    """Lines that cannot be moved without changing the page."""
