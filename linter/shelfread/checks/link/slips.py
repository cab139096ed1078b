"""Links whose brackets are missing or the wrong way round."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from shelfread.checks.link.references import DATED, LONGEST_TEXT, shortened
from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text, opening
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Link

# `)[` and a URL: one with a scheme, an anchor, a path, or the name of a page.
_REVERSED = lazy(
    r"(?i)\)\[(<?(?:https?://|www\.|mailto:|\.{1,2}/|#[^\W\d]|[\w./-]+\.(?:md|html?|pdf)(?=[#\]]))[^\s\[\]<>]*>?)\]"
)
_WORDS = lazy(r"[^\[\]()<>`|]{1,120}")
_LEAST_SIBLINGS = 3


def reversed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `(text)[url]` where `[text](url)` was meant."""
    text = document.source.text
    for match in _REVERSED.finditer(text):
        close = match.start()
        start = opening(text, close, "()", LONGEST_TEXT)
        words = text[start + 1 : close]
        if start < 0 or not words.strip() or "[" in words or "]" in words or text[start - 1 : start] == "\\":
            continue
        if not (is_text(document, close) and is_text(document, start)):
            continue
        url = match[1].strip("<>")
        edits: tuple[Edit, ...] = ()
        if url.count("(") == url.count(")") or match[1][0] == "<":
            places = ((start, start + 1, "["), (close, close + 2, "]("), (match.end() - 1, match.end(), ")"))
            edits = tuple(Edit(*place, STRUCTURE) for place in places)
        follows_word = text[start - 1 : start].isalnum() and start > 0
        applicability = Applicability.UNSAFE if follows_word or DATED.search(words) else Applicability.SAFE
        values = {"text": shortened(words), "url": shortened(url)}
        yield RawDiagnostic(Span(start, match.end()), values, edits, applicability)


def unopened(document: Document, context: RuleContext, close: int) -> RawDiagnostic | None:
    """Return the diagnostic of a link whose `]` at `close` was never opened.

    The bracket belongs at the beginning of an item if the items around it, or if there are few the items of the file,
    begin with their links. None if there is
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
            own, of_file = _count_linked(siblings), _count_items(document)
            linked, others = own if len(siblings.blocks) > _LEAST_SIBLINGS else of_file
            if others > _LEAST_SIBLINGS and linked * 10 >= (others - 1) * 9:  # one of the others is this one
                applicability = Applicability.SAFE
    return RawDiagnostic(Span(close, close + 1), {}, edits, applicability, message="unopened")


@lru_cache(maxsize=1)
def _count_items(document: Document) -> tuple[int, int]:
    """Return how many items of all lists begin with a link, and how many there are."""
    linked = total = 0
    waiting = list(document.tree.blocks)
    while waiting:
        block = waiting.pop()
        waiting += block.blocks
        if block.kind == "list":
            counts = _count_linked(block)
            linked, total = linked + counts[0], total + counts[1]
    return linked, total


def _count_linked(items: Block) -> tuple[int, int]:
    """Return how many items of a list begin with a link, and how many there are."""
    texts = [item.blocks[0].inlines for item in items.blocks if item.blocks]
    linked = sum(1 for inlines in texts if inlines and isinstance(inlines[0], Link) and not inlines[0].image)
    return linked, len(items.blocks)


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
