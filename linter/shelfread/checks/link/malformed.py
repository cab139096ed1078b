"""Malformed URLs, and links that a slip has turned into text."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator

from shelfread.checks.common.prose import opening
from shelfread.checks.link.url_repair import find_fault, missing_scheme, swallowed_from
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, odd_addresses, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

# CommonMark reads these as text: a space in the URL, no `)` after it, a space before its `(`.
_SPACE_INSIDE = lazy(
    r"\]\(((?:<?https?:/{0,2}|www\.|\.{1,2}/)[^\s()<>\"']*(?:[ \t]+[^\s()<>\"'][^\s()<>]*)+)\)", re.IGNORECASE
)
_UNCLOSED = lazy(r"\]\((https?://[^\s()<>\[\]]+)(?=[ \t]*(?:$|[ \t]\[|\|))", re.IGNORECASE | re.MULTILINE)
_SPACE_BEFORE = lazy(r"\]([ \t]+)\((https?://[^\s()<>]+)\)", re.IGNORECASE)
_CLOSED_BELOW = lazy(r"[ \t]*\r?\n[ \t>]*[^\s()\[\]]+\)")
# A task's check box, or a number.
_TAG = lazy(r"\[[ xX]$|\[\d+$")
_JOINT = lazy(r"\]\(")
_LONGEST_TEXT = 500
_STRUCTURE = Effect(Change.STRUCTURE)


def malformed(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield URLs that cannot work as written, and links that are shown as text."""
    text = document.source.text
    hosts: frozenset[str] | None = None
    for address in context.table(odd_addresses, document):
        url = address.url
        if address.form == "bare":
            if not url.isascii() and text[slice(*address.span)] == url and (end := swallowed_from(url)) > 0:
                yield _swallowed(address, end)
            continue
        fault = find_fault(url)
        if fault is None and "://" not in url and "." in url:
            if hosts is None:
                web = [link.url for link in document.links if link.url[:4] == "http" and "://" in link.url]
                hosts = frozenset(url.split("/", 3)[2].lower() for url in web)
            if (fault := missing_scheme(url, hosts)) is not None and _is_file(document, url):
                continue
        if fault is not None:
            edits = () if fault.fixed is None else replace(address, fault.fixed, text)
            applicability = Applicability.SAFE if fault.is_certain else Applicability.UNSAFE
            yield RawDiagnostic(address.span, fault.values, edits, applicability, message=fault.message)
    yield from _shown_as_text(document)


def _is_file(document: Document, url: str) -> bool:
    """Return whether a URL without a scheme begins with the name of a file or folder beside the list."""
    name = re.split(r"[/?#]", url, maxsplit=1)[0]
    return os.path.lexists(os.path.join(os.path.dirname(document.source.path or ""), name))


def _swallowed(address: Address, end: int) -> RawDiagnostic:
    """Return the diagnostic of a bare URL, which GitHub ends only at a space."""
    url, after = address.url[:end], address.url[end:]
    edit = Edit(*address.span, f"<{url}>{after}", Effect(Change.DESTINATION, address.url, url))
    return RawDiagnostic(address.span, edits=(edit,), message="swallowed")


def _shown_as_text(document: Document) -> Iterator[RawDiagnostic]:
    """Yield what looks like a link in the source and was not parsed as one."""
    text = document.source.text
    ends = {link.text.end for link in document.links if link.form == "inline"}
    candidates: list[int] = []
    if text.count("](") != len(ends):
        candidates = [match.start() for match in _JOINT.finditer(text) if match.start() not in ends]
    apart = list(_SPACE_BEFORE.finditer(text))
    if not candidates and not apart:
        return
    blocked = _blocked(document)
    for close in candidates:
        spaced, unclosed = _SPACE_INSIDE.match(text, close), _UNCLOSED.match(text, close)
        if not (spaced or unclosed) or _is_blocked(blocked, close) or not _is_opened(text, close):
            continue
        if spaced:
            yield _space_inside(spaced)
        elif unclosed and _CLOSED_BELOW.match(text, unclosed.end()):
            yield RawDiagnostic(Span(*unclosed.span(1)), message="line-break")
        elif unclosed:
            edit = Edit(unclosed.end(), unclosed.end(), ")", _STRUCTURE)
            yield RawDiagnostic(Span(*unclosed.span(1)), edits=(edit,), message="unclosed")
    references = {link.end for link in document.links if link.form == "reference"}
    for match in apart:
        close = match.start()
        if (
            close + 1 in references
            or _is_blocked(blocked, close)
            or not _is_opened(text, close)
            or _TAG.search(text[max(0, close - 5) : close])
        ):
            continue
        edit = Edit(*match.span(1), "", _STRUCTURE)
        applicability = Applicability.SAFE if _begins_item(text, close) else Applicability.UNSAFE
        yield RawDiagnostic(
            Span(*match.span(2)), edits=(edit,), applicability=applicability, message="space-before"
        )


def _space_inside(match: re.Match[str]) -> RawDiagnostic:
    start, end = match.span(1)
    written = match[1]
    after_scheme = re.fullmatch(r"(https?://)[ \t]+(\S+)", written, re.IGNORECASE)
    edits: tuple[Edit, ...] = ()
    if after_scheme:
        edits = (Edit(start + len(after_scheme[1]), end - len(after_scheme[2]), "", _STRUCTURE),)
    elif re.search(r"[ \t](?:\S*/\S*|\S*\.\w{2,5})$", written) and not written.startswith("<"):
        edits = (Edit(start, start, "<", _STRUCTURE), Edit(end, end, ">", _STRUCTURE))
    applicability = Applicability.SAFE if after_scheme else Applicability.UNSAFE
    return RawDiagnostic(Span(start, end), edits=edits, applicability=applicability, message="space-inside")


def _blocked(document: Document) -> list[Span]:
    """Return the sorted spans of links, definitions and what is not text."""
    spans = [Span(link.start, link.end) for link in document.links if link.form != "bare"]
    spans += [Span(definition.start, definition.end) for definition in document.tree.definitions]
    return sorted([*spans, *document.tree.protected])


def _is_blocked(spans: list[Span], close: int) -> bool:
    """Return whether one of the sorted spans extends from before `]` beyond it; nested ones end before."""
    first = bisect_right(spans, close, key=lambda span: span.start)
    return any(span.end > close + 1 for span in spans[max(0, first - 8) : first])


def _is_opened(text: str, close: int) -> bool:
    """Return whether the bracket that closes here is opened in its line and is not empty."""
    return 0 <= opening(text, close, "[]", _LONGEST_TEXT) < close - 1


def _begins_item(text: str, close: int) -> bool:
    line = text[text.rfind("\n", 0, close) + 1 : close]
    return re.match(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*\[[^\[\]]*$", line) is not None
