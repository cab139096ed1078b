"""How far the parts of a document reach: sections, `<details>`."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.model import Document, Section
from shelfread.server.features.places import blocks_around, html_tags


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
    found: list[Span] = []
    for tag in html_tags(document.tree.blocks):
        if tag.tag == "details":
            opened.append(tag.start)
        elif tag.tag == "/details" and opened:
            found.append(Span(opened.pop(), tag.end))
    return sorted(found)


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
