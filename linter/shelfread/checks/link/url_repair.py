"""Finds slips in URLs from how they are written, and the URL without the slip."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import NamedTuple

from shelfread.checks.common import WORDS
from shelfread.core.patterns import lazy
from shelfread.document.passages import is_plain


class Fault(NamedTuple):
    """A slip in a URL: the name of its message, with the values that the message needs."""

    message: str
    fixed: str | None = None  # the URL without the slip, if that is likely
    is_certain: bool = False  # the fixed URL is the only possible one
    values: Mapping[str, object] = MappingProxyType({})


_LONGEST = 4096
_WEB = lazy(r"(?i)https?://[^/?#]")
_SCHEME = lazy(r"([A-Za-z]{2,9})([:;：]?)(/{1,4}|／{2}|\\{1,2})(?=[^/\\])")
_GLUED_SCHEME = lazy(r"(?i)(https?):(?=[a-z0-9-]+\.[a-z])")
_SCHEME_TWICE = lazy(r"(?i)(?:https?:?/{0,3}(?:www\.)?)+(?=https?://[^/])")
_NESTED = lazy(r"\[([^\[\]]*)\]\((.*)\)")
_AROUND = {"(": ")", '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`", "<": ">", "（": "）"}
_INVISIBLE = "\ufeff\u200b\u2060\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_ENDS = _INVISIBLE + "\u200c\u200d\u00a0\u3000"
_ASCII = str.maketrans("：／．？＝＆＃％＿－～", ":/.?=&#%_-~")
_FULL_WIDTH_HOST = lazy(r"(?i)https?[:：][/／]{2}[^/／?？#＃]*[：／．－＿][^/?#]*|https?：//")
_STRAY = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【", "」": "「", "』": "『", "》": "《"}
_STRAY_ALWAYS = ",;>\"'`|\\<“”‘’。，、；：！？"
_FULL_STOP = lazy(r"(?i)\.(?:pdf|html?|php|aspx?|md|zip|pptx?)\.+$")
# Of a host, and of a word that is no abbreviation: `https://shelf.dev.`, `/acme/Box.`
_STOP_OF_SENTENCE = lazy(
    r"(?i)https?://[^/?#]+(?P<path>/[^#]*(?:[a-z0-9-]{3}(?<!inc)(?<!ltd)(?<!corp)(?<!etc)|#[\w-]{3,}))?(?<=[a-z0-9-])\.$"
)
_SECOND_URL = lazy(r"(?i)(?<!%[0-9a-f])[a-z0-9_)\]]https?://")
_CUT = lazy(r"[^\W_](?:\.{3}|…)$")
_HOST = lazy(r"(?i)https?://(?:[^/?#@]*@)?([^/?#:]*)")
_MAIL = lazy(r"[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}", re.IGNORECASE | re.ASCII)
_WWW = lazy(r"(?i)www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#:][^\s]*)?")
_HOST_AND_PATH = lazy(r"(?i)([a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.([a-z]{2,}))(?::\d+)?(?:([/?#])\S*)?")


def find_fault(url: str) -> Fault | None:
    """Return the slip in the URL of a link; None if none is certain."""
    if is_plain(url):
        return None
    if not 0 < len(url) < _LONGEST or url[0] in "#/.?":
        return None
    if "{" in url or "<" in url[1:]:
        return None
    fault = _around(url) or _scheme(url)
    if fault is None and _WEB.match(url):
        fault = _end(url) or _inside(url)
    return fault


def missing_scheme(url: str, hosts: Container[str]) -> Fault | None:
    """Return the fault of a URL without a scheme; `hosts` are known ones. The caller checks that it is not a file."""
    if _WWW.fullmatch(url):
        return Fault("no-scheme", f"https://{url}", True)
    if _MAIL.fullmatch(url):
        return Fault("no-mailto", f"mailto:{url}", True)
    match = _HOST_AND_PATH.fullmatch(url)
    if match is None or match[1].lower().startswith(("readme.", "license.", "changelog.", "contributing.")):
        return None
    if match[2].lower() in WORDS["top_domains"] or match[1].lower() in hosts:
        return Fault("no-scheme", f"https://{url}", True)
    return None


def _around(url: str) -> Fault | None:
    """Return the fault of quotes around a URL, of a link in it, or of characters that do not belong into URLs."""
    trimmed = url.strip(_ENDS)
    if trimmed != url:
        return Fault("invisible", trimmed, True)
    if _NESTED.fullmatch(url):
        return Fault("nested")
    if _AROUND.get(url[0]) == url[-1] and len(url) > 2 and re.match(r"https?:|www\.", url[1:]):
        return Fault("enclosed", url[1:-1], True, {"opening": url[0], "closing": url[-1]})
    if host := _FULL_WIDTH_HOST.match(url):
        return Fault("full-width", host[0].translate(_ASCII) + url[host.end() :], True)
    return None


def _scheme(url: str) -> Fault | None:
    """Return the fault of a scheme that is repeated, misspelled or has the wrong punctuation after it."""
    if match := _SCHEME_TWICE.match(url):
        return Fault("two-schemes", url[match.end() :], True)
    if url.startswith("://"):
        return Fault("no-scheme", f"https{url}", True)
    if match := _GLUED_SCHEME.match(url):
        return Fault("no-slashes", f"{match[1]}://{url[match.end() :]}", True)
    match = _SCHEME.match(url)
    if match is None:
        return None
    scheme, colon, slashes = match[1].lower(), match[2], match[3]
    if scheme in ("http", "https"):
        if (colon == ":" and slashes == "//") or (not colon and len(slashes) < 2):
            return None
        expected, is_certain = f"{scheme}://", True
    else:
        if scheme in WORDS["schemes"] or not (colon or len(slashes) > 1):
            return None
        is_certain = len(scheme) > 2 and set(scheme) <= set("htps") and scheme.startswith(("h", "tt"))
        if not is_certain:
            return None
        expected = "https://" if scheme.endswith("s") else "http://"
    values = {"found": match[0], "expected": expected}
    return Fault("wrong-scheme", expected + url[match.end() :], is_certain, values)


def _end(url: str) -> Fault | None:
    """Return the fault of punctuation at the end that belongs to the text or to Markdown."""
    last = url[-1]
    trimmed = url
    while trimmed and (
        (trimmed[-1] in _STRAY_ALWAYS and not (trimmed[-1] in "'\"`" and trimmed.count(trimmed[-1]) % 2 == 0))
        or (trimmed[-1] in _STRAY and trimmed.count(trimmed[-1]) > trimmed.count(_STRAY[trimmed[-1]]))
    ):
        trimmed = trimmed[:-1]
    if trimmed != url:
        return Fault("stray-end", trimmed, True, {"stray": last}) if _WEB.match(trimmed) else None
    if _FULL_STOP.search(url):
        return Fault("stray-end", url.rstrip("."), True, {"stray": "."})
    if url[-1] == "." and (match := _STOP_OF_SENTENCE.fullmatch(url)):
        return Fault("stray-end", url[:-1], match["path"] is None, {"stray": "."})
    return None


def _inside(url: str) -> Fault | None:
    """Return the fault of a URL that is cut off, or has something in it that cannot be right."""
    if _CUT.search(url):
        return Fault("cut-off")
    if _SECOND_URL.search(url.partition("?")[0], 8):
        return Fault("two-urls")
    if url.count("[") != url.count("]") or '">' in url:
        return Fault("unpaired")
    host = _HOST.match(url)
    if host is not None and "," in host[1]:
        fixed = url[: host.start(1)] + host[1].replace(",", ".") + url[host.end(1) :]
        return Fault("comma-in-host", fixed)
    return None
