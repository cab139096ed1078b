"""Checks for custom rules: patterns that a field must or must not match, run by google-re2."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import Pattern, compile_untrusted
from shelfread.document.model import Document, Entry
from shelfread.document.model import Field as EntryField
from shelfread.index.context import RuleContext
from shelfread.index.conventions.title_line import labels_of

Field: TypeAlias = Literal[
    "title",
    "name",
    "description",
    "venue",
    "author",
    "affiliation",
    "note",
    "label",
    "url",
    "line",
    "section",
]


class _Place(NamedTuple):
    """Where a field is, and the title of its entry or section."""

    span: Span
    title: str


def forbidden(
    document: Document,
    context: RuleContext,
    *,
    field: Field,
    pattern: Pattern,
    replacement: str | None = None,
) -> Iterator[RawDiagnostic]:
    """Report every match of a pattern in a field; the fix writes `replacement`, in which nothing is expanded."""
    text, find = document.source.text, compile_untrusted(pattern).finditer
    destinations = [] if field == "url" else _destinations(document)
    for place in _places(document, field):
        for match in find(text[slice(*place.span)]):
            span = Span(place.span.start + match.start(), place.span.start + match.end())
            if not match[0] or _overlaps(span, destinations):
                continue
            edits: tuple[Edit, ...] = ()
            if replacement is not None:
                change = Change.DESTINATION if field == "url" else Change.WORDS
                edits = (Edit(*span, replacement, Effect(change, match[0], replacement)),)
            yield RawDiagnostic(span, {"match": match[0], "field": field, "title": place.title}, edits)


def required(
    document: Document, context: RuleContext, *, field: Field, pattern: Pattern
) -> Iterator[RawDiagnostic]:
    """Report every field that a pattern does not match; entries without the field are skipped."""
    text, search = document.source.text, compile_untrusted(pattern).search
    for place in _places(document, field):
        value = text[slice(*place.span)]
        if not search(value):
            yield RawDiagnostic(place.span, {"value": value, "field": field, "title": place.title})


def _places(document: Document, field: Field) -> Iterator[_Place]:
    if field == "section":
        for section in document.sections:
            yield _Place(section.span, section.title)
        return
    for entry in document.entries:
        for span in _spans(entry, field, document.source.text):
            yield _Place(span, entry.title.value)


def _spans(entry: Entry, field: Field, text: str) -> Iterator[Span]:
    if field == "line":
        yield entry.title_line
    elif field == "label":
        for label in labels_of(entry, text):
            yield label.link.text
    elif field == "url":
        for label in entry.links:
            if label.link.destination is not None:
                yield label.link.destination
    else:
        yield from (value.span for value in _values(entry, field))


def _values(entry: Entry, field: Field) -> Sequence[EntryField]:
    many = {"author": entry.authors, "affiliation": entry.affiliations, "note": entry.notes}
    if field in many:
        return many[field]
    cited = entry.citation and EntryField(entry.citation.text, entry.citation.span)
    value = {"title": entry.title, "name": entry.name, "description": entry.description, "venue": cited}[
        field
    ]
    return () if value is None else (value,)


def _destinations(document: Document) -> list[Span]:
    """Return the destinations of links, with bare URLs, in order."""
    return sorted(link.destination for link in document.links if link.destination is not None)


def _overlaps(span: Span, sorted_spans: Sequence[Span]) -> bool:
    index = bisect_right(sorted_spans, span.start, key=lambda other: other.end)
    return index < len(sorted_spans) and sorted_spans[index].start < span.end
