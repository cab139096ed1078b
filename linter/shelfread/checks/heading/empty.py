"""Sections with nothing in them."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.non_entries import is_changes_title, names_day
from shelfread.document.plain_text import plain_text
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Html, Inline, Link, Text

_CONTENTS = lazy(r"(?i)\W*(?:table of )?contents?\W*|\W*toc\W*|\W*index\W*|\W*目录\W*")
_SENTENCE = lazy(r"(?s)(?:\S+\s+){5,}\S*[.!?。！？]\W*")
_LEAST_LEAVES = 2
"""With fewer headings without subsections a page is a stub."""


def empty(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield sections with nothing in them, unless the list uses headings as entries."""
    blocks = [block for block in document.tree.blocks if not _is_invisible(block)]
    headings = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    found: list[Block] = []
    leaves = 0
    for index in headings:
        block = blocks[index]
        below = blocks[index + 1] if index + 1 < len(blocks) else None
        if below is not None and below.kind == "heading" and below.level > block.level:
            continue
        leaves += 1
        if below is not None and (below.kind != "heading" or _has_link(below.inlines)):
            continue  # a heading with a link is an entry
        if below is not None and _announces(block, below):
            continue
        if below is None and not document.entries:
            continue  # a part of a page, such as a header for which a generator writes the rest
        if not _is_title(blocks, headings, index) and _is_section(block) and not _is_announced(blocks, index):
            found.append(block)
    if len(found) > max(3, 0.25 * leaves) or leaves < _LEAST_LEAVES:
        return
    for block in found:
        span = Span(block.inlines[0].start, block.inlines[-1].end)
        yield RawDiagnostic(span, {"title": plain_text(block.inlines).strip()})


def _is_title(blocks: Sequence[Block], headings: Sequence[int], index: int) -> bool:
    """Return whether a heading is the page's title, or a subtitle right below it."""
    if index == headings[0]:
        return True
    return headings[0] == index - 1 and blocks[index].level > blocks[index - 1].level + 1


def _is_announced(blocks: Sequence[Block], index: int) -> bool:
    """Return whether a heading is text in large letters, which the paragraph above it leads to."""
    above = blocks[index - 1] if index else None
    if above is None or above.kind != "paragraph":
        return False
    return plain_text(above.inlines).rstrip().endswith((":", "："))


def _announces(block: Block, below: Block) -> bool:
    """Return whether a heading is called news, and that of a day on its own level follows."""
    titles = (plain_text(each.inlines).strip() for each in (block, below))
    return is_changes_title(next(titles)) and names_day(next(titles))


def _is_section(block: Block) -> bool:
    """Return whether a heading is only words, no sentence, and not that of a table of contents."""
    if (
        not block.inlines
        or _has_link(block.inlines)
        or _SENTENCE.fullmatch(plain_text(block.inlines).strip())
    ):
        return False
    return not _CONTENTS.fullmatch("".join(node.value for node in block.inlines if isinstance(node, Text)))


def _has_link(nodes: Sequence[Inline]) -> bool:
    emphasised = (node.children for node in nodes if isinstance(node, Emphasis))
    return any(isinstance(node, Link) for node in nodes) or any(map(_has_link, emphasised))


def _is_invisible(block: Block) -> bool:
    """Return whether a block is a thematic break, an empty line of HTML, or an anchor."""
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
