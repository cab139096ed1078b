"""A table of contents that differs from the headings of its page."""

from __future__ import annotations

from shelfread.core.diagnostics import RawDiagnostics
from shelfread.document.model import Document
from shelfread.document.unclosed import hides_headings
from shelfread.index.contents.table_of_contents import contents_of
from shelfread.index.context import RuleContext


def sync(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings that the table of contents omits, and items with a wrong target, place or wording."""
    contents = contents_of(document, context)
    if contents is not None and not hides_headings(document):
        # Modules that a list without contents does not need.
        from shelfread.checks.contents.differences import differences
        from shelfread.checks.contents.listing import ListedHeadings

        yield from differences(ListedHeadings(document, contents))
