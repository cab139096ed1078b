"""Headings that are shown as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Text

# Spaces that CommonMark does not accept after `#`.
_ODD = "\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff"
_CANDIDATE = lazy(rf"[\r\n] {{0,3}}#{{1,6}}(?:[^\s#]|[{_ODD}])")
_MARKS = lazy(rf" {{0,3}}(#{{1,6}})([ \t{_ODD}]*)(\S.*)$")
_HASHTAG = lazy(r"(?:^|\s)#\w")


def malformed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that are shown as text."""
    if not _CANDIDATE.search("\n" + document.source.text):
        return
    blocks = document.tree.blocks
    style = _style(blocks)
    for block in blocks:
        if block.kind == "paragraph":
            yield from _in_paragraph(document, block, style)


class _Style(NamedTuple):
    """Whether a list has headings that begin with `#`, and whether it has a title."""

    hashed: bool
    has_title: bool


def _style(blocks: Sequence[Block]) -> _Style:
    headings = [block for block in blocks if block.kind == "heading"]
    hashed = any(block.marker == "#" for block in headings)
    return _Style(hashed, any(block.level == 1 for block in headings))


def _in_paragraph(document: Document, block: Block, style: _Style) -> RawDiagnostics:
    source = document.source
    for line in range(block.first, block.last):
        words, start = source.lines[line], source.starts[line]
        match = _MARKS.match(words)
        if match is None or not _is_text(block, start + match.start(1)):
            continue
        marker, gap, title = match.groups()
        is_single_line = block.last - block.first == 1
        span = Span(start + match.start(1), start + match.end(2))
        if gap:
            message, edit = "odd-space", Edit(start + match.start(2), span.end, " ", STRUCTURE)
        elif _is_heading(marker, title, style, is_single_line, line == 0):
            message, edit = "no-space", Edit(span.end, span.end, " ", STRUCTURE)
        else:
            continue
        yield RawDiagnostic(span, {"marker": marker}, (edit,), message=message)


def _is_text(block: Block, offset: int) -> bool:
    """Return whether an offset is in plain text of a block, not in a link or in emphasis."""
    return any(node.start <= offset < node.end for node in block.inlines if isinstance(node, Text))


def _is_heading(marker: str, title: str, style: _Style, is_single_line: bool, is_first: bool) -> bool:
    """Return whether `#` right before a word was meant to begin a heading; not in `#tag` and `#1`."""
    if title[0] in "!/#" or not (style.hashed or is_first) or _HASHTAG.search(title):
        return False
    if len(marker) > 1:
        return title[0].isalnum() or title[0] in "[`*_\"'(" or not title[0].isascii()
    has_words = " " in title.strip() or (is_first and not style.has_title)
    is_capitalized = title[0].isalpha() and title[0] == title[0].upper()
    return is_single_line and has_words and is_capitalized and not title.endswith((".", "!"))
