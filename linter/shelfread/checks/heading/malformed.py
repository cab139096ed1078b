"""Headings that are none, or that have nothing below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text

_STRUCTURE = Effect(Change.STRUCTURE)
# Blanks that CommonMark does not take for one.
_ODD = "\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff"
_CANDIDATE = lazy(rf"\n {{0,3}}(?:#{{1,6}}[^\s#]|#{{1,6}}[{_ODD}]|＃|\*\*[ \t]|\*\*[^*\n]*[ \t]\*\*)")
_UNDERLINE = lazy(r"\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_ABOVE = lazy(r" {0,3}[^\s|>#*+-]")
_MARKS = lazy(rf" {{0,3}}(#{{1,6}}|＃{{1,6}})([ \t{_ODD}]*)(\S.*)$")
_LONGEST = 200
_BOLD = lazy(r" {0,3}\*\*([ \t]*)([^*\n]*[^*\s])([ \t]*)\*\*[ \t]*[:：]?[ \t]*")
_HASHTAG = lazy(r"(?:^|\s)#\w")
_CONTENTS = lazy(r"\W*(?:table of )?contents?\W*|\W*toc\W*|\W*index\W*|\W*目录\W*", re.IGNORECASE)


# ---------------------------------------------------------------------------------------- malformed


def malformed(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """What was meant to be a heading and is shown as text, and text that an underline makes one."""
    if not _may_be_malformed(document.source.text):
        return
    blocks = document.tree.blocks
    style = _style(blocks)
    for at, block in enumerate(blocks):
        if block.kind == "paragraph":
            yield from _in_paragraph(document, block, style, blocks[at + 1 : at + 2])
        elif block.kind == "heading" and block.marker in ("=", "-"):
            yield from _underlined(document, block, style)


def _may_be_malformed(text: str) -> bool:
    """Whether a text has what looks like a heading and is none, or an underline right below words."""
    if _CANDIDATE.search("\n" + text):
        return True
    starts = (text.rfind("\n", 0, line.start()) + 1 for line in _UNDERLINE.finditer(text))
    return any(_ABOVE.match(text, start) for start in starts)


class _Style(NamedTuple):
    """How many headings a list marks with `#`, and how many it underlines; whether one is of level 1."""

    hashed: int
    underlined: int
    titled: bool


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
        marks, gap, rest = match.groups()
        alone = block.last - block.first == 1
        span = Span(start + match.start(1), start + match.end(2))
        if marks[0] == "＃":
            if alone:
                edit = Edit(*span, f"{'#' * len(marks)} ", _STRUCTURE)
                yield RawDiagnostic(span, {"fault": "a full-width '＃'"}, (edit,))
        elif gap:
            edit = Edit(start + match.start(2), span.end, " ", _STRUCTURE)
            yield RawDiagnostic(
                span, {"fault": f"a blank after '{marks}' that Markdown takes for a letter"}, (edit,)
            )
        elif _is_heading(marks, rest, style, alone, line == 0):
            edit = Edit(span.end, span.end, " ", _STRUCTURE)
            yield RawDiagnostic(span, {"fault": f"no blank after '{marks}'"}, (edit,))
    if block.last - block.first == 1 and after and after[0].kind in ("list", "table", "paragraph"):
        yield from _bold(document, block)


def _is_text(block: Block, at: int) -> bool:
    """Whether an offset stands in plain text, at the top of its block."""
    return any(node.start <= at < node.end for node in block.inlines if isinstance(node, Text))


def _is_heading(marks: str, rest: str, style: _Style, alone: bool, top: bool) -> bool:
    """Whether marks glued to what follows were to be a heading's: `#tag` and `#1` are words."""
    if rest[0] in "!/#" or not (style.hashed or top) or _HASHTAG.search(rest):
        return False
    if len(marks) > 1:
        return rest[0].isalnum() or rest[0] in "[`*_\"'(" or not rest[0].isascii()
    meant = " " in rest.strip() or (top and not style.titled)
    return (
        alone and meant and rest[0].isalpha() and rest[0] == rest[0].upper() and not rest.endswith((".", "!"))
    )


