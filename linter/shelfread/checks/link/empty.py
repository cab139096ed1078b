"""Links without a URL or without text."""

from __future__ import annotations

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Code, Emphasis, Html, Inline, Link, Text

_PAIRS = (("\\[", "\\]"), ("[", "]"), ("(", ")"))
_BEGINNING = lazy(r"[ \t]*(?:[-*+]|\d{1,9}[.)]|.*\|)?[ \t]*")
_MARKER = lazy(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*")


def empty(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links without a URL, and links that show nothing to click on."""
    for link in document.links:
        url, shown = link.url, link.children
        if url and shown and isinstance(shown[0], Text) and shown[0].value[:1].isalnum():
            continue  # as nearly all
        if not url and link.form != "reference":
            message = "no-picture" if link.image else "no-url"
            edits = _removal(document, link) if link.form == "inline" and not shown else ()
            yield RawDiagnostic(Span(link.start, link.end), {}, edits, Applicability.UNSAFE, message=message)
        elif (not link.image and not link.children and link.form != "autolink") or _is_blank(link):
            tag = document.source.text[link.start : link.text.start].lower() if link.form == "html" else ""
            is_anchor = url.startswith("#") or "id=" in tag or "name=" in tag
            if (url == "#" and link.form == "inline") or not is_anchor:
                yield RawDiagnostic(Span(link.start, link.end), message="no-text")


def _removal(document: Document, link: Link) -> tuple[Edit, ...]:
    """Return the edits that remove a link that shows nothing, with its brackets and a space; none if it fills a cell."""
    source = document.source
    text, start, end = source.text, link.start, link.end
    for opening, closing in _PAIRS:
        if text.endswith(opening, 0, start) and text.startswith(closing, end):
            start, end = start - len(opening), end + len(closing)
    line = source.line_at(start)
    first, last = source.starts[line], source.starts[line] + len(source.lines[line])
    if _MARKER.fullmatch(text, first, start) and not text[end:last].strip() and line + 1 < len(source.starts):
        return (Edit.remove(text, first, source.starts[line + 1]),)
    if _BEGINNING.fullmatch(text, first, start) and end < last:
        while end < last - 1 and text[end] in " \t":
            end += 1
        if text[end] == "|":
            return ()
        # The block or cell begins with what follows, which is part of the edit.
        return (Edit.reduce(Span(start, end + 1), text[start : end + 1], text[end]),)
    while start > first and text[start - 1] in " \t":
        start -= 1
    return (Edit.remove(text, start, end),)


def _is_blank(link: Link) -> bool:
    return not link.image and bool(link.children) and all(map(_shows_nothing, link.children))


def _shows_nothing(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip(" \t\u200b\ufeff")
    if isinstance(node, Emphasis):
        return all(map(_shows_nothing, node.children))
    return not isinstance(node, Code | Link | Html)
