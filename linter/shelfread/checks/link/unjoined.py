"""Links without the two brackets between their text and their URL: `[Code(https://example.org)]`."""

from __future__ import annotations

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.passages import find_text

# No space before the URL: `[see the page (https://example.org)]` is a remark.
UNJOINED = lazy(
    r"\[((?:[^\[\]()\n]|\([^\[\]()\n]{1,60}\)){1,80}(?<![ \t(]))(\((?:https?://)[^\s()\[\]]+\))(\]+)"
)


def unjoined(document: Document) -> RawDiagnostics:
    """Yield links without `](`, whose other brackets show what they are."""
    text = document.source.text
    if text.count("(http") == text.count("](http"):
        return
    for match in UNJOINED.finditer(text):
        position = find_text(document, match.start())
        is_double = text[match.start() - 1 : match.start()] == "["
        after = text[match.end() : match.end() + 1]
        if position is None or after == "(" or (after == "[" and not is_double):
            continue
        edits = [Edit(match.start(2), match.start(2), "]", STRUCTURE)]
        if not is_double or len(match[3]) > 1:
            edits.append(Edit(match.start(3), match.start(3) + 1, "", STRUCTURE))
        yield RawDiagnostic(Span(*match.span(2)), {}, tuple(edits), message="no-joint")
