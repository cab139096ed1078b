"""The looks of links: addresses with a slip in them, and links that lack one half."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Iterator

from shelfread.checks.link.url_repair import examine, lacks_scheme, swallows
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import Address, odd_addresses, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Code, Emphasis, Html, Inline, Link, Text

# What CommonMark reads as text: a blank in the address, no `)` behind it, a blank before its `(`.
_BLANK = lazy(
    r"\]\(((?:<?https?:/{0,2}|www\.|\.{1,2}/)[^\s()<>\"']*(?:[ \t]+[^\s()<>\"'][^\s()<>]*)+)\)", re.IGNORECASE
)
_UNCLOSED = lazy(r"\]\((https?://[^\s()<>\[\]]+)(?=[ \t]*(?:$|[ \t]\[|\|))", re.IGNORECASE | re.MULTILINE)
_APART = lazy(r"\]([ \t]+)\((https?://[^\s()<>]+)\)", re.IGNORECASE)
_CLOSED_BELOW = lazy(r"[ \t]*\r?\n[ \t>]*[^\s()\[\]]+\)")
# A task's box, or a number.
_TAG = lazy(r"\[[ xX]$|\[\d+$")
_JOINT = lazy(r"\]\(")
_STRUCTURE = Effect(Change.STRUCTURE)


def malformed(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Addresses that lead nowhere because of a slip, and links that a slip has made text."""
    text = document.source.text
    hosts: frozenset[str] | None = None
    for address in context.table(odd_addresses, document):
        url = address.url
        if address.form == "bare":
            at = -1 if url.isascii() or text[address.span.start : address.span.end] != url else swallows(url)
            if at > 0:
                yield _swallowed(address, at)
            continue
        fault = examine(url)
        if fault is None and "://" not in url and "." in url:
            if hosts is None:
                hosts = frozenset(_hosts(document))
            fault = lacks_scheme(url, hosts)
            if fault is not None and _is_beside(document, url):
                fault = None
        if fault is not None:
            edits = () if fault.mended is None else replace(address, fault.mended, text)
            safe = Applicability.SAFE if fault.safe else Applicability.UNSAFE
            yield RawDiagnostic(address.span, {"fault": fault.name}, edits, safe)
    yield from _as_text(document)


def _hosts(document: Document) -> Iterator[str]:
    for link in document.links:
        if link.url[:4] == "http" and "://" in link.url:
            yield link.url.split("/", 3)[2].lower()


def _is_beside(document: Document, url: str) -> bool:
    """Whether an address without a scheme begins with a file's or folder's name."""
    name = re.split(r"[/?#]", url, maxsplit=1)[0]
    return os.path.lexists(os.path.join(os.path.dirname(document.source.path or ""), name))


def _swallowed(address: Address, at: int) -> RawDiagnostic:
    """An address in running text, which Markdown ends only at a blank."""
    start, end = address.span
    url, rest = address.url[:at], address.url[at:]
    edit = Edit(start, end, f"<{url}>{rest}", Effect(Change.DESTINATION, address.url, url))
    return RawDiagnostic(address.span, {"fault": "text behind it that it swallows"}, (edit,))


def _as_text(document: Document) -> Iterator[RawDiagnostic]:
    """Links that a slip has made text: what looks like one in the source and was not parsed as one."""
    text = document.source.text
    ends = {link.text.end for link in document.links if link.form == "inline"}
    candidates: list[int] = []
    if text.count("](") != len(ends):
        candidates = [at.start() for at in _JOINT.finditer(text) if at.start() not in ends]
    apart = list(_APART.finditer(text))
    if not candidates and not apart:
        return
    blocked = _blocked(document)
    for at in candidates:
        blank, unclosed = _BLANK.match(text, at), _UNCLOSED.match(text, at)
        if not (blank or unclosed) or _holds(blocked, at) or not _opened(text, at):
            continue
        if blank:
            yield _with_blank(blank)
        elif unclosed and _CLOSED_BELOW.match(text, unclosed.end()):
            yield RawDiagnostic(Span(*unclosed.span(1)), {"fault": "a line break in it"})
        elif unclosed:
            edit = Edit(unclosed.end(), unclosed.end(), ")", _STRUCTURE)
            yield RawDiagnostic(Span(*unclosed.span(1)), {"fault": "no ')' behind it"}, (edit,))
    linked = {link.end for link in document.links if link.form == "reference"}
    for match in apart:
        at = match.start()
        if (
            at + 1 in linked
            or _holds(blocked, at)
            or not _opened(text, at)
            or _TAG.search(text[max(0, at - 5) : at])
        ):
            continue
        edit = Edit(*match.span(1), "", _STRUCTURE)
        safe = Applicability.SAFE if _begins_item(text, match.start()) else Applicability.UNSAFE
        yield RawDiagnostic(Span(*match.span(2)), {"fault": "a blank before its '('"}, (edit,), safe)


