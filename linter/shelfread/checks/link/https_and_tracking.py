"""Addresses on the web that could be better without asking the web: https, and no tracking."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic
from shelfread.core.hosts import serves_https
from shelfread.core.support.regex import lazy
from shelfread.core.web_url import TRACKING, TRACKING_OF_HOST
from shelfread.document.addresses import Address, addresses
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_HTTP = lazy(r"http://([^/?#:@\\]+)(?=[/?#]|$)", re.IGNORECASE)
_HINT = lazy(rf"[?&;](?:{'|'.join((TRACKING, *TRACKING_OF_HOST))})=", re.IGNORECASE)
_OF_HOST = [
    (names, lazy(rf"https?://(?:[\w-]+\.)*{hosts}[/?]", re.IGNORECASE))
    for names, hosts in TRACKING_OF_HOST.items()
]
# A campaign that names where the link stands is an agreement, as with a list's sponsors.
_AGREED = lazy(r"git-?hub|awesome|sponsor|readme|affiliat|referral|partner", re.IGNORECASE)


def insecure(
    document: Document, context: RuleContext, *, hosts: tuple[str, ...] = ()
) -> Iterator[RawDiagnostic]:
    """`http:` addresses on hosts that are known to serve https; `hosts` are further ones."""
    text = document.source.text
    for address in context.table(addresses, document):
        if address.url[:5].lower() != "http:":
            continue
        match = _HTTP.match(address.url)
        start = address.span.start
        if match is None or text[start : start + 5].lower() != "http:":
            continue
        if serves_https(match[1]) or match[1].lower() in hosts:
            effect = Effect(Change.DESTINATION, address.url, "https" + address.url[4:])
            yield RawDiagnostic(
                address.span, {"host": match[1].lower()}, (Edit(start, start + 4, "https", effect),)
            )


def tracking(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Parameters that only tell the site who sent the visitor."""
    agreed: str | None = None
    for address in context.table(addresses, document):
        url = address.url
        if "?" not in url or not _HINT.search(url):
            continue
        if agreed is None:
            agreed = _name_of_list(document)
        names = "|".join(["", *(name for name, host in _OF_HOST if host.match(url))])
        pattern = re.compile(rf"[?&]((?:{TRACKING}{names}))=([^&#]*)", re.IGNORECASE)
        query = url[url.index("?") :].partition("#")[0]
        found = pattern.findall(query)
        if not found or any(_is_agreed(name, value, agreed) for name, value in found):
            continue
        edits = _without(address, {name for name, _ in found}, document.source.text)
        yield RawDiagnostic(address.span, {"parameters": _listed([name for name, _ in found])}, edits)


def _name_of_list(document: Document) -> str:
    """The folder's name, which a campaign made for this list would bear."""
    path = os.path.abspath(document.source.path or ".")
    return os.path.basename(os.path.dirname(path)).rpartition("__")[2].partition("@")[0].lower()


def _is_agreed(name: str, value: str, folder: str) -> bool:
    if not name.lower().startswith("utm_"):
        return False
    value = unquote(value).lower()
    return bool(_AGREED.search(value)) or (len(value) > 3 and value in folder)


def _listed(names: list[str]) -> str:
    return ", ".join(dict.fromkeys(names))


def _without(address: Address, names: set[str], text: str) -> tuple[Edit, ...]:
    """The edits that take parameters away: what stays is as it was, in its order, the fragment too."""
    start, end = address.span
    raw = text[start:end]
    first = raw.index("?") if "?" in raw else len(raw)
    last = raw.find("#", first)
    last = len(raw) if last < 0 else last
    cuts: list[tuple[int, int]] = []
    kept = False
    pieces = list(re.finditer(r"([?]|&amp;|&)((?:(?!&)[^?])*|[^&]*)", raw[first:last]))
    for piece in pieces:
        if piece[2].partition("=")[0] in names:
            cuts.append((first + piece.start(), first + piece.end()))
        elif not kept:
            kept = True
            if cuts:
                # What goes is what stands before the first that stays, with the mark after it.
                cuts = [(first + 1, first + piece.start(2))]
    after = raw
    for begin, stop in reversed(cuts):
        after = after[:begin] + after[stop:]
    url = unescapeAll(after)
    if not cuts or unescapeAll(raw) != address.url:
        return ()
    effect = Effect(Change.DESTINATION, address.url, url)
    return tuple(Edit(start + begin, start + stop, "", effect) for begin, stop in _merged(cuts))


def _merged(cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for begin, stop in cuts:
        if merged and merged[-1][1] == begin:
            merged[-1] = (merged[-1][0], stop)
        else:
            merged.append((begin, stop))
    return merged
