"""The words of headings: their capitals, and punctuation at the end."""

from __future__ import annotations

from shelfread.checks.common.capitals import Style, check_capitals
from shelfread.core.diagnostics import MARKUP, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import texts
from shelfread.index.anchors import heading_text, slug_of
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Text

_STOP = lazy(r"(?:(?<![ \t])[ \t]+)?(?<![.,:;。，：；、])[.,:;。，：；、]+[ \t]*$")
_ABBREVIATED = lazy(
    r"(?:\.\.|(?:^|[^A-Za-z])(?:[A-Za-z]|etc|vs|inc|ltd|co|corp|jr|sr|al|misc|no|vol|ed|eds|approx|dept|est))\.$",
    # `Foo Inc.`, `U.S.`, `...`
    2,
)
_LETTER = lazy(r"[^\W\d_]")


def punctuation(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report headings that end in a full stop, a comma or a colon."""
    for block in document.tree.blocks:
        if block.kind != "heading" or not block.inlines:
            continue
        last = block.inlines[-1]
        if not isinstance(last, Text) or last.end - last.start != len(last.value):
            continue
        match = _STOP.search(last.value)
        words = heading_text(block.inlines)
        if match is None or _ABBREVIATED.search(words) or not _LETTER.search(words):
            continue
        span = Span(last.start + match.start(), last.start + match.end())
        shortened = words[: len(words) - len(match[0])]
        keeps_anchor = slug_of(words, context.slugs) == slug_of(shortened, context.slugs)
        edits = (Edit(*span, "", MARKUP),) if keeps_anchor else ()
        yield RawDiagnostic(span, {"mark": match[0].strip()}, edits)


def title_case(document: Document, context: RuleContext, *, style: Style = "learned") -> RawDiagnostics:
    """Report headings that are not in the style."""
    titles = (
        (Span(block.inlines[0].start, block.inlines[-1].end), list(texts(block.inlines)))
        for block in document.tree.blocks
        if block.kind == "heading" and block.inlines
    )
    return check_capitals(document, titles, style)
