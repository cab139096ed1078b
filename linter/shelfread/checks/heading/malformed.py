"""Headings that are shown as text, and text that is shown as a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Text

_STRUCTURE = Effect(Change.STRUCTURE)
# Spaces that CommonMark does not accept after `#`.
_ODD = "\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff"
_CANDIDATE = lazy(rf"\n {{0,3}}(?:#{{1,6}}[^\s#]|#{{1,6}}[{_ODD}]|＃|\*\*[ \t]|\*\*[^*\n]*[ \t]\*\*)")
_UNDERLINE = lazy(r"\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_ABOVE = lazy(r" {0,3}[^\s|>#*+-]")
_MARKS = lazy(rf" {{0,3}}(#{{1,6}}|＃{{1,6}})([ \t{_ODD}]*)(\S.*)$")
_LONGEST = 200
_BOLD = lazy(r" {0,3}\*\*([ \t]*)([^*\n]*[^*\s])([ \t]*)\*\*[ \t]*[:：]?[ \t]*")
_HASHTAG = lazy(r"(?:^|\s)#\w")


def malformed(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield headings that are shown as text, and text that an underline turns into a heading."""
    if not _may_be_malformed(document.source.text):
        return
    blocks = document.tree.blocks
    style = _style(blocks)
    for index, block in enumerate(blocks):
        if block.kind == "paragraph":
            yield from _in_paragraph(document, block, style, blocks[index + 1 : index + 2])
        elif block.kind == "heading" and block.marker in ("=", "-"):
            yield from _underlined(document, block, style)


def _may_be_malformed(text: str) -> bool:
    """Return whether a text has what looks like a malformed heading, or an underline right below words."""
    if _CANDIDATE.search("\n" + text):
        return True
    starts = (text.rfind("\n", 0, line.start()) + 1 for line in _UNDERLINE.finditer(text))
    return any(_ABOVE.match(text, start) for start in starts)


class _Style(NamedTuple):
    """How many headings of a list begin with `#` and how many are underlined, and whether it has a title."""

    hashed: int
    underlined: int
    has_title: bool


def _style(blocks: Sequence[Block]) -> _Style:
    headings = [block for block in blocks if block.kind == "heading"]
    hashed = sum(1 for block in headings if block.marker == "#")
    return _Style(hashed, len(headings) - hashed, any(block.level == 1 for block in headings))


def _in_paragraph(
    document: Document, block: Block, style: _Style, after: Sequence[Block]
) -> Iterator[RawDiagnostic]:
    source = document.source
    for line in range(block.first, block.last):
        words, start = source.lines[line], source.starts[line]
        match = _MARKS.match(words)
        if match is None or not _is_text(block, start + match.start(1)):
            continue
        marker, gap, title = match.groups()
        is_single_line = block.last - block.first == 1
        span = Span(start + match.start(1), start + match.end(2))
        if marker[0] == "＃":
            if not is_single_line:
                continue
            message, edit = "full-width", Edit(*span, f"{'#' * len(marker)} ", _STRUCTURE)
        elif gap:
            message, edit = "odd-space", Edit(start + match.start(2), span.end, " ", _STRUCTURE)
        elif _is_heading(marker, title, style, is_single_line, line == 0):
            message, edit = "no-space", Edit(span.end, span.end, " ", _STRUCTURE)
        else:
            continue
        yield RawDiagnostic(span, {"marker": marker}, (edit,), message=message)
    if block.last - block.first == 1 and after and after[0].kind in ("list", "table", "paragraph"):
        yield from _bold(document, block)


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


def _bold(document: Document, block: Block) -> Iterator[RawDiagnostic]:
    """Yield `** Title **` in a line of its own, whose spaces inside prevent bold text."""
    source = document.source
    start = source.starts[block.first]
    line = source.lines[block.first]
    match = _BOLD.fullmatch(line) if len(line) < _LONGEST else None
    if match is None or not (match[1] or match[3]) or len(match[2].split()) > 12:
        return
    if any(isinstance(node, Emphasis) for node in block.inlines) or not _is_text(
        block, start + match.start(1) - 1
    ):
        return
    edits = tuple(
        Edit(start + match.start(group), start + match.end(group), "", _STRUCTURE)
        for group in (1, 3)
        if match[group]
    )
    span = Span(start + match.start(1) - 2, start + match.end(3) + 2)
    yield RawDiagnostic(span, edits=edits, message="bold")


def _underlined(document: Document, block: Block, style: _Style) -> Iterator[RawDiagnostic]:
    """Yield a thematic break right below a paragraph, which turns the paragraph into a heading."""
    source = document.source
    has_lines = any(isinstance(node, Break) for node in block.inlines)
    start, line = source.starts[block.last - 1], source.lines[block.last - 1]
    text = source.text[block.start : start].strip()
    is_prose = text.endswith((".", "。", "!", "！", ";")) and len(text.split()) > 5
    if style.underlined > max(1, style.hashed // 4) or style.hashed < 2 or not (has_lines or is_prose):
        return
    span = Span(start + len(line) - len(line.lstrip()), block.end)
    edits: tuple[Edit, ...] = ()
    if block.marker == "-" and span.end - span.start > 2:
        edits = (Edit(start, start, "\n", _STRUCTURE),)
    applicability = Applicability.SAFE if has_lines and is_prose else Applicability.UNSAFE
    yield RawDiagnostic(span, {}, edits, applicability, message="underline")
