"""Malformed URLs, and links that are shown as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from shelfread.checks.link.unparsed import find_blocked, is_blocked, unparsed
from shelfread.checks.link.url_repair import find_fault, missing_scheme
from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.passages import edit_address, odd_addresses, opening
from shelfread.index.context import RuleContext

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
    """Return the hosts of all links."""
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
