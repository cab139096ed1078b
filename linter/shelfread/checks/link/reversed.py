"""Links with brackets and parentheses the wrong way round."""

from __future__ import annotations

from shelfread.checks.link.reference import DATED, LONGEST_TEXT, shortened
from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.document.passages import is_text, opening
from shelfread.index.context import RuleContext

# `)[` and a URL: one with a scheme, an anchor, a path, or the name of a page.
_REVERSED = lazy(
    r"(?i)\)\[(<?(?:https?://|www\.|mailto:|\.{1,2}/|#[^\W\d]|[\w./-]+\.(?:md|html?|pdf)(?=[#\]]))[^\s\[\]<>]*>?)\]"
)


def reversed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `(text)[url]` where `[text](url)` was meant."""
    text = document.source.text
    for match in _REVERSED.finditer(text):
        close = match.start()
        start = opening(text, close, "()", LONGEST_TEXT)
        words = text[start + 1 : close]
        if start < 0 or not words.strip() or "[" in words or "]" in words or text[start - 1 : start] == "\\":
            continue
        if not (is_text(document, close) and is_text(document, start)):
            continue
        url = match[1].strip("<>")
        edits: tuple[Edit, ...] = ()
        if url.count("(") == url.count(")") or match[1][0] == "<":
            places = ((start, start + 1, "["), (close, close + 2, "]("), (match.end() - 1, match.end(), ")"))
            edits = tuple(Edit(*place, STRUCTURE) for place in places)
        follows_word = text[start - 1 : start].isalnum() and start > 0
        applicability = Applicability.UNSAFE if follows_word or DATED.search(words) else Applicability.SAFE
        values = {"text": shortened(words), "url": shortened(url)}
        yield RawDiagnostic(Span(start, match.end()), values, edits, applicability)
