"""The rule `heading/title-case`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.common.capitals import Style, check_capitals
from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.document.model import Document
from shelfread.document.passages import texts
from shelfread.index.context import RuleContext


def title_case(
    document: Document, context: RuleContext, *, style: Style = "learned"
) -> Iterator[RawDiagnostic]:
    """Report headings that are not in the style."""
    titles = (
        (Span(block.inlines[0].start, block.inlines[-1].end), list(texts(block.inlines)))
        for block in document.tree.blocks
        if block.kind == "heading" and block.inlines
    )
    return check_capitals(document, titles, style)