def _bold(document: Document, block: Block) -> Iterator[RawDiagnostic]:
    """`** Title **`, alone in its line: blanks within the marks make text of them."""
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
    blanks = [Span(start + match.start(group), start + match.end(group)) for group in (1, 3) if match[group]]
    edits = tuple(Edit(*blank, "", _STRUCTURE) for blank in blanks)
    yield RawDiagnostic(
        Span(start + match.start(1) - 2, start + match.end(3) + 2), {"fault": "blanks within '**'"}, edits
    )


def _underlined(document: Document, block: Block, style: _Style) -> Iterator[RawDiagnostic]:
    """A rule glued to the paragraph above, which makes a heading of it."""
    source = document.source
    swallowed = any(isinstance(node, Break) for node in block.inlines)
    text = source.text[block.start : source.starts[block.last - 1]].strip()
    prose = text.endswith((".", "。", "!", "！", ";")) and len(text.split()) > 5
    if style.underlined > max(1, style.hashed // 4) or style.hashed < 2 or not (swallowed or prose):
        return
    start = source.starts[block.last - 1]
    span = Span(
        start + len(source.lines[block.last - 1]) - len(source.lines[block.last - 1].lstrip()), block.end
    )
    edits: tuple[Edit, ...] = ()
    if block.marker == "-" and span.end - span.start > 2:
        edits = (Edit(start, start, "\n", _STRUCTURE),)
    values = {"fault": "an underline that makes a heading of the text above it"}
    yield RawDiagnostic(
        span, values, edits, Applicability.SAFE if swallowed and prose else Applicability.UNSAFE
    )


# -------------------------------------------------------------------------------------------- empty


_LEAST_LEAVES = 2
"""A page with a heading or two is a stub, or its headings are its entries."""


def empty(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Sections with nothing in them; not where headings serve as entries."""
    blocks = [block for block in document.tree.blocks if not _is_nothing(block)]
    headings = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    found: list[Block] = []
    leaves = 0
    for at in headings:
        block = blocks[at]
        below = blocks[at + 1] if at + 1 < len(blocks) else None
        if below is not None and below.kind == "heading" and below.level > block.level:
            continue
        leaves += 1
        if below is not None and (below.kind != "heading" or _holds_more(below.inlines)):
            continue  # a heading with a link is an entry in the wrong dress
        if not _is_title(blocks, headings, at) and _names_a_section(block):
            found.append(block)
    if len(found) > max(3, 0.25 * leaves) or leaves < _LEAST_LEAVES:
        return
    for block in found:
        span = Span(block.inlines[0].start, block.inlines[-1].end)
        yield RawDiagnostic(span, {"title": document.source.text[span.start : span.end]})


def _is_title(blocks: Sequence[Block], headings: Sequence[int], at: int) -> bool:
    """Whether a heading is the page's own, or a smaller one right below that goes with it."""
    if at == headings[0]:
        return True
    return headings[0] == at - 1 and blocks[at].level > blocks[at - 1].level + 1


def _names_a_section(block: Block) -> bool:
    """Whether a heading is words alone: one with a link or picture says something itself."""
    if not block.inlines or _holds_more(block.inlines):
        return False
    return not _CONTENTS.fullmatch("".join(node.value for node in block.inlines if isinstance(node, Text)))


def _holds_more(nodes: Sequence[Inline]) -> bool:
    return any(
        isinstance(node, Link) or (isinstance(node, Emphasis) and _holds_more(node.children))
        for node in nodes
    )


def _is_nothing(block: Block) -> bool:
    """A rule, an empty line in HTML, a mark that only is there to be led to."""
    if block.kind == "rule":
        return True
    if block.kind not in ("html", "paragraph"):
        return False
    return all(
        (isinstance(node, Html) and node.tag in ("a", "/a", "br", "p", "/p", "div", "/div", "hr"))
        or (isinstance(node, Text) and not node.value.strip())
        or isinstance(node, Break)
        for node in block.inlines
    )
