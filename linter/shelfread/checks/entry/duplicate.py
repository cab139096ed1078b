"""The rule `entry/duplicate`."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.repeated_entries import repeated_entries

_LONGEST = 60
"""Characters of a title that a message shows."""


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that the project lists earlier, for information where that may be meant."""
    for index, other, kind, is_certain in repeated_entries(document, context):
        severity = Severity.WARNING if is_certain else Severity.INFO
        title = other.printed_title
        shown = title if len(title) <= _LONGEST else f"{title[:_LONGEST].rstrip()}..."
        values = {"where": other.where, "title": shown}
        edits = _remove(document, index, other.entry) if other.path == document.source.path else ()
        yield RawDiagnostic(
            document.entries[index].title.span, values, edits, severity=severity, message=kind
        )


def _remove(document: Document, index: int, other: int) -> tuple[Edit, ...]:
    """Return the edit that removes an entry if it is the same text as the one directly above it."""
    source, entry, above = document.source, document.entries[index], document.entries[other]
    text = source.text
    first, last = source.line_at(entry.span.start), source.line_at(entry.span.end - 1)
    own = source.lines[first : last + 1]
    if source.line_at(above.span.end - 1) != first - 1 or source.lines[first - len(own) : first] != own:
        return ()
    end = source.starts[last + 1] if last + 1 < len(source.lines) else len(text)
    return (Edit.remove(text, source.starts[first], end),)
