"""A link's address as it is asked for: read once, so that what is judged is what is connected to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import quote, unquote, urljoin, urlsplit

from yarl import URL

from shelfread.core.errors import ConfigError
from shelfread.core.link_record import Trouble
from shelfread.linkcheck.request import FetchError

LONGEST = 8 << 10
"""Bytes of an address; what servers take (Apache's and nginx's default for the request line)."""

_KEPT = "%/:=&?~#+!$,;'@()*[]|^`{}\\"
"""ASCII that is sent as written, beside letters and digits: what browsers leave, or servers know."""

_NUMBER = re.compile(r"(?:\d+|0[xX][0-9a-fA-F]*)$")
_NAME = re.compile(r"[a-z0-9_.~-]+")
_BREAKS = {ord(sign): None for sign in "\t\r\n"}
_BLANK = "".join(map(chr, range(0x21)))


_PLAIN = re.compile(
    r"https?://([a-z0-9.-]+)(?::[1-5]?\d{1,4})?/[\w%/:=&~+!$,;'()*.-]*(?:\?[\w%/:=&?~+!$,;'()*.-]+)?",
    re.ASCII,
)
"""An address that is sent as it is written: nearly all of them."""


@lru_cache(1024)
def on_the_wire(url: str) -> URL:
    """The address as it goes to the server, without its fragment; raises FetchError (refused) for what is never asked."""
    plain = _PLAIN.fullmatch(url)
    if plain and len(url) <= LONGEST and host_name(plain[1]) == plain[1]:
        return URL(url, encoded=True)
    text = url.strip(_BLANK).translate(_BREAKS)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as wrong:
        raise FetchError(Trouble.REFUSED, f"not an address: {wrong}") from None
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https"):
        raise FetchError(Trouble.REFUSED, f"not http or https: {scheme[:20] or 'no scheme'}")
    if "@" in parts.netloc:
        raise FetchError(Trouble.REFUSED, "a user name or a password in the address")
    host = host_name(parts.hostname or "")
    if "[" in parts.netloc and ":" not in host:
        raise FetchError(Trouble.REFUSED, "brackets without an IPv6 address")
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None else f"{shown}:{port}"
    tail = _quoted(parts.path) or "/"
    if parts.query:
        tail += "?" + _quoted(parts.query)
    whole = f"{scheme}://{place}{tail}"
    if len(whole) > LONGEST:
        raise FetchError(Trouble.REFUSED, f"longer than {LONGEST} bytes")
    try:
        return URL(whole, encoded=True)
    except ValueError as wrong:
        raise FetchError(Trouble.REFUSED, f"not an address: {wrong}") from None


def host_of(url: str) -> str:
    """The name of the host that an address leads to; raises FetchError (refused)."""
    plain = _PLAIN.fullmatch(url)
    return host_name(plain[1]) if plain else on_the_wire(url).raw_host or ""


@lru_cache(1024)
def host_name(host: str) -> str:
    """The name to look up, or the address in its plain form; raises FetchError (refused)."""
    if ":" in host:
        try:
            if "%" in host:
                raise ValueError
            return IPv6Address(host).compressed
        except ValueError:
            raise FetchError(Trouble.REFUSED, "not an IPv6 address, or one with a zone") from None
    name = _ascii(unquote(host))
    if _NUMBER.fullmatch(name.removesuffix(".").rpartition(".")[2]):
        # `127.1`, `2130706433` and `0x7f.1` are 127.0.0.1 to some programs: nobody means well by them.
        try:
            return str(IPv4Address(name.removesuffix(".")))
        except ValueError:
            raise FetchError(Trouble.REFUSED, "a number that is not an IPv4 address") from None
    if not _NAME.fullmatch(name) or len(name) > 253 or not name.strip(".") or ".." in name:
        raise FetchError(Trouble.REFUSED, "no host" if not host else "a host that no name server knows")
    return name


def redirected(base: str, location: str) -> str:
    """Where a Location header leads, read as browsers do; its own fragment is kept."""
    clean = location.strip(_BLANK).translate(_BREAKS)
    head, mark, fragment = clean.partition("#")
    path, question, query = head.partition("?")
    try:
        target = urljoin(base, path.replace("\\", "/") + question + query)
    except ValueError as wrong:
        raise FetchError(Trouble.REFUSED, f"not an address: {wrong}") from None
    return _quoted_tail(target) + (mark + _quoted(fragment) if fragment else "")


def freed_hosts(words: Iterable[str]) -> Mapping[str, frozenset[int | None]]:
    """The ports freed for each host that `--allow-private` names; None: those of the web. Raises ConfigError."""
    found: dict[str, frozenset[int | None]] = {}
    for word in words:
        try:
            bare = word.count(":") > 1 and not word.startswith("[")
            parts = urlsplit(f"//[{word}]" if bare else f"//{word}")
            if not parts.hostname or parts.path or parts.query or "@" in parts.netloc:
                raise ValueError
            host, port = host_name(parts.hostname), parts.port
        except (ValueError, FetchError):
            raise ConfigError(
                f"--allow-private {word}: say a host, `wiki.example.org`, or a host and a port, `10.0.0.7:8000`"
            ) from None
        found[host] = found.get(host, frozenset()) | {port}
    return found


def _ascii(name: str) -> str:
    if name.isascii():
        return name.lower()
    try:
        return URL.build(scheme="http", host=name).raw_host or ""
    except ValueError:  # UnicodeError is one
        raise FetchError(Trouble.REFUSED, "a host that no name server knows") from None


def _quoted(text: str) -> str:
    return quote(text, safe=_KEPT, errors="surrogateescape")


def _quoted_tail(url: str) -> str:
    """The same address, what is not ASCII after its host percent-encoded; the bytes of a header stay what they are."""
    parts = urlsplit(url)
    return parts._replace(path=_quoted(parts.path), query=_quoted(parts.query)).geturl()
