"""Links without a URL or without text, malformed URLs, and links that are shown as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from shelfread.checks.link.unparsed import find_blocked, is_blocked, unparsed
from shelfread.checks.link.url_repair import find_fault, missing_scheme
from shelfread.core.diagnostics import (
    STRUCTURE,
    Applicability,
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
)
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.passages import edit_address, odd_addresses, opening
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


_NO_PARENTHESIS = lazy(r"(?i)\]https?://[^\s()<>\[\]]+\)")
_SPACE_BEFORE = lazy(r"(?i)\]([ \t]+)\((https?://[^\s()<>]+)\)")
# A task's check box, or a number.
_TAG = lazy(r"\[[ xX]$|\[\d+$")
_LONGEST_TEXT = 500


def malformed(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield URLs that cannot work as written, and links that are shown as text."""
    text = document.source.text
    hosts: frozenset[str] | None = None
    shown = list(unparsed(document, context))
    for address in odd_addresses(document):
        url = address.url
        if address.form == "bare":
            continue
        fault = find_fault(url)
        if fault is None and "://" not in url and "." in url:
            if hosts is None:
                hosts = _find_hosts(document)
            if (fault := missing_scheme(url, hosts)) is not None and _is_file(document, context, url):
                continue
        if fault is not None:
            edits = () if fault.fixed is None else edit_address(address, fault.fixed, text)
            applicability = Applicability.SAFE if fault.is_certain else Applicability.UNSAFE
            yield RawDiagnostic(address.span, fault.values, edits, applicability, message=fault.message)
    yield from shown
    yield from _apart(document, context)
    if "]http" in text:
        yield from _without_opening(document)


def _find_hosts(document: Document) -> frozenset[str]:
    web = [link.url for link in document.links if link.url[:4] == "http" and "://" in link.url]
    return frozenset(url.split("/", 3)[2].lower() for url in web)


def _is_file(document: Document, context: RuleContext, url: str) -> bool:
    """Return whether a URL without a scheme begins with the name of a file or folder beside the list."""
    name = re.split(r"[/?#]", url, maxsplit=1)[0]
    return context.disk.exists(os.path.join(os.path.dirname(document.source.path or ""), name))


def _apart(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield links that are shown as text because of a space between text and URL."""
    text = document.source.text
    apart = list(_SPACE_BEFORE.finditer(text))
    if not apart:
        return
    blocked = find_blocked(document)
    references = {link.end for link in document.links if link.form == "reference"}
    for match in apart:
        close = match.start()
        start = opening(text, close, "[]", _LONGEST_TEXT)
        if not 0 <= start < close - 1 or close + 1 in references or is_blocked(blocked, close):
            continue
        if _TAG.search(text[max(0, close - 5) : close]):
            continue
        edit = Edit(*match.span(1), "", STRUCTURE)
        # A label of links cannot be meant otherwise.
        is_label = context.vocabulary.role(text[start:close].strip("[] ")) is not None
        applicability = (
            Applicability.SAFE if is_label or _begins_item(document.source, close) else Applicability.UNSAFE
        )
        yield RawDiagnostic(Span(*match.span(2)), {}, (edit,), applicability, message="space-before")


def _without_opening(document: Document) -> Iterator[RawDiagnostic]:
    """Yield links without the `(` before their URL: `[text]https://example.org)`."""
    text = document.source.text
    blocked = find_blocked(document)
    for match in _NO_PARENTHESIS.finditer(text):
        close, end = match.start(), match.end()
        line = document.source.starts[document.source.line_at(close)]
        before = text[max(line, close - _LONGEST_TEXT) : end]
        start = opening(text, close, "[]", _LONGEST_TEXT)
        if not 0 <= start < close - 1 or is_blocked(blocked, close) or before.count(")") <= before.count("("):
            continue  # its `)` may be that of a parenthesis around it
        edit = Edit(close + 1, close + 1, "(", STRUCTURE)
        yield RawDiagnostic(Span(end - 1, end), {}, (edit,), message="no-parenthesis")


def _begins_item(source: Source, close: int) -> bool:
    line = source.text[source.starts[source.line_at(close)] : close]
    return re.match(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*\[[^\[\]]*$", line) is not None
