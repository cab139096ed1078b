"""What maintainers' own rules look for: patterns that a field has, or lacks. google-re2 runs them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import Pattern, compile_untrusted
from shelfread.document.model import Document, Entry
from shelfread.document.model import Field as Stated
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


class _Part(NamedTuple):
    """A part of a list as it is written, and the title of what it is a part of."""

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
    """Every match of a pattern in a field; `replacement` is what is to stand there, word for word."""
    text, find = document.source.text, compile_untrusted(pattern).finditer
    addresses = [] if field == "url" else _addresses(document)
    for part in _parts(document, field):
        for match in find(text[slice(*part.span)]):
            span = Span(part.span.start + match.start(), part.span.start + match.end())
            if not match[0] or _meets(span, addresses):
                continue
            edits: tuple[Edit, ...] = ()
            if replacement is not None:
                change = Change.DESTINATION if field == "url" else Change.WORDS
                edits = (Edit(*span, replacement, Effect(change, match[0], replacement)),)
            yield RawDiagnostic(span, {"match": match[0], "field": field, "title": part.title}, edits)


def required(
    document: Document, context: RuleContext, *, field: Field, pattern: Pattern
) -> Iterator[RawDiagnostic]:
    """Every field in which a pattern matches nowhere; entries that do not state it are left alone."""
    text, search = document.source.text, compile_untrusted(pattern).search
    for part in _parts(document, field):
        value = text[slice(*part.span)]
        if not search(value):
            yield RawDiagnostic(part.span, {"value": value, "field": field, "title": part.title})


def _parts(document: Document, field: Field) -> Iterator[_Part]:
    """Every place of a field, as it is written."""
    if field == "section":
        for section in document.sections:
            yield _Part(section.span, section.title)
        return
    for entry in document.entries:
        for span in _spans(entry, field, document.source.text):
            yield _Part(span, entry.title.value)


def _spans(entry: Entry, field: Field, text: str) -> Iterator[Span]:
    if field == "line":
        yield entry.title_line
    elif field == "label":
        for label in labels_of(entry, text):
            yield label.link.text
    elif field == "url":
        for link in entry.links:
            if link.link.destination is not None:
                yield link.link.destination
    else:
        yield from (one.span for one in _stated(entry, field))


def _stated(entry: Entry, field: Field) -> Sequence[Stated]:
    many = {"author": entry.authors, "affiliation": entry.affiliations, "note": entry.notes}
    if field in many:
        return many[field]
    cited = entry.citation and Stated(entry.citation.text, entry.citation.span)
    one = {"title": entry.title, "name": entry.name, "description": entry.description, "venue": cited}[field]
    return () if one is None else (one,)


def _addresses(document: Document) -> list[Span]:
    """What is no text: the destinations of links, and bare addresses."""
    return sorted(link.destination for link in document.links if link.destination is not None)


def _meets(span: Span, sorted_spans: Sequence[Span]) -> bool:
    at = bisect_right(sorted_spans, span.start, key=lambda one: one.end)
    return at < len(sorted_spans) and sorted_spans[at].start < span.end
