"""What stands at an offset of a document, the line that is being written, and completions at its cursor."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document, Section
from shelfread.index.anchors import Landmark
from shelfread.markdown.node import Block, Definition, Emphasis, Html, Link, walk_blocks, walk_inlines
from shelfread.server.open_documents import Positions


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


def uses_of(label: str, document: Document) -> Iterator[Link]:
    """Yield the reference links with a normalised label."""
    return (link for link in document.links if link.form == "reference" and link.label == label)


_SPECIAL = lazy(r"([\\$}])")


class Cursor(NamedTuple):
    """An offset of a text, with the line around it.

    What is being written is no Markdown yet, so the line is looked at as it is.
    """

    positions: Positions
    offset: int
    before: str  # the line up to the offset
    after: str  # the line from the offset on
    line: int  # from 0
    snippets: bool = False  # whether the client takes snippets

    def item(
        self,
        length: int,
        text: str,
        kind: lsp.CompletionItemKind,
        *,
        behind: int = 0,
        label: str = "",
        detail: str = "",
        order: int = 0,
        match: str = "",
        placeholder: str = "",
    ) -> lsp.CompletionItem:
        """Return the item that replaces `length` characters before the offset, and `behind` after it, by a text.

        `match` is what the client compares with these characters. `placeholder` is a word of the text that the client
        selects, so that it is typed over, if it takes snippets.
        """
        is_snippet = self.snippets and bool(placeholder)
        written = self.positions.range(Span(self.offset - length, self.offset + behind))
        return lsp.CompletionItem(
            label=label or text,
            kind=kind,
            detail=detail or None,
            sort_text=f"{order:06}",
            filter_text=match or text,
            insert_text_format=lsp.InsertTextFormat.Snippet if is_snippet else lsp.InsertTextFormat.PlainText,
            text_edit=lsp.TextEdit(written, _snippet(text, placeholder) if is_snippet else text),
        )


def cursor_at(source: Source, offset: int, positions: Positions, snippets: bool = False) -> Cursor:
    line = source.line_at(offset)
    column = offset - source.starts[line]
    text = source.lines[line]
    return Cursor(positions, offset, text[:column], text[column:], line, snippets)


def _snippet(text: str, placeholder: str) -> str:
    before, placeholder, after = (_SPECIAL.sub(r"\\\1", part) for part in text.rpartition(placeholder))
    return f"{before}${{1:{placeholder}}}{after}"
