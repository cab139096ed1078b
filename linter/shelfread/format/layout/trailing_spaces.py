"""Spaces at the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shelfread.core.edits import TextEdit
from shelfread.core.source import Source
from shelfread.format.habits import Habits
from shelfread.format.layout.blank_lines import PageBlock, with_descendants
from shelfread.format.style import Guide
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link

# GitHub shows an empty task without the space behind its box as text.
_TASK = re.compile(r"(?:[-*+]|\d[.)])[ \t]+\[[ xX]\]$")
_OPAQUE = ("front", "code", "html")


class TrailingSpaces:
    """Which lines of a text end with spaces, by the kinds of their blocks, and whether they are blank."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock], guide: Guide) -> None:
        self.source = source
        self.guide = guide
        self.habits: Habits[tuple[str, bool], bool] = Habits()
        for block in blocks:
            for number in self._lines(block):
                line = source.lines[number]
                self.habits.add((block.kind, not line.strip()), block.section, line[-1:] in (" ", "\t"))

    def edits(self, block: PageBlock) -> Iterator[TextEdit]:
        """Yield the edits that remove spaces at the ends of lines, except hard line breaks.

        They stay where they are the habit, or where most lines have them and no guide forbids them.
        """
        for number in self._lines(block):
            line, start = self.source.lines[number], self.source.starts[number]
            text = line.rstrip(" \t")
            if len(text) < len(line) and not _TASK.search(text) and self._is_unusual(block, not text):
                yield TextEdit(start + len(text), start + len(line), "")

    def _is_unusual(self, block: PageBlock, blank: bool) -> bool:
        if self.guide.trailing_spaces is False:
            return True
        return self.habits.usual_or(False, (block.kind, blank), block.section) is False

    def _lines(self, block: PageBlock) -> Iterator[int]:
        if block.kind not in _OPAQUE:
            rigid = set(_rigid_lines(self.source, block.block)) if block.block is not None else ()
            yield from (number for number in range(block.first, block.last) if number not in rigid)


def _rigid_lines(source: Source, block: Block) -> Iterator[int]:
    """Yield the lines of code and HTML, and those that end with a hard line break."""
    for inner in with_descendants(block):
        if inner.kind in ("code", "html"):
            yield from range(inner.first, inner.last)
        yield from (source.line_at(offset) for offset in _hard_breaks(inner.inlines))


def _hard_breaks(inlines: Sequence[Inline]) -> Iterator[int]:
    for node in inlines:
        if isinstance(node, Break) and node.hard:
            yield node.start
        elif isinstance(node, Emphasis | Link):
            yield from _hard_breaks(node.children)
