"""The rule `entry/title-case`."""

from __future__ import annotations

from shelfread.checks.common.capitals import Style, check_capitals
from shelfread.core.diagnostics import RawDiagnostics
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Text


def title_case(document: Document, context: RuleContext, *, style: Style = "learned") -> RawDiagnostics:
    """Report titles of papers that are not in the style."""
    text = document.source.text
    titles = (
        (entry.title.span, [Text(*entry.title.span, entry.title.value)])
        for entry in document.entries
        if entry.kind == "paper" and text[slice(*entry.title.span)] == entry.title.value
    )
    return check_capitals(document, titles, style)
