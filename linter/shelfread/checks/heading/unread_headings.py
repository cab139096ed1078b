"""Headings that are shown as text, and text that is shown as a heading."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Link, Text

# Spaces that CommonMark does not accept after `#`.
_ODD = "\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff"
_CANDIDATE = lazy(rf"\n {{0,3}}(?:#{{1,6}}[^\s#]|#{{1,6}}[{_ODD}]|＃|\*\*[ \t]|\*\*[^*\n]*[ \t]\*\*)")
_UNDERLINE = lazy(r"(?m)\n(?:=+|-+)[ \t]*$")
_ABOVE = lazy(r" {0,3}[^\s|>#*+-]")
_MARKS = lazy(rf" {{0,3}}(#{{1,6}}|＃{{1,6}})([ \t{_ODD}]*)(\S.*)$")
_NUMBER = lazy(r"(\d{1,3})[.):：、]?[ \t]+\S")
_NUMBERED = lazy(rf" {{0,3}}#{{1,6}}[ \t]+{_NUMBER.pattern}")
_LONGEST = 200
_BOLD = lazy(r" {0,3}\*\*([ \t]*)([^*\n]*[^*\s])([ \t]*)\*\*[ \t]*[:：]?[ \t]*")
_HASHTAG = lazy(r"(?:^|\s)#\w")


def malformed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that are shown as text, and text that an underline turns into a heading."""
    if not _may_be_malformed(document.source.text):
        return
    blocks = document.tree.blocks
    style = _style(blocks)
    numbers = _numbers(document.source.text, blocks)
    for index, block in enumerate(blocks):
        if block.kind == "paragraph":
            yield from _in_paragraph(document, block, style, numbers, blocks[index + 1 : index + 2])
        elif block.kind == "heading" and block.marker in ("=", "-"):
            yield from _underlined(document, context, block, style)


def _may_be_malformed(text: str) -> bool:
    """Return whether a text has what looks like a malformed heading, or an underline right below words."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
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


def _numbers(text: str, blocks: Sequence[Block]) -> frozenset[tuple[int, int]]:
    """Return the levels and the numbers of headings such as `# 1. Tools`."""
    headings = (block for block in blocks if block.kind == "heading" and block.marker == "#")
    found = ((block.level, _NUMBERED.match(text, block.start)) for block in headings)
    return frozenset((level, int(match[1])) for level, match in found if match)


def _in_paragraph(
    document: Document,
    block: Block,
    style: _Style,
    numbers: Collection[tuple[int, int]],
    after: Sequence[Block],
) -> RawDiagnostics:
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
            message, edit = "full-width", Edit(*span, f"{'#' * len(marker)} ", STRUCTURE)
        elif gap:
            message, edit = "odd-space", Edit(start + match.start(2), span.end, " ", STRUCTURE)
        elif _is_heading(marker, title, style, is_single_line, line == 0) or (
            is_single_line and _is_next(len(marker), title, numbers)
        ):
            message, edit = "no-space", Edit(span.end, span.end, " ", STRUCTURE)
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


def _is_next(level: int, title: str, numbers: Collection[tuple[int, int]]) -> bool:
    """Return whether a title's number is missing between those of headings; `#1 in its class` is none."""
    match = _NUMBER.match(title)
    if match is None or (level, int(match[1])) in numbers:
        return False
    return (level, int(match[1]) - 1) in numbers or (level, int(match[1]) + 1) in numbers


def _bold(document: Document, block: Block) -> RawDiagnostics:
    """Yield `** Title **` in a line of its own, whose spaces inside prevent bold text."""
    source = document.source
    start = source.starts[block.first]
    line = source.lines[block.first]
    match = _BOLD.fullmatch(line) if len(line) < _LONGEST else None
    if match is None or not (match[1] or match[3]) or len(match[2].split()) > 12:
        return
    has_emphasis = any(isinstance(node, Emphasis) for node in block.inlines)
    if has_emphasis or not _is_text(block, start + match.start(1) - 1):
        return
    gaps = (match.span(group) for group in (1, 3) if match[group])
    edits = tuple(Edit(start + first, start + last, "", STRUCTURE) for first, last in gaps)
    span = Span(start + match.start(1) - 2, start + match.end(3) + 2)
    yield RawDiagnostic(span, edits=edits, message="bold")


def _underlined(document: Document, context: RuleContext, block: Block, style: _Style) -> RawDiagnostics:
    """Yield a thematic break right below a paragraph, which turns the paragraph into a heading."""
    source = document.source
    has_lines = any(isinstance(node, Break) for node in block.inlines)
    start, line = source.starts[block.last - 1], source.lines[block.last - 1]
    text = source.text[block.start : start].strip()
    is_prose = text.endswith((".", "。", "!", "！", ";")) and len(text.split()) > 5
    labels = block.marker == "-" and style.hashed > 1 and _are_labels(block, document.source.text, context)
    is_rare = style.hashed > 1 and style.underlined <= max(1, style.hashed // 4)
    if not (labels or (is_rare and (has_lines or is_prose))):
        return
    span = Span(start + len(line) - len(line.lstrip()), block.end)
    is_rule = block.marker == "-" and span.end - span.start > 2
    edits = (Edit(start, start, "\n", STRUCTURE),) if is_rule else ()
    applicability = Applicability.SAFE if labels or (has_lines and is_prose) else Applicability.UNSAFE
    yield RawDiagnostic(span, {}, edits, applicability, message="underline")


def _are_labels(block: Block, text: str, context: RuleContext) -> bool:
    """Return whether the last line of a block has only links with labels such as `[paper](u) [code](v)`."""
    found = 0
    for node in reversed(block.inlines):
        if isinstance(node, Break):
            break
        if isinstance(node, Link) and not node.image:
            if context.vocabulary.role(text[slice(*node.text)].strip("[] ")) is None:
                return False
            found += 1
        elif not isinstance(node, Text) or any(map(str.isalnum, node.value)):
            return False
    return found > 0
