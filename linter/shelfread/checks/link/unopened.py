"""Links without their opening bracket: `Name](url)`."""

from __future__ import annotations

from bisect import bisect_right

from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.markdown.node import Block, Link

_WORDS = lazy(r"[^\[\]()<>`|]{1,120}")
_LEAST_SIBLINGS = 3


def unopened(document: Document, close: int) -> RawDiagnostic | None:
    """Return the diagnostic of a link whose `]` at `close` was never opened.

    The bracket belongs at the beginning of an item if the items around it begin with their links. None if there is
    an escaped bracket before, so that the link may be meant as text.
    """
    text = document.source.text
    line = document.source.starts[document.source.line_at(close)]
    if text.rfind("\\[", line, close) >= 0:
        return None
    edits: tuple[Edit, ...] = ()
    applicability = Applicability.UNSAFE
    found = _item_at(document, close)
    if found is not None:
        siblings, item = found
        start = item.blocks[0].start if item.blocks else close
        if text.startswith("**", start) and text.count("**", start, close) == 1:
            start += 2
        if start < close and _WORDS.fullmatch(text, start, close):
            edits = (Edit(start, start, "[", STRUCTURE),)
            others = [other for other in siblings.blocks if other is not item]
            linked = sum(map(_begins_with_link, others))
            if len(others) >= _LEAST_SIBLINGS and linked * 10 >= len(others) * 9:
                applicability = Applicability.SAFE
    return RawDiagnostic(Span(close, close + 1), {}, edits, applicability, message="unopened")


def _begins_with_link(item: Block) -> bool:
    inlines = item.blocks[0].inlines if item.blocks else ()
    return bool(inlines) and isinstance(inlines[0], Link) and not inlines[0].image


def _item_at(document: Document, offset: int) -> tuple[Block, Block] | None:
    """Return the innermost list and its item at an offset."""
    found: tuple[Block, Block] | None = None
    parent: Block | None = None
    blocks = document.tree.blocks
    while blocks:
        index = bisect_right(blocks, offset, key=lambda block: block.start) - 1
        if index < 0 or offset >= blocks[index].end:
            break
        block = blocks[index]
        if block.kind == "item" and parent is not None:
            found = parent, block
        parent, blocks = block, block.blocks
    return found
