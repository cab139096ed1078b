"""Lists in line: their bullets, the blanks behind them, and the step by which what is nested is indented."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.format.layout.columns import column, digits, leading, mark_of
from shelfread.format.layout.replacement import Piece
from shelfread.format.style import Style, clear_majority
from shelfread.markdown.node import Block

_MOST_BLANKS = 4
"""More blanks behind a bullet are the beginning of indented code."""


class _Item(NamedTuple):
    """Where an item stands: the columns of its marker, the end of that, and its content."""

    block: Block
    ordered: bool
    depth: int
    marker: int
    marker_end: int
    content: int
    alone: bool
    """Nothing but blanks stands before the marker in its line."""

    @property
    def blanks(self) -> int:
        return self.content - self.marker_end


@dataclass(slots=True)
class _Habits:
    """What the items of a text have, each counted."""

    base: Counter[int] = field(default_factory=Counter)
    """The column of top lists."""
    bullets: dict[int, Counter[str]] = field(default_factory=dict)
    """The bullets by depth."""
    blanks: dict[bool, Counter[int]] = field(default_factory=dict)
    """The blanks behind markers, of numbered ones and of others."""
    steps: dict[bool, Counter[int]] = field(default_factory=dict)
    """How far a nested marker is from its parent's, of numbered parents and of others."""
    hangs: dict[bool, Counter[int]] = field(default_factory=dict)
    """How far the further lines of an item's text are from its marker."""


