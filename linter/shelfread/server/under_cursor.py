"""What stands at an offset of a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document, Section
from shelfread.index.anchors import Landmark
from shelfread.markdown.node import Block, Definition, Emphasis, Html, Link, walk_blocks, walk_inlines


class FileSpan(NamedTuple):
    """A span of a file of the project."""

    path: str
    span: Span


def holds(span: Sequence[int], offset: int) -> bool:
    """Return whether an offset is in a span or at its end, where a cursor still touches it."""
    return span[0] <= offset <= span[1]


def blocks_around(blocks: Sequence[Block], offset: int) -> Iterator[Block]:
    """Yield the blocks that hold an offset, outermost first."""
    while blocks:
        index = bisect_right(blocks, offset, key=lambda block: block.start) - 1
        if index < 0 or offset > blocks[index].end:
            return
        yield blocks[index]
        blocks = blocks[index].blocks


def link_at(document: Document, offset: int) -> Link | None:
    """Return the innermost link or image at an offset, None if there is none."""
    innermost: Link | None = None
    for link in document.links:
        if link.start > offset:
            break
        if offset <= link.end:
            innermost = link
    return innermost


def definition_at(document: Document, offset: int) -> Definition | None:
    return next((link for link in document.tree.definitions if holds(link[:2], offset)), None)


def section_at(document: Document, offset: int) -> tuple[int, Section] | None:
    """Return the section whose title is at an offset, with its index."""
    sections = enumerate(document.sections)
    return next(((index, section) for index, section in sections if holds(section.span, offset)), None)


def section_around(document: Document, offset: int) -> int | None:
    """Return the index of the last section whose title begins before an offset."""
    index = bisect_right(document.sections, offset, key=lambda section: section.span.start) - 1
    return index if index >= 0 else None


def heading_at(landmarks: Sequence[Landmark], offset: int) -> int | None:
    """Return the index of the landmark whose heading is at an offset."""
    headings = (
        index
        for index, landmark in enumerate(landmarks)
        if landmark.heading and holds((landmark.start, landmark.end), offset)
    )
    return next(headings, None)


def words_span(document: Document, span: Span) -> Span:
    """Return the span of a title's words, without the markup, the link or the tags that are around all of them."""
    block = next((block for block in blocks_around(document.tree.blocks, span.start) if block.inlines), None)
    nodes = (
        [node for node in block.inlines if span.start <= node.start and node.end <= span.end] if block else []
    )
    while nodes:
        first, last = nodes[0], nodes[-1]
        if len(nodes) == 1 and isinstance(first, Emphasis | Link) and first.children:
            nodes = list(first.children)
        elif (
            isinstance(first, Html) and isinstance(last, Html) and last.tag == f"/{first.tag}" and nodes[1:-1]
        ):
            nodes = nodes[1:-1]
        else:
            return Span(first.start, last.end)
    return span


def is_protected(document: Document, offset: int) -> bool:
    """Return whether an offset is inside code, a comment or another part that is no text of the list."""
    protected = document.tree.protected
    index = bisect_right(protected, offset, key=lambda span: span.start) - 1
    return index >= 0 and protected[index].start < offset < protected[index].end


def html_tags(blocks: Sequence[Block]) -> Iterator[Html]:
    """Yield the HTML tags and comments of blocks in order."""
    nodes = (node for block in walk_blocks(blocks) for node in walk_inlines(block.inlines))
    return (node for node in nodes if isinstance(node, Html))


def label_at(document: Document, offset: int) -> str | None:
    """Return the normalised label of the reference link or of the definition's label at an offset."""
    definition = definition_at(document, offset)
    if definition is not None and holds((definition.start, definition.text.end + 1), offset):
        return definition.label
    link = link_at(document, offset)
    return link.label if link is not None and link.form == "reference" else None


def label_span(link: Link, text: str) -> Span:
    """Return the span of a reference link's label: of `[text][label]` the second part, else the text."""
    first = link.text.end + 2
    return Span(first, link.end - 1) if link.end - 1 > first and text[first - 1] == "[" else link.text
