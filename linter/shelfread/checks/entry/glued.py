"""The rule `entry/glued`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shelfread.checks.common.local_style import Case, LocalStyles
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.conventions.conventions import When
from shelfread.index.conventions.description_style import lacks_space_before
from shelfread.index.conventions.line_style import Gap, gaps
from shelfread.index.conventions.observations import GAP

_PARTS = {"link": "name", "label": "link", "text": "description"}
"""The parts of an entry as its readers call them: the main link is its name."""

_WIDE_MARKS = frozenset("。，、；：！？．）】」』》〉”")
"""Marks that have a space of their own on their right."""


def glued(document: Document, context: RuleContext, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """Report parts of an entry with fewer, more or other spaces between them than the list has there."""
    text = document.source.text
    conventions = context.departures(document, GAP, when)
    if not conventions:
        return
    kinds = frozenset(conventions)
    styles = LocalStyles(document, _forms(document, kinds))
    for entry, (kind, between, span) in _gaps(document, kinds):
        convention = conventions[kind]
        if between == (form := convention.form):
            continue
        missing = len(form) - len(between)
        message = "missing" if missing > 0 else "extra" if missing else "other"
        # Two spaces are shown as one.
        severity = Severity.INFO if missing and "  " in between else Severity.WARNING
        values = {"parts": _in_words(kind), "count": convention.cases, "total": convention.total}
        edits: tuple[Edit, ...] = (Edit(*span, form, Effect(Change.MARKUP)),)
        if lacks_space_before(between, form):
            edits, severity = (), Severity.INFO  # the usual form is the odd one
        applicability = Applicability.SAFE
        if missing == -1 and " " not in form and " " in between:
            # A space where the others have none is no worse.
            severity, applicability = Severity.INFO, Applicability.UNSAFE
        if missing > 0 and not between and text[span.start - 1 : span.start] in _WIDE_MARKS:
            severity, applicability = Severity.INFO, Applicability.UNSAFE
        raw = RawDiagnostic(span, values, edits, applicability, severity, message)
        yield styles.lower(raw, entry, kind, between, form, when)


def _gaps(document: Document, kinds: Collection[str]) -> Iterator[tuple[Entry, Gap]]:
    """Yield the gaps of some kinds, each with its entry."""
    for entry in document.entries:
        if entry.block.kind != "heading":  # its spaces are part of its anchor
            for gap in gaps(entry, document.source.text):
                if gap.kind in kinds:
                    yield entry, gap


def _forms(document: Document, kinds: Collection[str]) -> Iterator[Case]:
    for entry, gap in _gaps(document, kinds):
        yield entry, gap.kind, gap.form


def _in_words(kind: str) -> str:
    """Return what a gap is between: `title and link`."""
    before, after = (_PARTS.get(part, part) for part in kind.partition(" ")[0].split("-"))
    return "two links" if before == after == "link" else f"{before} and {after}"
