"""How far sections, entries, `<details>`, the contents, code and comments reach, and can be folded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.model import Document, Section
from shelfread.index.contents.table_of_contents import contents_of
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block
from shelfread.markdown.protected_spans import find_front_matter
from shelfread.server.features.under_cursor import blocks_around, html_tags


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


def section_spans(document: Document) -> list[Span]:
    """Return the span of each section, from the line of its title to its last line that is not blank."""
    sections, source = document.sections, document.source
    details = details_spans(document)
    starts = _starts(sections, source)
    spans: list[Span] = []
    for index, (section, end) in enumerate(zip(sections, _following(sections), strict=True)):
        stop = starts[end] if end < len(sections) else len(source.text)
        if section.parent is not None:
            stop = min(stop, spans[section.parent].end)
        if section.kind == "item":
            items = [
                block
                for block in blocks_around(document.tree.blocks, section.span.start)
                if block.kind == "item"
            ]
            stop = min([stop, *(item.end for item in items[-1:])])
        elif section.kind == "details":
            own = [span for span in details if span.start <= section.span.start < span.end]
            stop = min([stop, *(span.end for span in own[-1:])])
        spans.append(Span(starts[index], max(section.span.end, _without_blanks(source, starts[index], stop))))
    return spans


def details_spans(document: Document) -> list[Span]:
    """Return the spans of `<details>` with their tags, outer ones before inner ones; unclosed ones are left out."""
    if "</details" not in document.source.text.lower():
        return []
    opened: list[int] = []
    spans: list[Span] = []
    for tag in html_tags(document.tree.blocks):
        if tag.tag == "details":
            opened.append(tag.start)
        elif tag.tag == "/details" and opened:
            spans.append(Span(opened.pop(), tag.end))
    return sorted(spans)


def _following(sections: Sequence[Section]) -> list[int]:
    """Return for each section the index of the first one after it that is not below it."""
    ends = list(range(1, len(sections) + 1))
    for index in reversed(range(len(sections))):
        end = ends[index]
        while end < len(sections) and sections[end].parent == index:
            end = ends[end]
        ends[index] = end
    return ends


def _starts(sections: Sequence[Section], source: Source) -> list[int]:
    """Return where each section begins: with its line, or with its title if another one is in the same line."""
    starts: list[int] = []
    for section in sections:
        start = source.starts[source.line_at(section.span.start)]
        starts.append(section.span.start if starts and start <= starts[-1] else start)
    return starts


def _without_blanks(source: Source, start: int, end: int) -> int:
    """Return the end of the last line of `text[start:end]` that is not blank."""
    text = source.text
    while end > start and text[end - 1].isspace():
        end -= 1
    return end
