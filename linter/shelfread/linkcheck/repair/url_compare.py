"""How two addresses differ: in nothing that tells things apart, or in more."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shelfread.core.support.regex import lazy
from shelfread.core.web_url import LIKELY_TRACKING, TRACKING, TRACKING_OF_HOST

_PLAIN = lazy(r"https?://[^\s<>\"`{}|\\^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_TRACKING = lazy(
    rf"{'|'.join((TRACKING, *TRACKING_OF_HOST, LIKELY_TRACKING))}|[a-z]{{1,3}}clid|_hs\w+|_ga|_gl|fbc_id"
    # what sites add to the end of a redirect
    r"|redirected(?:from)?|cookieset",
    re.IGNORECASE,
)
_LONGEST = 2000
# What a page is called when it is one of many, which says nothing of its subject.
_ANY = frozenset(
    """abs about abstract archive article blog code content default doc docs document download downloads en full
    fulltext home html index latest main master page paper papers pdf post presentation readme release releases
    show slides stable view wiki""".split()
)


class Parts(NamedTuple):
    """An address as it is compared."""

    host: str
    """In small letters, without `www.`, with the port where it is not the scheme's own."""
    path: str
    """Decoded, in small letters, without a slash at its end."""
    query: tuple[str, ...]
    """Its parameters in any order, without those that only track."""

    @property
    def name(self) -> str:
        """The last segment of the path; empty where it is one that any page may have."""
        last = self.path.rpartition("/")[2]
        return "" if last.partition(".")[0] in _ANY else last


def take_apart(url: str) -> Parts | None:
    """An address of the web; None for one that has a user, is odd, or too long."""
    if len(url) > _LONGEST or not _PLAIN.fullmatch(url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    if not host or "@" in parts.netloc:
        return None
    if port not in (None, {"http": 80, "https": 443}[parts.scheme]):
        host = f"{host}:{port}"
    return Parts(host, unquote(parts.path).lower().rstrip("/"), _parameters(parts.query))


def same_spelling(one: str, other: str) -> bool:
    """Whether two addresses differ in scheme, `www.`, case, a slash at the end or tracking alone."""
    first, second = take_apart(one), take_apart(other)
    return first is not None and first == second


def without_tracking(end: str, written: str) -> str:
    """The end of a redirect without the fragment, and without the tracking that the redirect added."""
    end = end.partition("#")[0]
    before, mark, query = end.partition("?")
    if not mark:
        return end
    own = set(written.partition("#")[0].partition("?")[2].split("&"))
    kept = [one for one in query.split("&") if one in own or not _tracks(one)]
    return before + ("?" + "&".join(kept) if kept else "")


def _parameters(query: str) -> tuple[str, ...]:
    return tuple(sorted(unquote(one) for one in query.split("&") if one and not _tracks(one)))


def _tracks(parameter: str) -> bool:
    return _TRACKING.fullmatch(parameter.partition("=")[0]) is not None
