"""The rule `text/unclosed`."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics
from shelfread.document.model import Document
from shelfread.document.unclosed import find_unclosed
from shelfread.index.context import RuleContext


def unclosed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report comments, code blocks and tags that are opened and not closed."""
    for one in find_unclosed(document):
        yield RawDiagnostic(one.span, {"mark": one.mark}, message=one.kind)
