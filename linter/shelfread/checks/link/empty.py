"""Links without a URL or without text."""

from __future__ import annotations

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Code, Emphasis, Html, Inline, Link, Text

_URL = lazy(r"https?://[\w.~:/?#@!$&'*+,;=%-]+")


def empty(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield links without a URL, and links that show nothing to click on."""
    pictures = [link for link in document.links if not link.url and _has_picture(link)]
    for link in document.links:
        url, shown = link.url, link.children
        if url and shown and isinstance(shown[0], Text) and shown[0].value[:1].isalnum():
            continue  # as nearly all
        if not url and link.form != "reference":
            if not _has_picture(link):
                message = "no-picture" if link.image else "no-url"
                yield RawDiagnostic(
                    Span(link.start, link.end), edits=_own_url(link, document), message=message
                )
            elif link is pictures[0]:
                # GitHub links a picture that is in no link to its own file, so this is often on purpose.
                values = {"count": len(pictures)}
                message = "pictures" if len(pictures) > 1 else "no-url"
                yield RawDiagnostic(
                    Span(link.start, link.end), values, severity=Severity.INFO, message=message
                )
        elif (not link.image and not link.children and link.form != "autolink") or _is_blank(link):
            tag = document.source.text[link.start : link.text.start].lower() if link.form == "html" else ""
            is_anchor = url.startswith("#") or "id=" in tag or "name=" in tag
            if (url == "#" and link.form == "inline") or not is_anchor:
                yield RawDiagnostic(Span(link.start, link.end), message="no-text")


def _own_url(link: Link, document: Document) -> tuple[Edit, ...]:
    """Return the edit that makes the text of a link its destination, if that is a URL."""
    text = document.source.text
    url, at = text[slice(*link.text)], link.destination.start if link.destination else 0
    if link.form != "inline" or link.image or not _URL.fullmatch(url) or text[at - 1 : at + 1] != "()":
        return ()
    return (Edit.relink(Span(at - 1, at + 1), "", url, f"({url})"),)


def _has_picture(link: Link) -> bool:
    return any(isinstance(child, Link) and child.image for child in link.children)


def _is_blank(link: Link) -> bool:
    return not link.image and bool(link.children) and all(map(_shows_nothing, link.children))


def _shows_nothing(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip(" \t\u200b\ufeff")
    if isinstance(node, Emphasis):
        return all(map(_shows_nothing, node.children))
    return not isinstance(node, Code | Link | Html)
