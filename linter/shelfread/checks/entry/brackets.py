"""The rule `entry/brackets`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.common.unpaired import unpaired
from shelfread.checks.entry.lone_marks import lone_marks
from shelfread.core.diagnostics import RawDiagnostic
from shelfread.document.model import Document
from shelfread.document.passages import entry_spans, within
from shelfread.index.context import RuleContext


def brackets(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report brackets and quotes of an entry that do not pair, and backticks and asterisks anywhere."""
    for diagnostic in unpaired(document):
        if within(entry_spans(document), diagnostic.span.start):
            yield diagnostic
    yield from lone_marks(document, context)
