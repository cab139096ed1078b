"""Addresses on the web that could be better without asking the web: https, and no tracking."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from markdown_it.common.utils import unescapeAll

from shelfread.checks.common.addresses import Address, addresses
from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.index import Survey

_HTTP = lazy(r"http://([^/?#:@\\]+)(?=[/?#]|$)", re.IGNORECASE)
_NAME = (
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ysclid|twclid|ttclid|mc_cid|mc_eid|igshid|igsh"
    r"|ref_src|ref_url|_hsenc|_hsmi|mkt_tok|srsltid|vero_id|oly_enc_id|oly_anon_id"
)
_HINT = lazy(rf"[?&;](?:{_NAME}|si|spm|trk|trackingId)=", re.IGNORECASE)
# What only certain sites mean as tracking.
_OF_HOST = (
    (
        "si",
        lazy(
            r"https?://(?:[\w-]+\.)*(?:youtube\.com|youtu\.be|youtube-nocookie\.com|spotify\.com)[/?]", re.I
        ),
    ),
    (
        "spm",
        lazy(
            r"https?://(?:[\w-]+\.)*(?:taobao|tmall|aliyun|alibaba|aliexpress|alibabacloud|csdn)\.(?:com|net)[/?]",
            re.I,
        ),
    ),
    ("trk|trackingId", lazy(r"https?://(?:[\w-]+\.)*linkedin\.com[/?]", re.I)),
)
# A campaign that names where the link stands is an agreement, as with a list's sponsors.
_AGREED = lazy(r"git-?hub|awesome|sponsor|readme|affiliat|referral|partner", re.IGNORECASE)


class _Hosts(NamedTuple):
    """Hosts that serve https: by name, and those of which every direct subdomain does."""

    names: frozenset[str]
    parents: frozenset[str]

    def has(self, host: str) -> bool:
        """Whether a host is known; its `www.` goes with it."""
        host = host.lower()
        bare = host.removeprefix("www.")
        return host in self.names or bare in self.names or host.partition(".")[2] in self.parents


@cache
def _hosts() -> _Hosts:
    from shelfread.core.errors import UserError
    from shelfread.core.support.resources import SCHEMA
    from shelfread.core.support.strict_yaml import read
    from shelfread.core.support.yaml_cache import load_cached

    file = SCHEMA / "hosts.yaml"
    data = load_cached(SCHEMA, [file], lambda path: read(path, UserError).data)["hosts.yaml"]
    return _Hosts(frozenset(" ".join(data["names"]).split()), frozenset(" ".join(data["parents"]).split()))


def serves_https(host: str) -> bool:
    """Whether a host is known to serve https, without asking it."""
    return _hosts().has(host)


def insecure(document: Document, survey: Survey, *, hosts: tuple[str, ...] = ()) -> Iterator[RawDiagnostic]:
    """`http:` addresses on hosts that are known to serve https; `hosts` are further ones."""
    text = document.source.text
    for address in addresses(document):
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


def tracking(document: Document, survey: Survey) -> Iterator[RawDiagnostic]:
    """Parameters that only tell the site who sent the visitor."""
    agreed: str | None = None
    for address in addresses(document):
        url = address.url
        if "?" not in url or not _HINT.search(url):
            continue
        if agreed is None:
            agreed = _name_of_list(document)
        names = "|".join(["", *(name for name, host in _OF_HOST if host.match(url))])
        pattern = re.compile(rf"[?&]((?:{_NAME}{names}))=([^&#]*)", re.IGNORECASE)
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
