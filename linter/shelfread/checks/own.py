"""Checks for custom rules: patterns that a field must or must not match, run by google-re2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span, find_overlapping
from shelfread.core.patterns import Pattern, compile_untrusted
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.line_style import labels_of

Field: TypeAlias = Literal[
    "title", "name", "description", "venue", "author", "affiliation", "note", "label", "url", "line",
    "section"
]  # fmt: skip


def forbidden(
    document: Document,
    context: RuleContext,
    *,
    field: Field,
    pattern: Pattern,
    replacement: str | None = None,
) -> RawDiagnostics:
    """Report every match of a pattern in a field; the fix writes `replacement`, in which nothing is expanded."""
    text, find = document.source.text, compile_untrusted(pattern).finditer
    destinations = [link.destination for link in document.links if link.destination and field != "url"]
    destinations.sort()
    edit = Edit.relink if field == "url" else Edit.reword
    for place, title in _places(document, field):
        for match in find(text[slice(*place)]):
            span = Span(place.start + match.start(), place.start + match.end())
            if match[0] and next(find_overlapping(destinations, *span), None) is None:
                edits = () if replacement is None else (edit(span, match[0], replacement),)
                yield RawDiagnostic(span, {"match": match[0], "field": field, "title": title}, edits)


def required(document: Document, context: RuleContext, *, field: Field, pattern: Pattern) -> RawDiagnostics:
    """Report every field that a pattern does not match; entries without the field are skipped."""
    text, search = document.source.text, compile_untrusted(pattern).search
    for span, title in _places(document, field):
        value = text[slice(*span)]
        if not search(value):
            yield RawDiagnostic(span, {"value": value, "field": field, "title": title})


def _places(document: Document, field: Field) -> Iterator[tuple[Span, str]]:
    """Yield the spans of a field, each with the title of its entry or section."""
    if field == "section":
        yield from ((section.span, section.title) for section in document.sections)
        return
    for entry in document.entries:
        for span in _spans(entry, field, document.source.text):
            yield span, entry.title.value


def _spans(entry: Entry, field: Field, text: str) -> Iterator[Span]:
    if field == "line":
        yield entry.title_line
    elif field == "label":
        yield from (label.link.text for label in labels_of(entry, text))
    elif field == "url":
        yield from (label.link.destination for label in entry.links if label.link.destination is not None)
    elif field == "venue":
        yield from (entry.citation.span,) if entry.citation else ()
    else:
        many = {"author": entry.authors, "affiliation": entry.affiliations, "note": entry.notes}
        single = {"title": entry.title, "name": entry.name, "description": entry.description}
        values = many[field] if field in many else (single[field],)
        yield from (value.span for value in values if value is not None)
