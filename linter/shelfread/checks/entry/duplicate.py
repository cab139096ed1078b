"""The rule `entry/duplicate`."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.repeated_entries import repeated_entries

_LONGEST = 60
"""Characters of a title that a message shows."""
_MANY = 3
"""A list that repeats so many entries elsewhere lists them under several headings, which is said once."""


def duplicate(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that the project lists earlier, for information where that may be meant."""
    repeated = list(repeated_entries(document, context))
    elsewhere = [each for each in repeated if each.kind == "duplicate" and not each.is_certain]
    told = {each.entry for each in elsewhere[1:]} if len(elsewhere) >= _MANY else set()
    for each in repeated:
        if each.entry in told:
            continue
        index, other, kind, is_certain = each
        severity = Severity.WARNING if is_certain else Severity.INFO
        title = other.printed_title
        shown = title if len(title) <= _LONGEST else f"{title[:_LONGEST].rstrip()}..."
        values = {"where": other.where, "title": shown, "count": len(elsewhere)}
        edits = _remove(document, index, other.entry) if other.path == document.source.path else ()
        message = "cross-listed" if told and each is elsewhere[0] else kind
        yield RawDiagnostic(
            document.entries[index].title.span, values, edits, severity=severity, message=message
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
