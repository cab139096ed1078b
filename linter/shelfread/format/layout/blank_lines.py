"""Blank lines between blocks, spaces at the ends of lines, and the end of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.edits import TextEdit
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link, Tree

_TRAILING = re.compile(r"[ \t]+$")
_ALMOST_ITEM = lazy(r"\s*(?:[-*+\u2022]|\d{1,9}[.)])[^\s\d*+-]|\s*[-*+]\s*[\u00a0\u3000]")
_NO_BLANK_LINE = frozenset({"html", "definition", "front"})
"""What needs no blank line beside it: a comment, an anchor, definitions below each other."""


class PageBlock(NamedTuple):
    """A block of the page, a link reference definition or the front matter: lines `first` to `last`.

    Lines count from 0; `last` is the one behind the block, as in `Block`.
    """

    kind: str
    first: int
    last: int
    block: Block | None = None


def find_page_blocks(source: Source, tree: Tree) -> list[PageBlock]:
    """Return what a page consists of, in order."""
    found = [PageBlock(block.kind, block.first, block.last, block) for block in tree.blocks]
    firsts = [block.first for block in found]
    if tree.protected and tree.protected[0].start == 0 and source.text[:3] in ("---", "+++"):
        last = source.line_at(max(0, tree.protected[0].end - 1)) + 1
        if not found or found[0].first >= last:
            found.append(PageBlock("front", 0, last))
    for definition in tree.definitions:
        first = source.line_at(definition.start)
        above = bisect_right(firsts, first) - 1
        if above < 0 or found[above].last <= first:
            last = source.line_at(max(definition.start, definition.end - 1)) + 1
            found.append(PageBlock("definition", first, last))
    return sorted(found, key=lambda block: block.first)


def blank_line_edits(source: Source, blocks: Sequence[PageBlock]) -> Iterator[TextEdit]:
    """Yield the edits for one blank line between blocks and none before the first."""
    for before, after in pairwise(blocks):
        blank_lines = after.first - before.last
        optional = before.kind in _NO_BLANK_LINE or after.kind in _NO_BLANK_LINE
        if blank_lines == 1 or (blank_lines == 0 and optional) or blank_lines < 0:
            continue
        if blank_lines == 0 and _ALMOST_ITEM.match(source.lines[before.last - 1]):
            continue  # a slip away from being an item of the list below
        start, end = source.starts[before.last], source.starts[after.first]
        if not source.text[start:end].strip():
            yield TextEdit(start, end, source.newline)
    if blocks and blocks[0].first > 0 and not source.text[: source.starts[blocks[0].first]].strip():
        yield TextEdit(0, source.starts[blocks[0].first], "")


def final_newline_edits(source: Source, blocks: Sequence[PageBlock]) -> Iterator[TextEdit]:
    """Yield the edit for one newline at the end of the text."""
    end = len(source.text.rstrip(" \t\r\n"))
    if blocks and blocks[-1].kind in ("html", "code"):
        line = source.line_at(end)  # spaces at the end of its last line belong to the page
        end = source.starts[line] + len(source.lines[line])
    if end and source.text[end:] != source.newline:
        yield TextEdit(end, len(source.text), source.newline)


def list_blank_line_edits(source: Source, block: Block) -> Iterator[TextEdit]:
    """Yield the edits for at most one blank line between the blocks of a list."""
    for outer in _with_descendants(block, ("list", "item")):
        for before, after in pairwise(outer.blocks):
            if after.first - before.last > 1:
                start, end = source.starts[before.last], source.starts[after.first]
                if not source.text[start:end].strip():
                    yield TextEdit(start, end, source.newline)


def trailing_space_edits(source: Source, page_block: PageBlock) -> Iterator[TextEdit]:
    """Yield the edits that remove spaces at the ends of lines, except hard line breaks."""
    if page_block.kind in ("front", "code", "html"):
        return
    kept = set(_rigid_lines(source, page_block.block)) if page_block.block is not None else set()
    for number in range(page_block.first, page_block.last):
        match = _TRAILING.search(source.lines[number])
        if match is not None and number not in kept:
            start = source.starts[number]
            yield TextEdit(start + match.start(), start + match.end(), "")


def _rigid_lines(source: Source, block: Block) -> Iterator[int]:
    """Yield the lines of code and HTML, and those that end with a hard line break."""
    for inner in _with_descendants(block):
        if inner.kind in ("code", "html"):
            yield from range(inner.first, inner.last)
        yield from (source.line_at(offset) for offset in _hard_breaks(inner.inlines))


def _with_descendants(block: Block, kinds: Sequence[str] = ()) -> Iterator[Block]:
    """Yield a block and the blocks below it, of some kinds or of all."""
    pending = [block]
    while pending:
        block = pending.pop()
        yield block
        pending += [inner for inner in block.blocks if not kinds or inner.kind in kinds]


def _hard_breaks(inlines: Sequence[Inline]) -> Iterator[int]:
    for node in inlines:
        if isinstance(node, Break) and node.hard:
            yield node.start
        elif isinstance(node, Emphasis | Link):
            yield from _hard_breaks(node.children)
