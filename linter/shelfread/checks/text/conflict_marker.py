"""The rule `text/conflict-marker`."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Span
from shelfread.document.conflicts import find_conflicts
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def conflict_marker(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report each complete conflict once, at its first marker, and each marker of an incomplete one."""
    source = document.source
    for start, end in find_conflicts(document):
        span = Span(start, start + 7)
        if end is None:
            yield RawDiagnostic(span, {"marker": source.text[slice(*span)]}, message="marker")
        else:
            yield RawDiagnostic(span, {"end": source.line_at(end) + 1}, message="conflict")
