"""The plain text of a list, found from an offset: what is no code, tag, picture or address."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.markdown.node import Block, Emphasis, Inline, Link, Text


class Passage(NamedTuple):
    """A heading, paragraph or cell, and what it may be read together with.

    `around` are the items and quotes that it stands in, and where a paragraph has a list right below it, both.
    """

    block: Block
    around: tuple[Span, ...]


class Standing(NamedTuple):
    """Where a piece of text stands: its node, its block, the link that it is the text of, emphasis."""

    text: Text
    block: Block
    link: Link | None
    emphasised: bool


def find_passages(document: Document, at: int) -> tuple[Passage, ...]:
    """The block with text of its own, but HTML, that stands at an offset; of a table's row every cell."""
    blocks = document.tree.blocks
    index = _at(blocks, at)
    if index is None:
        return ()
    block = blocks[index]
    around: tuple[Span, ...] = ()
    first: int | None = None
    if block.kind == "paragraph" and index + 1 < len(blocks) and blocks[index + 1].kind == "list":
        around = (Span(block.start, blocks[index + 1].end),)
    elif block.kind == "list" and index and blocks[index - 1].kind == "paragraph":
        first = blocks[index - 1].start
    while block.blocks and block.kind != "row":
        index = _at(block.blocks, at)
        if index is None:
            return ()
        block = block.blocks[index]
        if block.kind in ("item", "quote"):
            around += (Span(block.start, block.end),)
    if block.kind == "row":
        return tuple(Passage(cell, ()) for cell in block.blocks if cell.inlines)
    if not block.inlines or block.kind == "html":
        return ()
    return (Passage(block, around if first is None else (*around, Span(first, block.end))),)


def find_text(document: Document, at: int) -> Standing | None:
    """What stands at an offset, if it is text and not an escape, an entity or an address."""
    block = next((one for one, _ in find_passages(document, at) if one.start <= at < one.end), None)
    if block is None:
        return None
    nodes: Sequence[Inline] = block.inlines
    link, emphasised = None, False
    while (index := _at(nodes, at)) is not None:
        node = nodes[index]
        if isinstance(node, Text):
            plain = node.end - node.start == len(node.value)
            return Standing(node, block, link, emphasised) if plain else None
        if isinstance(node, Link):
            if node.image or _is_plain(node):
                return None
            link = node
        elif isinstance(node, Emphasis):
            emphasised = emphasised or len(node.delimiter) == 1
        else:
            return None
        nodes = node.children
    return None


def leaf(document: Document, at: int) -> Block | None:
    """The innermost block that an offset is in."""
    found: Block | None = None
    blocks = document.tree.blocks
    while (index := _at(blocks, at)) is not None:
        found, blocks = blocks[index], blocks[index].blocks
    return found


def is_text(document: Document, at: int, *, of_link: bool = False) -> bool:
    """Whether an offset is that of a character which the page shows as it stands; `of_link` in a link, too."""
    standing = None if within(document.tree.protected, at) else find_text(document, at)
    return standing is not None and (of_link or standing.link is None)


def opening(text: str, close: int, marks: str, longest: int) -> int:
    """Where the bracket was opened that ends at `close`, in its line; -1 where that is too far away or nowhere."""
    depth, at, floor = 0, close, max(-1, close - longest)
    floor = max(floor, text.rfind("\n", floor + 1, close), text.rfind("\r", floor + 1, close))
    while at > floor:
        if text[at] in marks and text[at - 1 : at] != "\\":
            depth += 1 if text[at] == marks[1] else -1
            if depth == 0:
                return at
        at -= 1
    return -1


def texts(nodes: Sequence[Inline]) -> Iterator[Text]:
    """The pieces of text that inline nodes show, those of links too; no address shown as such."""
    for node in nodes:
        if isinstance(node, Text):
            yield node
        elif isinstance(node, Emphasis) or (isinstance(node, Link) and not (node.image or _is_plain(node))):
            yield from texts(node.children)


def entry_spans(document: Document) -> tuple[Span, ...]:
    """Where entries stand, with what is nested in them: sorted, not overlapping."""
    found: list[Span] = []
    for span in sorted(entry.span for entry in document.entries):
        if not found or span.start >= found[-1].end:
            found.append(span)
        elif span.end > found[-1].end:
            found[-1] = Span(found[-1].start, span.end)
    return tuple(found)


def within(spans: Sequence[Span], at: int) -> bool:
    """Whether an offset lies in one of some spans that are sorted and do not overlap."""
    index = bisect_right(spans, at, key=lambda span: span.end)
    return index < len(spans) and spans[index].start <= at


def _at(nodes: Sequence[Block] | Sequence[Inline], at: int) -> int | None:
    """Which of some nodes, in order, an offset lies in."""
    index = bisect_right(nodes, at, key=lambda node: node.start) - 1
    return index if index >= 0 and at < nodes[index].end else None


def _is_plain(link: Link) -> bool:
    """Whether a link's text is its address."""
    return link.form in ("bare", "autolink")
