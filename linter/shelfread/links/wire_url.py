"""URLs as they are requested: parsed once, so that the host that is checked is the host that is connected to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from ipaddress import IPv6Address
from socket import inet_aton, inet_ntoa
from urllib.parse import quote, unquote, urljoin, urlsplit

from yarl import URL

from shelfread.core.errors import ConfigError
from shelfread.index.answers import Trouble
from shelfread.links.exchange import FetchError

LONGEST = 8 << 10  # bytes of a URL: the default limit of Apache and nginx for the request line

_PATH_KEPT = "%/:=&~+!$,;'@()*[]|"
# ASCII that is sent as written in a path and in a query, besides letters and digits, as browsers do
# (<https://url.spec.whatwg.org/#percent-encoded-bytes>).
_QUERY_KEPT = "%/:=&?~+!$,;@()*[]|^`{}\\"

_HERE = (".", "%2e")
_PARENT = ("..", ".%2e", "%2e.", "%2e%2e")
_DOTS = re.compile(r"/(?:\.|%2[eE]){1,2}(?:/|$)")
_SCHEME = re.compile(r"(https?):(/*)", re.IGNORECASE)
_NUMBER = re.compile(r"(?:\d+|0[xX][0-9a-fA-F]*)$")
_NO_DIGITS = re.compile(r"\b0x(?![^.])")  # browsers read it as 0, the system does not
_NAME = re.compile(r"[a-z0-9_.~-]+")
_LINE_BREAKS = {ord(character): None for character in "\t\r\n"}
# Invisible characters that names of hosts do not have (<https://www.unicode.org/reports/tr46/>).
_IGNORED = dict.fromkeys(map(ord, "\u00ad\u034f\u200b\u2060\u2064\ufeff"))
_WHITESPACE = "".join(map(chr, range(0x21)))


@lru_cache(1024)
def on_the_wire(url: str) -> URL:
    """Return the URL as it is sent, without its fragment; raises FetchError (refused) if it is never requested."""
    text = url.strip(_WHITESPACE).translate(_LINE_BREAKS)
    try:
        parts = urlsplit(_with_slashes(text.partition("#")[0]))
        port = parts.port
    except ValueError as error:
        raise FetchError(Trouble.REFUSED, f"not a URL: {error}") from None
    scheme = parts.scheme.lower()
    if scheme not in ("http", "https"):
        raise FetchError(Trouble.REFUSED, f"not http or https: {scheme[:20] or 'no scheme'}")
    if "@" in parts.netloc:
        raise FetchError(Trouble.REFUSED, "a user name or a password in the URL")
    host = host_name(parts.hostname or "")
    if "[" in parts.netloc and ":" not in host:
        raise FetchError(Trouble.REFUSED, "brackets without an IPv6 address")
    authority = f"[{host}]" if ":" in host else host
    if port is not None:
        authority += f":{port}"
    tail = _without_dots(_quoted(parts.path, _PATH_KEPT)) or "/"
    if parts.query:
        tail += "?" + _quoted(parts.query, _QUERY_KEPT)
    sent = f"{scheme}://{authority}{tail}"
    if len(sent) > LONGEST:
        raise FetchError(Trouble.REFUSED, f"longer than {LONGEST} bytes")
    try:
        return URL(sent, encoded=True)
    except ValueError as error:
        raise FetchError(Trouble.REFUSED, f"not a URL: {error}") from None


def request_host(url: str) -> str:
    """Return the host of a URL; raises FetchError (refused)."""
    return on_the_wire(url).raw_host or ""


@lru_cache(1024)
def host_name(host: str) -> str:
    """Return the name to resolve, or the normalized IP address; raises FetchError (refused)."""
    if ":" in host:
        try:
            if "%" in host:
                raise ValueError
            return IPv6Address(host).compressed
        except ValueError:
            raise FetchError(Trouble.REFUSED, "not an IPv6 address, or one with a zone") from None
    name = _ascii(unquote(host))
    is_name = _NAME.fullmatch(name) is not None  # what parses numbers takes blanks and what follows them
    if is_name and _NUMBER.fullmatch(name.removesuffix(".").rpartition(".")[2]):
        return _ipv4(name)
    if not is_name or len(name) > 253 or not name.strip(".") or ".." in name:
        raise FetchError(Trouble.REFUSED, "no host" if not host else "a host that no name server knows")
    return name


def redirected(base: str, location: str) -> str:
    """Return the target of a Location header, read as browsers do, with its fragment."""
    clean = location.strip(_WHITESPACE).translate(_LINE_BREAKS)
    page, mark, fragment = clean.partition("#")
    try:
        parts = urlsplit(urljoin(base, _with_slashes(page, urlsplit(base).scheme)))
    except ValueError as error:
        raise FetchError(Trouble.REFUSED, f"not a URL: {error}") from None
    path, query = _quoted(parts.path, _PATH_KEPT), _quoted(parts.query, _QUERY_KEPT)
    quoted = parts._replace(path=path, query=query).geturl()
    return quoted + (mark + _quoted(fragment, _QUERY_KEPT) if fragment else "")


def private_hosts(words: Iterable[str]) -> Mapping[str, frozenset[int | None]]:
    """Return the allowed ports for each host of `--allow-private`; None: those of the web. Raises ConfigError."""
    ports: dict[str, frozenset[int | None]] = {}
    for word in words:
        try:
            bare = word.count(":") > 1 and not word.startswith("[")
            parts = urlsplit(f"//[{word}]" if bare else f"//{word}")
            if not parts.hostname or parts.path or parts.query or "@" in parts.netloc:
                raise ValueError
            host, port = host_name(parts.hostname), parts.port
        except (ValueError, FetchError):
            raise ConfigError(
                f"--allow-private {word}: give a host, `wiki.example.org`, or a host and a port, `10.0.0.7:8000`"
            ) from None
        ports[host] = ports.get(host, frozenset()) | {port}
    return ports


def _ipv4(name: str) -> str:
    """Return the address that browsers read in numbers: `127.1`, `2130706433` and `0x7f.1` are 127.0.0.1."""
    try:
        return inet_ntoa(inet_aton(_NO_DIGITS.sub("0", name.removesuffix("."))))
    except OSError:
        raise FetchError(Trouble.REFUSED, "a number that is not an IPv4 address") from None


def _ascii(name: str) -> str:
    if name.isascii():
        return name.lower()
    try:
        return URL.build(scheme="http", host=name.translate(_IGNORED)).raw_host or ""
    except ValueError:  # UnicodeError is one
        raise FetchError(Trouble.REFUSED, "a host that no name server knows") from None


def _quoted(text: str, kept: str) -> str:
    """Percent-encode what is not ASCII or not in `kept`; bytes of a header are kept."""
    return quote(text, safe=kept, errors="surrogateescape")


def _with_slashes(page: str, base: str = "") -> str:
    """Return a URL without fragment with slashes for backslashes, and two before its host unless it is relative to a `base`."""
    path, mark, query = page.partition("?")
    path = path.replace("\\", "/")
    absolute = _SCHEME.match(path)
    if absolute and (len(absolute[2]) > 1 or absolute[1].lower() != base):
        path = f"{absolute[1]}://{path[absolute.end() :]}"
    elif path.startswith("///"):
        path = "//" + path.lstrip("/")
    return path + mark + query


def _without_dots(path: str) -> str:
    """Resolve the segments `.` and `..` of a path, also percent-encoded ones."""
    if not _DOTS.search(path):
        return path
    kept: list[str] = []
    *folders, last = path.split("/")[1:]
    for segment in folders:
        if segment.lower() in _PARENT:
            del kept[-1:]
        elif segment.lower() not in _HERE:
            kept.append(segment)
    if last.lower() in _PARENT:
        del kept[-1:]
    kept.append("" if last.lower() in (*_HERE, *_PARENT) else last)
    return "/" + "/".join(kept)
