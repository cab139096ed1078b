"""Pages that say 'not found' and 200 OK: what a host answers for an address that cannot exist."""

from __future__ import annotations

import re
import secrets
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from shelfread.core.link_record import Record, Verdict
from shelfread.core.support.regex import lazy
from shelfread.linkcheck.request import Fetch, FetchError, Reply, Request

ALIKE = 0.9
"""Share of common shingles from which two pages are one."""

_SHINGLE = 5  # words
_HOPS = 4
_TAG = lazy(r"<[^<>]*>")
_WORD = lazy(r"\w+")
_TITLE = lazy(r"<title[^<>]{0,200}>([^<]{0,300})", re.IGNORECASE)
_MISSING = lazy(
    r"\b404\b|(?:page|file|document|article|site|content)\s+(?:was\s+|is\s+|could\s+|can)?(?:not\s*(?:be\s+)?found|missing)"
    r"|\bnot\s+found\b|no\s+longer\s+(?:available|exists)|does\s*(?:n[o']t|\s+not)\s+exist",
    re.IGNORECASE,
)


async def look_closer(record: Record, fetch: Fetch) -> Record:
    """The record of a page that answers, after a comparison with one that cannot be there.

    Two requests; a record that says nothing of a page's being there comes back as it is.
    """
    if record.verdict not in (Verdict.ALIVE, Verdict.MOVED):
        return record
    page = await _page(record.end, fetch)
    if page is None or not 200 <= page.status < 300:
        return record
    if await cannot_tell(page.url, fetch, page.body):
        said = "the host answers any address like this one: nobody can tell"
        return record._replace(verdict=Verdict.BLOCKED, reason=said)
    title = title_of_missing(page.body)
    if title:
        return record._replace(verdict=Verdict.SUSPECT, reason=f"its title is '{title}'")
    return record


async def cannot_tell(url: str, fetch: Fetch, body: bytes) -> bool:
    """Whether a host answers an address that cannot exist just as the one whose body this is."""
    token = secrets.token_hex(12)
    page = await _page(sibling(url, token), fetch)
    if page is None or not 200 <= page.status < 300:
        return False
    if page.url == url:
        return True
    # Each page may say what was asked for: the second is read as if it had been asked for the first.
    name = _name(url)
    return any(
        likeness(body, page.body.replace(token.encode(), asked.encode("utf-8", "replace"))) >= ALIKE
        for asked in {name, unquote(name)}
    )


async def _page(url: str, fetch: Fetch) -> Reply | None:
    """The page at the end of a few redirects; None where there is none to be had."""
    for _ in range(_HOPS):
        try:
            reply = await fetch(Request(url))
        except FetchError:
            return None
        where = reply.headers.get("location")
        if not 300 <= reply.status < 400 or not where:
            return reply._replace(url=url)
        try:
            url = urljoin(url, where).partition("#")[0]
        except ValueError:
            return None
    return None


def sibling(url: str, token: str) -> str:
    """An address beside another that nobody has written, of the same kind (`.html`)."""
    parts = urlsplit(url)
    folder, _, name = parts.path.rstrip("/").rpartition("/")
    kind = name.removeprefix(_name(url))
    slash = "/" if parts.path.endswith("/") and name else ""
    return urlunsplit((parts.scheme, parts.netloc, f"{folder}/{token}{kind}{slash}", "", ""))


def _name(url: str) -> str:
    """The last part of an address's path, without its kind (`.html`)."""
    name = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    stem, dot, extension = name.rpartition(".")
    return stem if dot and len(extension) <= 5 and extension.isalnum() else name


def title_of_missing(body: bytes) -> str:
    """The title of a page that seems to say 'not found'; empty where it says nothing of the kind."""
    found = _TITLE.search(body.decode("utf-8", "replace"))
    title = " ".join(found[1].split()) if found else ""
    return title[:80] if _MISSING.search(title) else ""


def likeness(one: bytes, other: bytes) -> float:
    """The share of shingles that two pages have in common, from 0 to 1."""
    a, b = _shingles(one), _shingles(other)
    return len(a & b) / len(a | b) if a or b else 1.0


def _shingles(body: bytes) -> frozenset[int]:
    """Hashes of each run of words that a page shows; of its source where it shows nearly none."""
    text = body.decode("utf-8", "replace")
    words = _WORD.findall(_TAG.sub(" ", text))
    if len(words) < _SHINGLE:
        words = _WORD.findall(text)
    last = max(len(words) - _SHINGLE, 0)
    return frozenset([hash(tuple(words[at : at + _SHINGLE])) for at in range(last + 1)] if words else [])