class Layout:
    """The lists of one text brought in line with its own habits."""

    def __init__(self, source: Source, blocks: Sequence[Block], style: Style) -> None:
        self.source = source
        self.style = style
        self.habits = _Habits()
        self.neighbours = set(_neighbours(blocks))
        for block in blocks:
            if block.kind == "list":
                self._count(block, 0, None)
        self.base = clear_majority(self.habits.base)
        self.bullets = {depth: clear_majority(forms) for depth, forms in self.habits.bullets.items()}
        if style.bullet != "majority":
            wanted = None if style.bullet == "keep" else style.bullet
            self.bullets = dict.fromkeys(self.bullets, wanted)
        self.blanks = {ordered: clear_majority(forms) for ordered, forms in self.habits.blanks.items()}
        self.steps = {ordered: clear_majority(forms) for ordered, forms in self.habits.steps.items()}
        self.hangs = {ordered: clear_majority(forms) for ordered, forms in self.habits.hangs.items()}

    def pieces(self, block: Block) -> list[Piece]:
        """The rewriting of a top list; nothing where its lines cannot be moved without a change."""
        try:
            return list(self._list(block, 0, None, 0, 0))
        except _RigidError:
            return []

    # ------------------------------------------------------------------------------------ habits
    def _count(self, block: Block, depth: int, parent: _Item | None) -> None:
        pending: list[tuple[Block, int, _Item | None]] = [(block, depth, parent)]
        while pending:
            block, depth, parent = pending.pop()
            for one in block.blocks:
                item = self._item(one, block, depth)
                self._note(item, block, parent)
                pending += [(inner, depth + 1, item) for inner in one.blocks if inner.kind == "list"]

    def _note(self, item: _Item, block: Block, parent: _Item | None) -> None:
        habits = self.habits
        if not item.ordered:
            habits.bullets.setdefault(item.depth, Counter())[block.marker] += 1
        if item.block.blocks and 0 < item.blanks <= _MOST_BLANKS:
            habits.blanks.setdefault(item.ordered, Counter())[item.blanks] += 1
        hangs = habits.hangs.setdefault(item.ordered, Counter())
        for inner in item.block.blocks:
            if inner.kind == "paragraph":
                for number in range(max(inner.first, item.block.first + 1), inner.last):
                    hangs[self._indent(number) - item.marker] += 1
        if not item.alone:
            return
        if parent is None:
            habits.base[item.marker] += 1
        else:
            habits.steps.setdefault(parent.ordered, Counter())[item.marker - parent.marker] += 1

    def _indent(self, line: int) -> int:
        text = self.source.lines[line]
        return column(text, len(leading(text)))

    def _item(self, block: Block, parent: Block, depth: int) -> _Item:
        line, start = self.source.lines[block.first], self.source.starts[block.first]
        at = block.start - start
        ordered = parent.marker in (".", ")")
        end = at + (len(digits(line, at)) if ordered else 0) + 1
        marker, marker_end = column(line, at), column(line, end)
        first = block.blocks[0] if block.blocks else None
        content = marker_end + 1
        if (
            first is not None
            and first.first == block.first
            and not (first.kind == "code" and not first.marker)
        ):
            content = column(line, first.start - start)
        return _Item(block, ordered, depth, marker, marker_end, content, not line[:at].strip())

    # ------------------------------------------------------------------------------------- lines
    def _list(self, block: Block, depth: int, parent: _Item | None, at: int, content: int) -> Iterator[Piece]:
        """The lines of a list in a parent whose marker and content come to stand at these columns."""
        for number, one in enumerate(block.blocks):
            item = self._item(one, block, depth)
            marker = self._marker(item, parent, at, content) if item.alone else item.marker
            if not item.alone and parent is not None and parent.content != content:
                raise _RigidError
            mark = self._mark(item, block, number)
            first = one.blocks[0] if one.blocks and one.blocks[0].first == one.first else None
            blanks = item.blanks
            if first is not None and item.alone and 0 < blanks <= _MOST_BLANKS:
                blanks = self.blanks.get(item.ordered) or blanks
            yield from self._first_line(item, marker, mark, blanks, first)
            inner = marker + len(mark) + (blanks if first is not None else 1)
            yield from self._content(one, item, depth, marker, inner)

    def _first_line(
        self, item: _Item, marker: int, mark: str, blanks: int, first: Block | None
    ) -> Iterator[Piece]:
        """The line of an item's marker, up to its content."""
        line, start = self.source.lines[item.block.first], self.source.starts[item.block.first]
        at = item.block.start - start
        end = at + len(mark_of(line, at, item.ordered))
        if first is not None and first.kind == "code" and not first.marker:
            if marker != item.marker or mark != line[at:end]:
                raise _RigidError
            return
        begin = 0 if item.alone else at
        if first is not None:
            end += len(leading(line[end:]))
        written = (" " * marker if item.alone else "") + mark + (" " * blanks if first is not None else "")
        if line[begin:end] != written:
            yield Piece(start + begin, start + end, written)

    def _marker(self, item: _Item, parent: _Item | None, at: int, content: int) -> int:
        """The column for an item's marker."""
        if parent is None:
            return item.marker if self.base is None or self.base > 3 else self.base
        step = self.steps.get(parent.ordered)
        wanted = at + (item.marker - parent.marker if step is None else step)
        return wanted if content <= wanted <= content + 3 else content

    def _mark(self, item: _Item, block: Block, number: int) -> str:
        line = self.source.lines[item.block.first]
        at = item.block.start - self.source.starts[item.block.first]
        if item.ordered:
            numerals = digits(line, at)
            if self.style.number == "consecutive":
                return f"{block.level + number}{block.marker}"
            return numerals + block.marker
        if block.start in self.neighbours:
            return block.marker  # its bullet parts it from the list beside it
        return self.bullets.get(item.depth) or block.marker

    def _content(self, one: Block, item: _Item, depth: int, marker: int, content: int) -> Iterator[Piece]:
        """The lines of an item below its first."""
        delta = content - item.content
        covered = one.first + 1
        for block in one.blocks:
            yield from self._shift(range(covered, block.first), delta)  # definitions
            if block.kind == "list":
                yield from self._list(block, depth + 1, item, marker, content)
            elif block.kind in ("code", "html"):
                yield from self._verbatim(block, one.first, content, delta)
            else:
                for line in range(max(block.first, one.first + 1), block.last):
                    yield from self._lead(line, self._hung(line, item, marker, content, line == block.first))
            covered = max(covered, block.last)
        yield from self._shift(range(covered, one.last), delta)

    def _hung(self, line: int, item: _Item, marker: int, content: int, first: bool) -> int:
        """The column for a further line of an item's text: the usual one, else where it stood."""
        usual = self.hangs.get(item.ordered)
        if usual is not None and content <= marker + usual <= content + 3:
            return marker + usual
        indent = self._indent(line)
        if not first and indent < item.content and content == item.content:
            return indent  # it goes on lazily
        return min(max(content, indent + content - item.content), content + 3)

    def _verbatim(self, block: Block, marker_line: int, content: int, delta: int) -> Iterator[Piece]:
        """The lines of code or HTML, which keep their distances; fences come to stand at the content."""
        if block.marker and block.first > marker_line:
            at = block.start - self.source.starts[block.first]
            delta = content - column(self.source.lines[block.first], at)
        for line in range(max(block.first, marker_line + 1), block.last):
            if delta and "\t" in leading(self.source.lines[line]):
                raise _RigidError
        yield from self._shift(range(max(block.first, marker_line + 1), block.last), delta)

    def _shift(self, lines: range, delta: int) -> Iterator[Piece]:
        """Lines moved by so many columns."""
        for line in lines:
            text = self.source.lines[line]
            if delta:
                yield from self._lead(line, max(0, column(text, len(leading(text))) + delta))

    def _lead(self, line: int, columns: int) -> Iterator[Piece]:
        """A line with so many blanks before it, and no tab."""
        text, start = self.source.lines[line], self.source.starts[line]
        blanks = leading(text)
        if text.strip() and blanks != " " * columns:
            yield Piece(start, start + len(blanks), " " * columns)


class _RigidError(Exception):
    """Lines that cannot be moved without a change of what they say."""


def _neighbours(blocks: Sequence[Block]) -> Iterator[int]:
    """Where lists begin that stand beside another list."""
    pending = [blocks]
    while pending:
        row = pending.pop()
        for before, after in pairwise(row):
            if before.kind == after.kind == "list":
                yield from (before.start, after.start)
        pending += [block.blocks for block in row if block.kind in ("list", "item", "quote")]
