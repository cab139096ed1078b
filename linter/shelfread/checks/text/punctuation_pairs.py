"""The rule `text/punctuation-pairs`."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.checks.common.brackets import FULL_WIDTH
from shelfread.checks.common.quotes import CURLY
from shelfread.checks.common.unpaired import unpaired
from shelfread.core.diagnostics import RawDiagnostic
from shelfread.document.model import Document
from shelfread.index.context import RuleContext


def punctuation_pairs(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report curly quotes and brackets of CJK scripts that do not pair."""
    if document.source.text.isascii():
        return
    for diagnostic in unpaired(document):
        signs = map(str, diagnostic.values.values())
        if any(sign in FULL_WIDTH or CURLY.match(sign) for sign in signs):
            yield diagnostic
