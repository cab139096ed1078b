"""The rule `text/doubled-word`."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text
from shelfread.index.context import RuleContext

# Words of which no English sentence has two in a row; `that that` and `had had` are none of them.
_DOUBLED = lazy(
    r"(?<![^\W_])(?<![-'’.])(the|an|and|or|of|for|with|from|to|by|are|be|your|our|their|its|into|using)"
    r"(?P<again>[ \t]+\1)(?![^\W_])(?![-'’./])"
)


def doubled_word(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report words such as `the` that stand twice in a row."""
    text = document.source.text
    for match in _DOUBLED.finditer(text):
        start, end = match.span("again")
        if is_text(document, match.start()) and is_text(document, end - 1):
            edit = Edit.remove(text, start, end)
            yield RawDiagnostic(Span(match.start(), end), {"word": match[1]}, (edit,))
