"""Compares URLs: do two of them name the same page?"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shelfread.core.patterns import lazy
from shelfread.links.classify.suspicion import LANGUAGE
from shelfread.links.link_words import link_words
from shelfread.taxonomy.hosts import TRACKING, TRACKING_OF_HOST, registrable

_PLAIN = lazy(r"https?://[^\s<>\"`{}|\\^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_TRACKING = lazy(
    rf"(?i){'|'.join((TRACKING, *TRACKING_OF_HOST))}|[a-z]{{1,3}}clid|_hs\w+|_ga|_gl|fbc_id"
    # what sites add to the end of a redirect
    r"|redirected(?:from)?|cookieset"
)
_LANGUAGE = lazy(LANGUAGE)
_MIRROR = lazy(r"^www\d+\.")
_LONGEST = 2000
_NUMBER = lazy(
    r"\d+|\b(?:latest|stable|dev|devel|nightly|current|next|beta|master|main|head|trunk|release)\b"
)
_USER = lazy(
    r"/(?:[~@]|(?:u|users?|people|persons?|profiles?|members?|authors?|in|channels?|c|blogs?/users?)/)([^/]+)(?=/)"
)
_ORDINARY_NAMES = link_words("ordinary_names")
_GENERIC_NAMES = link_words("generic_names")


class NormalizedUrl(NamedTuple):
    """The parts of a URL by which it is compared."""

    host: str
    """In lower case, without `www.`, with the port if it is not the default."""
    path: str
    """Decoded, in lower case, without a final slash."""
    query: tuple[str, ...]
    """Its parameters, sorted, without those that only track visitors."""

    @property
    def name(self) -> str:
        """The last segment of the path; empty if it is a generic name."""
        last = self.path.rpartition("/")[2]
        return "" if last.partition(".")[0] in _GENERIC_NAMES else last


def normalize(url: str) -> NormalizedUrl | None:
    """Return the parts of an http or https URL; None if it has a user or odd characters, or is too long."""
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
    query = [unquote(item) for item in parts.query.split("&") if item and not _is_tracking(item)]
    return NormalizedUrl(host, unquote(parts.path).lower().rstrip("/"), tuple(sorted(query)))


def same_numbers(url: str, other: str) -> bool:
    """Whether the hosts and paths of two URLs have the same numbers and words of versions: no year or version differs."""
    first, second = normalize(url), normalize(other)
    return first is not None and second is not None and _numbers(first) == _numbers(second)


def same_languages(url: str, other: str) -> bool:
    """Whether two URLs name the same languages, in a subdomain or a folder: a host may choose them for its visitor."""
    first, second = normalize(url), normalize(other)
    return first is not None and second is not None and _languages(first) == _languages(second)


def same_users(url: str, other: str) -> bool:
    """Whether two URLs name the same users, as `~user` and `/users/user` do."""
    first, second = normalize(url), normalize(other)
    if first is None or second is None:
        return False
    return _USER.findall(first.path + "/") == _USER.findall(second.path + "/")


def may_change_owner(url: str, other: str) -> bool:
    """Whether a subdomain or first folder, which may be an owner, is replaced by another (`/ada/x`, `/bob/x`).

    Ordinary names (`docs`, `papers`) are no owners, and what is only moved to another place of the URL is not replaced.
    """
    first, second = normalize(url), normalize(other)
    if first is None or second is None:
        return True
    gone = _owner_names(first).difference(_owner_names(second), second.path.split("/"))
    new = _owner_names(second).difference(_owner_names(first), first.path.split("/"))
    return bool(gone) and bool(new) and not gone | new <= _ORDINARY_NAMES


def is_same_page(url: str, other: str) -> bool:
    """Whether two URLs differ only in scheme, `www.`, case, a final slash or tracking."""
    first, second = normalize(url), normalize(other)
    return first is not None and first == second


def without_tracking(end: str, written: str) -> str:
    """Return the end of a redirect without its fragment, and without tracking that the redirect added."""
    end = end.partition("#")[0]
    before, mark, query = end.partition("?")
    if not mark:
        return end
    own = set(written.partition("#")[0].partition("?")[2].split("&"))
    kept = [parameter for parameter in query.split("&") if parameter in own or not _is_tracking(parameter)]
    return before + ("?" + "&".join(kept) if kept else "")


def _is_tracking(parameter: str) -> bool:
    return _TRACKING.fullmatch(parameter.partition("=")[0]) is not None


def _owner_names(url: NormalizedUrl) -> set[str]:
    """The subdomains and the first folder of a URL."""
    host = _MIRROR.sub("", url.host)
    subdomains = host.removesuffix(registrable(host)).split(".")
    return {*subdomains, *url.path.split("/")[1:-1][:1]} - {""}


def _languages(url: NormalizedUrl) -> set[str]:
    names = (*url.host.split(".")[:-1], *url.path.split("/"))
    return {name for name in names if _LANGUAGE.fullmatch(name)}


def _numbers(url: NormalizedUrl) -> list[str]:
    host = _MIRROR.sub("", url.host)
    return sorted(_NUMBER.findall(host) + _NUMBER.findall(url.path))
