"""The links of an entry as a whole: their form, and how many lead to one place."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from shelfread.core.diagnostics import RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import addresses
from shelfread.document.model import Document, Entry, LabelledLink
from shelfread.index.context import RuleContext
from shelfread.index.conventions.majority import When, learn
from shelfread.index.conventions.title_line import labels_of, main_link

_NUMBER = lazy(r"\d+\W*$|\b(?:[ivx]+|[a-d])\W*$", re.IGNORECASE)
_BROKEN = lazy(r"\][ \t]?\($|\)\[$")


def bare_url(document: Document, context: RuleContext, *, when: When = "learned") -> Iterator[RawDiagnostic]:
    """Addresses in entries that stand for themselves, where the list writes links."""
    entries = _joined(document.entries)
    starts = [span.start for span in entries]
    forms: Counter[str] = Counter()
    bare: list[Span] = []
    text = document.source.text
    for link in document.links:
        number = bisect_right(starts, link.start) - 1
        if link.image or number < 0 or link.start >= entries[number].end:
            continue
        if link.form == "bare" and _BROKEN.search(text, max(0, link.start - 3), link.start):
            continue  # a link that a slip made text has rules of its own
        forms["bare" if link.form == "bare" else "link"] += 1
        if link.form == "bare":
            bare.append(Span(link.start, link.end))
    convention = learn(forms, when) if bare else None
    if convention is None or convention.form != "link":
        return
    for span in bare:
        yield RawDiagnostic(span, {"count": convention.cases, "total": convention.total})


def _joined(entries: tuple[Entry, ...]) -> list[Span]:
    """The spans of entries that are in no other."""
    joined: list[Span] = []
    for span in sorted(entry.span for entry in entries):
        if not joined or span.start >= joined[-1].end:
            joined.append(span)
    return joined


def one_link_per_host(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """A second link of an entry to the same host in the same role; parts that are counted are several things."""
    text = document.source.text
    known = {address.span for address in context.table(addresses, document)}
    for entry in document.entries:
        if len(entry.links) < 2:
            continue
        main = main_link(entry)
        firsts: dict[tuple[str, str], LabelledLink] = {}
        for one in [*([main] if main else []), *labels_of(entry, text)]:
            if one.role is None or one.link.destination not in known or one.link.image:
                continue
            parts = one.link.url.split("/", 3)
            if len(parts) < 3 or parts[1]:
                continue
            host = parts[2].lower().removeprefix("www.")
            first = firsts.setdefault((host, one.role.id), one)
            if first is one or _NUMBER.search(one.label):
                continue
            same = first.link.url == one.link.url or first.label.casefold() == one.label.casefold()
            values = {"host": host, "role": one.role.label, "first": first.label}
            severity = Severity.ERROR if same else Severity.INFO
            yield RawDiagnostic(Span(one.link.start, one.link.end), values, severity=severity)