def _with_blank(match: re.Match[str]) -> RawDiagnostic:
    start, end = match.span(1)
    written = match[1]
    joined = re.fullmatch(r"(https?:/{0,2})[ \t]+(\S+)", written, re.IGNORECASE)
    edits: tuple[Edit, ...] = ()
    safe = Applicability.UNSAFE
    if joined and joined[1].endswith("//"):
        edits, safe = (
            (Edit(start + len(joined[1]), end - len(joined[2]), "", _STRUCTURE),),
            Applicability.SAFE,
        )
    elif re.search(r"[ \t](?:\S*/\S*|\S*\.\w{2,5})$", written) and not written.startswith("<"):
        edits = (Edit(start, start, "<", _STRUCTURE), Edit(end, end, ">", _STRUCTURE))
    return RawDiagnostic(Span(start, end), {"fault": "a blank in it"}, edits, safe)


def _blocked(document: Document) -> list[Span]:
    """Links that are links, and what is no text."""
    spans = [Span(link.start, link.end) for link in document.links if link.form != "bare"]
    spans += [Span(one.start, one.end) for one in document.tree.definitions]
    return sorted([*spans, *document.tree.protected])


def _holds(spans: list[Span], at: int) -> bool:
    """Whether one of the sorted spans goes over `]` into what follows; nested ones end before."""
    first = bisect_right(spans, at, key=lambda span: span.start)
    return any(span.end > at + 1 for span in spans[max(0, first - 8) : first])


def _opened(text: str, close: int) -> bool:
    """Whether the bracket that ends here has been opened in its line, by no escaped mark."""
    depth = 0
    at = close
    floor = max(text.rfind("\n", 0, close), close - 500)
    while at > floor:
        if text[at] in "[]" and text[at - 1 : at] != "\\":
            depth += 1 if text[at] == "]" else -1
            if depth == 0:
                return at + 1 < close
        at -= 1
    return False


def _begins_item(text: str, close: int) -> bool:
    line = text[text.rfind("\n", 0, close) + 1 : close]
    return re.match(r"[ \t>]*(?:[-*+]|\d+[.)])?[ \t]*\[[^\[\]]*$", line) is not None


def empty(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Links without an address, and links that show nothing."""
    for link in document.links:
        url, shown = link.url, link.children
        if url and shown and isinstance(shown[0], Text) and shown[0].value[:1].isalnum():
            continue  # as nearly all
        if not url and link.form != "reference":
            yield RawDiagnostic(Span(link.start, link.end), {"lack": "address"})
        elif (not link.image and not link.children and link.form != "autolink") or _is_blank(link):
            tag = document.source.text[link.start : link.text.start].lower() if link.form == "html" else ""
            if (url == "#" and link.form == "inline") or not (
                url.startswith("#") or "id=" in tag or "name=" in tag
            ):
                yield RawDiagnostic(Span(link.start, link.end), {"lack": "text"})


def _is_blank(link: Link) -> bool:
    return not link.image and bool(link.children) and all(map(_shows_nothing, link.children))


def _shows_nothing(node: Inline) -> bool:
    if isinstance(node, Text):
        return not node.value.strip(" \t\u200b\ufeff")
    if isinstance(node, Emphasis):
        return all(map(_shows_nothing, node.children))
    return not isinstance(node, Code | Link | Html)
