"""The rule `entry/marker-space`."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Inline, Link, Text

_INNER = frozenset({"list", "item", "quote"})
# A line that begins with a marker directly before a link, a word or bold text.
_ANY = lazy(r"\n[ \t>]*(?:[-*+]|\d{1,9}[.)])(?:!?\[|[^\W\d_]|\*\*[^\W_])")
_MARKER = lazy(r"(?:([-*+])|(\d{1,9})([.)]))(?=(!?\[|[^\W\d_]|\*\*[^\W_]))")
_TASK = lazy(r"\[[ xX]\][ \t]")
_BULLETS = ("-", "*", "+")
_ALONE = 3
"""As many lines with links are a list even without items above or below them."""


def marker_space(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report lines that would be list items if a space followed their marker."""
    text = document.source.text
    offsets = [match.end() for match in _ANY.finditer("\n" + text.replace("\r", "\n"))]
    if not offsets:
        return
    bullets = Counter(block.marker for block in document.tree.blocks if block.marker in _BULLETS)
    usual = bullets.most_common(1)[0][0] if bullets else ""
    levels: list[tuple[Block, ...]] = [document.tree.blocks]
    while levels:
        level = levels.pop()
        for index, (block, before) in enumerate(zip(level, [None, *level], strict=False)):
            near = bisect_left(offsets, block.start)
            if near == len(offsets) or offsets[near] > block.end + 1:
                continue
            if block.kind in _INNER:
                levels.append(block.blocks)
            if block.kind == "list":
                for item in block.blocks:
                    if item.blocks and item.blocks[0].kind == "paragraph":
                        for line in _lines(item.blocks[0])[1:]:
                            yield from _check_line(line, block.marker, True, text)
            elif block.kind == "paragraph":
                yield from _paragraph(block, before, level[index + 1 :], text, usual)


def _paragraph(
    block: Block, before: Block | None, following: Sequence[Block], text: str, usual: str
) -> RawDiagnostics:
    """Yield the lines of a paragraph directly above a list, or of one that has only such lines.

    `usual` is the bullet of most lists: with it, a line that begins with a link is an item even if it stands alone.
    """
    lines = _lines(block)
    after = following[0] if following else None
    if not any(_MARKER.match(text, line[0].start) for line in lines):
        return
    if after is not None and after.kind == "list" and after.first == block.last:
        for line in lines:
            yield from _check_line(line, after.marker, True, text)
        return
    beside = [other.marker for other in (before, after) if other is not None and other.kind == "list"]
    markers = {_marker_of(line, text) for line in lines}
    marker = markers.pop()
    if not markers and marker and (marker in beside or marker == usual or len(lines) >= _ALONE):
        found = [raw for line in lines for raw in _check_line(line, marker, False, text)]
        if len(found) == len(lines):
            yield from found


def _lines(block: Block) -> list[tuple[Inline, ...]]:
    """Return the first two nodes of each line of a paragraph."""
    nodes = block.inlines
    starts = [0, *(index + 1 for index, node in enumerate(nodes) if isinstance(node, Break))]
    return [nodes[start : start + 2] for start in starts if start < len(nodes)]


def _marker_of(line: tuple[Inline, ...], text: str) -> str:
    match = _MARKER.match(text, line[0].start) if isinstance(line[0], Text) else None
    return (match[1] or match[3]) if match else ""


def _check_line(line: tuple[Inline, ...], marker: str, among_items: bool, text: str) -> RawDiagnostics:
    """Yield a line that begins with a list's marker and a link, or `among_items` with other text."""
    first = line[0]
    if not isinstance(first, Text) or _marker_of(line, text) != marker:
        return
    match = _MARKER.match(text, first.start)
    if match is None:
        return
    end = match.end()
    if match[4].endswith("["):
        linked = len(line) > 1 and isinstance(line[1], Link) and line[1].start == end
        if not linked and not _TASK.match(text, end):
            return
    elif not among_items or (len(match[4]) == 1 and not match[4].isupper()) or marker == "+":
        return
    edits = [Edit(end, end, " ", STRUCTURE)]
    if match[2]:
        # The number was a word of the text and becomes a marker.
        edits.insert(0, Edit.reword(Span(*match.span(2)), match[2], "", match[2]))
    yield RawDiagnostic(Span(match.start(), end), {"marker": match[0]}, tuple(edits))
