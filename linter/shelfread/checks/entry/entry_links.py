"""Links of entries: bare URLs, links after text, and several links to one host."""

from __future__ import annotations

import re
from collections import Counter

from shelfread.core.diagnostics import RawDiagnostic, RawDiagnostics, Severity, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.document.passages import addresses, entry_spans, within
from shelfread.index.context import RuleContext
from shelfread.index.conventions import When, learn
from shelfread.index.line_style import labels_of, main_link

_NUMBER = lazy(r"\d+\W*$|\b(?:[ivx]+|[a-d])\W*$", re.IGNORECASE)
_LETTERS = lazy(r"[^\W\d_]{2}")
_BROKEN = lazy(r"\][ \t]?\($|\)\[$")
_LEAST_ITEMS = 10


def bare_url(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report bare URLs in entries of a file whose other links have a text."""
    entries = entry_spans(document)
    forms: Counter[str] = Counter()
    bare: list[Span] = []
    text = document.source.text
    for link in document.links:
        if link.image or not within(entries, link.start):
            continue
        if link.form == "bare" and _BROKEN.search(text, max(0, link.start - 3), link.start):
            continue  # a broken link, which other rules report
        forms["bare" if link.form == "bare" else "link"] += 1
        if link.form == "bare":
            bare.append(Span(link.start, link.end))
    convention = learn(forms, when) if bare else None
    if convention is None or convention.form != "link":
        return
    for span in bare:
        yield RawDiagnostic(span, {"count": convention.cases, "total": convention.total})


def link_first(document: Document, context: RuleContext, *, when: When = "learned") -> RawDiagnostics:
    """Report items with text before their link, in lists whose items begin with it."""
    if when == "never":
        return
    text = document.source.text
    items = [entry for entry in document.entries if entry.dialect in ("classic", "plain-name")]
    late = [
        (entry, span)
        for entry in items
        if text[entry.title_line.start] != "["
        and (span := _first_link(entry))
        and _is_late(entry, span, text)
    ]
    if when == "learned" and (len(items) < _LEAST_ITEMS or len(late) * 10 > len(items)):
        return
    counts = {"count": len(items) - len(late), "total": len(items)}
    for entry, span in late:
        if sum(1 for label in entry.links if not label.link.image) == 1:
            yield RawDiagnostic(span, counts)


def _first_link(entry: Entry) -> Span | None:
    return min((Span(*label.link[:2]) for label in entry.links if not label.link.image), default=None)


def _is_late(entry: Entry, link: Span, text: str) -> bool:
    start = entry.title_line.start
    bracket = text.find("[", start, link.start + 1)  # an image or an icon may come first
    return bracket > start and text[bracket - 1] != "!" and _LETTERS.search(text, start, bracket) is not None


def one_link_per_host(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a second link of an entry to the same host in the same role, unless its label has a number."""
    text = document.source.text
    known = {address.span for address in addresses(document)}
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        main = main_link(entry)
        firsts: dict[tuple[str, str], LabelledLink] = {}
        for label in [*([main] if main else []), *labels_of(entry, text)]:
            if label.role is None or label.link.destination not in known or label.link.image:
                continue
            parts = label.link.url.split("/", 3)
            if len(parts) < 3 or parts[1]:
                continue
            host = parts[2].lower().removeprefix("www.")
            first = firsts.setdefault((host, label.role.id), label)
            if first is label or _NUMBER.search(label.label):
                continue
            same = first.link.url == label.link.url or first.label.casefold() == label.label.casefold()
            values = {"host": host, "role": label.role.label, "first": first.label}
            severity = Severity.ERROR if same else Severity.INFO
            yield RawDiagnostic(Span(label.link.start, label.link.end), values, severity=severity)
