"""Recognizes 'not found' pages with status 200, by comparison with a URL that cannot exist."""

from __future__ import annotations

import secrets
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from shelfread.core.support.regex import lazy
from shelfread.index.network.link_record import FOUND, LinkRecord, Verdict
from shelfread.links.request import Fetch, FetchError, Reply, Request

SIMILAR = 0.9
"""From this share of common shingles on, two pages count as the same."""

_SHINGLE = 5  # words
_MAX_HOPS = 4
_TAG = lazy(r"<[^<>]*>")
_WORD = lazy(r"\w+")
_TITLE = lazy(r"(?i)<title[^<>]{0,200}>([^<]{0,300})")
_NOT_FOUND = lazy(
    r"(?i)\b404\b|(?:page|file|document|article|site|content)\s+(?:was\s+|is\s+|could\s+|can)?(?:not\s*(?:be\s+)?found|missing)"
    r"|\bnot\s+found\b|no\s+longer\s+(?:available|exists)|does\s*(?:n[o']t|\s+not)\s+exist"
)


async def check_soft_404(record: LinkRecord, fetch: Fetch) -> LinkRecord:
    """Return the record after a comparison of its page with one that cannot exist.

    It takes two requests; only records of pages that were found are compared.
    """
    if record.verdict not in FOUND:
        return record
    page = await _fetch_page(record.end, fetch)
    if page is None or not 200 <= page.status < 300:
        return record
    if await answers_anything(page.url, fetch, page.body):
        reason = "the host answers every URL like this one, whether or not the page exists"
        return record._replace(verdict=Verdict.BLOCKED, reason=reason)
    title = not_found_title(page.body)
    if title:
        return record._replace(verdict=Verdict.SUSPECT, reason=f"its title is '{title}'")
    return record


async def answers_anything(url: str, fetch: Fetch, body: bytes) -> bool:
    """Whether a host answers a URL that cannot exist in the same way as the one with this body."""
    token = secrets.token_hex(12)
    page = await _fetch_page(sibling(url, token), fetch)
    if page is None or not 200 <= page.status < 300:
        return False
    if page.url == url:
        return True
    # Pages may repeat the requested name: in the second page it is replaced by that of the first.
    name = _name(url)
    return any(
        similarity(body, page.body.replace(token.encode(), requested.encode("utf-8", "replace"))) >= SIMILAR
        for requested in {name, unquote(name)}
    )


async def _fetch_page(url: str, fetch: Fetch) -> Reply | None:
    """Return the page at the end of a few redirects; None if there is none."""
    for _ in range(_MAX_HOPS):
        try:
            reply = await fetch(Request(url))
        except FetchError:
            return None
        location = reply.headers.get("location")
        if not 300 <= reply.status < 400 or not location:
            return reply._replace(url=url)
        try:
            url = urljoin(url, location).partition("#")[0]
        except ValueError:
            return None
    return None


def sibling(url: str, token: str) -> str:
    """Return a URL next to another one that cannot exist, with the same extension (`.html`)."""
    parts = urlsplit(url)
    folder, _, name = parts.path.rstrip("/").rpartition("/")
    extension = name.removeprefix(_name(url))
    slash = "/" if parts.path.endswith("/") and name else ""
    return urlunsplit((parts.scheme, parts.netloc, f"{folder}/{token}{extension}{slash}", "", ""))


def _name(url: str) -> str:
    """The last segment of the path, without its extension (`.html`)."""
    name = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return stem if dot and len(extension) <= 5 and extension.isalnum() else name


def not_found_title(body: bytes) -> str:
    """Return the title of a page if it means 'not found', else an empty string."""
    found = _TITLE.search(body.decode("utf-8", "replace"))
    title = " ".join(found[1].split()) if found else ""
    return title[:80] if _NOT_FOUND.search(title) else ""


def similarity(body: bytes, other: bytes) -> float:
    """Return the share of common shingles of two pages, from 0 to 1."""
    a, b = _shingles(body), _shingles(other)
    return len(a & b) / len(a | b) if a or b else 1.0


def _shingles(body: bytes) -> frozenset[int]:
    """Hashes of each sequence of words in the text of a page, or in its source if there is hardly any text."""
    text = body.decode("utf-8", "replace")
    words = _WORD.findall(_TAG.sub(" ", text))
    if len(words) < _SHINGLE:
        words = _WORD.findall(text)
    starts = range(max(len(words) - _SHINGLE, 0) + 1) if words else ()
    return frozenset([hash(tuple(words[start : start + _SHINGLE])) for start in starts])
