"""What can be folded: sections, entries of several lines, `<details>`, the contents, code and comments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from shelfread.checks.contents.model import contents_of
from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block
from shelfread.markdown.protected import find_front_matter
from shelfread.server.features.extents import details_spans, section_spans


def folding_ranges(document: Document, context: RuleContext) -> list[lsp.FoldingRange]:
    """Return the ranges of lines that can be folded; of several that begin in one line the longest."""
    source = document.source
    longest: dict[int, lsp.FoldingRange] = {}
    for span, kind in _spans(document, context):
        first, last = source.line_at(span.start), source.line_at(span.end)
        if last > first and (first not in longest or last > longest[first].end_line):
            longest[first] = lsp.FoldingRange(start_line=first, end_line=last, kind=kind)
    return [longest[first] for first in sorted(longest)]


def _spans(document: Document, context: RuleContext) -> Iterator[tuple[Span, lsp.FoldingRangeKind | None]]:
    if last := find_front_matter(document.source) - 1:
        yield Span(0, document.source.starts[max(0, last)]), None
    for span in (*section_spans(document), *(entry.span for entry in document.entries)):
        yield span, None
    for span in details_spans(document):
        yield span, None
    contents = contents_of(document, context)
    for part in contents.parts if contents is not None else ():
        yield Span(part.block.start, part.block.end), None
    for comment in document.tree.comments:
        yield Span(comment.start, comment.end), lsp.FoldingRangeKind.Comment
    for block in _code(document.tree.blocks):
        yield Span(block.start, block.end), None


def _code(blocks: Sequence[Block]) -> Iterator[Block]:
    for block in blocks:
        if block.kind == "code":
            yield block
        else:
            yield from _code(block.blocks)
