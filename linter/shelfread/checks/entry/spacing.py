"""Blanks between the parts of an entry."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import Convention, When
from shelfread.index.conventions.observations import GAP
from shelfread.index.conventions.title_line import gaps

_PARTS = {
    "link": "its link",
    "title": "its title",
    "venue": "its venue",
    "label": "a label",
    "text": "its description",
}
_MARKUP = Effect(Change.MARKUP)


def glued(document: Document, context: RuleContext, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """Parts of entries with fewer or more blanks between them than the list has there."""
    text = document.source.text
    conventions = context.departures(document, GAP, when)
    if not conventions:
        return
    for entry in document.entries:
        if entry.block.kind == "heading":
            continue  # its blanks are part of its anchor
        for kind, between, span in gaps(entry, text):
            convention = conventions.get(kind)
            if convention is None or between == convention.form:
                continue
            yield _place(kind.partition(" ")[0], span, between, convention)


def _place(kind: str, span: Span, between: str, convention: Convention) -> RawDiagnostic:
    before, after = kind.split("-")
    fault, severity = "another blank than usual", Severity.WARNING
    if len(between) != len(convention.form):
        fault = "a blank is missing" if len(between) < len(convention.form) else "a blank too many"
        if "  " in between:
            severity = Severity.INFO  # a page shows two blanks as one
    values = {
        "fault": fault,
        "before": _PARTS[before],
        "after": "another" if before == after else _PARTS[after],
        "count": convention.cases,
        "total": convention.total,
    }
    return RawDiagnostic(span, values, (Edit(*span, convention.form, _MARKUP),), severity=severity)
