"""Lines that were meant to be list items: their mark lacks the blank after it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Inline, Link, Text

_INNER = frozenset({"list", "item", "quote"})
# Somewhere in the text a line begins with a mark that nothing parts from a link, a word or bold text.
_ANY = lazy(r"\n[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:!?\[|[^\W\d_]|\*\*[^\W_])")
_MARK = lazy(r"(?:([-*+])|(\d{1,9})([.)]))(?=(!?\[|[^\W\d_]|\*\*[^\W_]))")
_TASK = lazy(r"\[[ xX]\][ \t]")
_ALONE = 3
"""So many lines with links are a list even without items above or below them."""


def marker_space(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Lines among items, or alike, whose mark is part of their text."""
    text = document.source.text
    at = [match.end() for match in _ANY.finditer("\n" + text.replace("\r", "\n"))]
    if not at:
        return
    levels: list[tuple[Block, ...]] = [document.tree.blocks]
    while levels:
        level = levels.pop()
        for block, before, after in zip(level, [None, *level], [*level[1:], None], strict=False):
            near = bisect_left(at, block.start)
            if near == len(at) or at[near] > block.end + 1:
                continue
            if block.kind in _INNER:
                levels.append(block.blocks)
            if block.kind == "list":
                for item in block.blocks:
                    if item.blocks and item.blocks[0].kind == "paragraph":
                        for place in _lines(item.blocks[0], text)[1:]:
                            yield from _place(place, block.marker, True, text)
            elif block.kind == "paragraph":
                yield from _paragraph(block, before, after, text)


def _paragraph(block: Block, before: Block | None, after: Block | None, text: str) -> Iterator[RawDiagnostic]:
    """The lines of a paragraph that is glued to a list, or has nothing but such lines."""
    lines = _lines(block, text)
    if not any(_MARK.match(text, line[0].start) for line in lines):
        return
    if after is not None and after.kind == "list" and after.first == block.last:
        for line in lines:
            yield from _place(line, after.marker, True, text)
        return
    beside = [other.marker for other in (before, after) if other is not None and other.kind == "list"]
    marks = {_mark_of(line, text) for line in lines}
    mark = marks.pop()
    if not marks and mark and (mark in beside or len(lines) >= _ALONE):
        places = [place for line in lines for place in _place(line, mark, False, text)]
        if len(places) == len(lines):
            yield from places


def _lines(block: Block, text: str) -> list[tuple[Inline, ...]]:
    """The first two nodes of each line of a paragraph."""
    nodes = block.inlines
    starts = [0, *(place + 1 for place, node in enumerate(nodes) if isinstance(node, Break))]
    return [nodes[start : start + 2] for start in starts if start < len(nodes)]


def _mark_of(line: tuple[Inline, ...], text: str) -> str:
    match = _MARK.match(text, line[0].start) if isinstance(line[0], Text) else None
    return (match[1] or match[3]) if match else ""


def _place(line: tuple[Inline, ...], mark: str, among: bool, text: str) -> Iterator[RawDiagnostic]:
    """A line that begins with the mark of the list it belongs to; prose only `among` its items."""
    first = line[0]
    if not isinstance(first, Text) or _mark_of(line, text) != mark:
        return
    match = _MARK.match(text, first.start)
    if match is None:
        return
    end = match.end()
    if match[4].endswith("["):
        linked = len(line) > 1 and isinstance(line[1], Link) and line[1].start == end
        if not linked and not _TASK.match(text, end):
            return
    elif not among or (len(match[4]) == 1 and not match[4].isupper()) or mark == "+":
        return
    edits = [Edit(end, end, " ", Effect(Change.STRUCTURE))]
    if match[2]:
        # The number was a word of the text; now it counts.
        edits.insert(0, Edit(*match.span(2), match[2], Effect(Change.WORDS, match[2])))
    yield RawDiagnostic(Span(match.start(), end), {"mark": match[0]}, tuple(edits))
