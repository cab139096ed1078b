"""What is wrong with an address by its looks, and how it would read without the slip."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.addresses import is_plain


class Fault(NamedTuple):
    """What an address has that it should not have.

    `mended` is there where one reading is likely, `safe` where it is the only one.
    """

    name: str
    mended: str | None = None
    safe: bool = False


_LONGEST = 4096
_WEB = lazy(r"https?://[^/?#]", re.IGNORECASE)
_SCHEME = lazy(r"([A-Za-z]{2,9})([:;：]?)(/{1,4}|／{2}|\\{1,2})(?=[^/\\])")
_GLUED_SCHEME = lazy(r"(https?):(?=[a-z0-9-]+\.[a-z])", re.IGNORECASE)
_TWICE = lazy(r"(?:https?:?/{0,3}(?:www\.)?)+(?=https?://[^/])", re.IGNORECASE)
_TWICE_BARE = lazy(r"(https?)://https?:?//?(?=[\w-]+\.)", re.IGNORECASE)
_NESTED = lazy(r"\[([^\[\]]*)\]\((.*)\)")
_AROUND = {"(": ")", '"': '"', "'": "'", "“": "”", "‘": "’", "`": "`", "<": ">", "（": "）"}
_INVISIBLE = "\ufeff\u200b\u2060\u00ad\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
_UNSEEN = lazy(f"[{_INVISIBLE}]")
_ENDS = _INVISIBLE + "\u200c\u200d\u00a0\u3000"
_FULL = str.maketrans("：／．？＝＆＃％＿－～", ":/.?=&#%_-~")
_FULL_HOST = lazy(r"https?[:：][/／]{2}[^/／?？#＃]*[：／．－＿][^/?#]*|https?：//", re.IGNORECASE)
_STRAY = {")": "(", "]": "[", "}": "{", "）": "（", "】": "【", "」": "「", "』": "『", "》": "《"}
_STRAY_ALWAYS = ",;>\"'`|\\<“”‘’。，、；：！？"
_STOP = lazy(r"\.(?:pdf|html?|php|aspx?|md|zip|pptx?)\.+$", re.IGNORECASE)
_TWO = lazy(r"(?<!%[0-9a-f])[a-z0-9_)\]]https?://", re.IGNORECASE)
_CUT = lazy(r"[^\W_](?:\.{3}|…)$")
_HOST = lazy(r"https?://(?:[^/?#@]*@)?([^/?#:]*)", re.IGNORECASE)
_HYPHEN = lazy("[\u2010\u2011]")
_MAIL = lazy(r"[\w.+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}", re.IGNORECASE | re.ASCII)
_WWW = lazy(r"www\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#:][^\s]*)?", re.IGNORECASE)
_NO_SCHEME = lazy(
    r"([a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.([a-z]{2,}))(?::\d+)?(?:([/?#])\S*)?", re.IGNORECASE
)
# Endings of hosts that no file has.
_DOMAINS = frozenset(
    "com org net edu gov io dev info ac eu de fr uk jp cn kr tw nl ru ch us ca au app tv co xyz tech blog "
    "site cloud page online news wiki".split()
)
_KNOWN_SCHEMES = frozenset(
    "ftp ftps sftp shttp tcp ssh git svn hdfs smb tel sip sips http https httpu".split()
)
_SWALLOWED = lazy(r"(?<=[!-~])[。，、；！？「『【《（]|[）」』】》]")
_AFTER_HOST = lazy(
    r"https?://[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])",
    re.IGNORECASE,
)


def examine(url: str) -> Fault | None:
    """What is wrong with an address between its parentheses; None for nothing that is certain."""
    if is_plain(url):
        return None
    if not 0 < len(url) < _LONGEST or url[0] in "#/.?" or "{" in url or "<" in url[1:]:
        return None
    fault = _marks(url) or _scheme(url)
    if fault is None and _WEB.match(url):
        fault = _end(url) or _inside(url)
    if fault is not None and fault.mended is not None and fault.safe:
        # One slip may hide another: what comes out is to be right, or nobody knows.
        again = examine(fault.mended)
        if again is not None:
            return Fault(fault.name, again.mended, again.safe)
    return fault


def lacks_scheme(url: str, hosts: Container[str]) -> Fault | None:
    """An address without a scheme, `hosts` being known ones; that it is no file is for the caller to see."""
    if _WWW.fullmatch(url):
        return Fault("no scheme", f"https://{url}", True)
    if _MAIL.fullmatch(url):
        return Fault("no scheme", f"mailto:{url}", True)
    match = _NO_SCHEME.fullmatch(url)
    if match is None or match[1].lower().startswith(("readme.", "license.", "changelog.", "contributing.")):
        return None
    if match[2].lower() in _DOMAINS or match[1].lower() in hosts:
        return Fault("no scheme", f"https://{url}", True)
    return None


def swallows(url: str) -> int:
    """Where the text begins that an address in running text has swallowed; -1 if it has not."""
    if url.isascii():
        return -1
    match = _AFTER_HOST.match(url)
    if match:
        return match.end()
    for stop in _SWALLOWED.finditer(url):
        opening = _STRAY.get(stop[0])
        if opening not in url[: stop.start()] if opening else "/wiki/" not in url:
            return stop.start()
    return -1


def _marks(url: str) -> Fault | None:
    """Marks that stand around the address, and characters that do not show."""
    trimmed = url.strip(_ENDS)
    if trimmed != url:
        return Fault("an invisible character", trimmed, True)
    if _UNSEEN.search(url) and _UNSEEN.sub("", url).isascii():
        return Fault("an invisible character", _UNSEEN.sub("", url), True)
    nested = _NESTED.fullmatch(url)
    if nested:
        same = nested[1] == nested[2] and _WEB.match(nested[2])
        return Fault("a link of its own in it", nested[2] if same else None, True)
    if _AROUND.get(url[0]) == url[-1] and len(url) > 2 and re.match(r"https?:|www\.", url[1:]):
        return Fault(f"'{url[0]}' and '{url[-1]}' around it", url[1:-1], True)
    if host := _FULL_HOST.match(url):
        return Fault("full-width characters", host[0].translate(_FULL) + url[host.end() :], True)
    return None


def _scheme(url: str) -> Fault | None:
    """A scheme twice, misspelt, or with the wrong marks after it."""
    if match := _TWICE.match(url):
        return Fault("its scheme twice", url[match.end() :], True)
    if match := _TWICE_BARE.match(url):
        return Fault("its scheme twice", f"{match[1].lower()}://{url[match.end() :]}", True)
    if url.startswith("://"):
        return Fault("no scheme", f"https{url}", True)
    if match := _GLUED_SCHEME.match(url):
        return Fault("no '//' after its scheme", f"{match[1]}://{url[match.end() :]}", True)
    match = _SCHEME.match(url)
    if match is None:
        return None
    scheme, colon, slashes = match[1].lower(), match[2], match[3]
    rest = url[match.end() :]
    if scheme in ("http", "https"):
        if (colon == ":" and slashes == "//") or (not colon and len(slashes) < 2):
            return None
        return Fault(f"'{match[0]}' for '{scheme}://'", f"{scheme}://{rest}", True)
    if scheme in _KNOWN_SCHEMES or not (colon or len(slashes) > 1):
        return None
    certain = len(scheme) > 2 and set(scheme) <= set("htps") and scheme.startswith(("h", "tt"))
    if not certain and not (_near(scheme, "http") or _near(scheme, "https")):
        return None
    return Fault(
        f"'{match[0]}' for a scheme", f"{'https' if scheme.endswith('s') else 'http'}://{rest}", certain
    )


def _near(one: str, other: str) -> bool:
    """Whether one letter is wrong, missing, too many, or swapped with the next."""
    if one[:1] != "h" or abs(len(one) - len(other)) > 1:
        return False
    at = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    if at is None:
        return one != other
    return (
        one[at + 1 :] in (other[at + 1 :], other[at:])
        or one[at:] == other[at + 1 :]
        or (one[at : at + 2] == other[at : at + 2][::-1] and one[at + 2 :] == other[at + 2 :])
    )


def _end(url: str) -> Fault | None:
    """Marks at the end that belong to the text, or to Markdown."""
    last = url[-1]
    trimmed = url
    while trimmed and (
        (trimmed[-1] in _STRAY_ALWAYS and not (trimmed[-1] in "'\"`" and trimmed.count(trimmed[-1]) % 2 == 0))
        or (trimmed[-1] in _STRAY and trimmed.count(trimmed[-1]) > trimmed.count(_STRAY[trimmed[-1]]))
    ):
        trimmed = trimmed[:-1]
    if trimmed != url:
        return Fault(f"a stray '{last}' at its end", trimmed, True) if _WEB.match(trimmed) else None
    while trimmed.endswith("%20"):
        trimmed = trimmed[:-3]
    if trimmed != url:
        return Fault("a blank at its end", trimmed, True)
    if _STOP.search(url):
        return Fault("a stray '.' at its end", url.rstrip("."), True)
    if url.endswith("**"):
        return Fault("a stray '**' at its end", url.rstrip("*"), True)
    return None


def _inside(url: str) -> Fault | None:
    if _CUT.search(url):
        return Fault("'...' for its end")
    if _TWO.search(url.partition("?")[0], 8):
        return Fault("a second address glued to it")
    if url.count("[") != url.count("]") or '">' in url:
        return Fault("a bracket or quote without its pair")
    host = _HOST.match(url)
    if host is not None:
        if "," in host[1]:
            return Fault(
                "a ',' in its host", url[: host.start(1)] + host[1].replace(",", ".") + url[host.end(1) :]
            )
        if (".." in host[1] or host[1].startswith(".")) and host[1].strip("."):
            return Fault("a '.' too many in its host")
    if _HYPHEN.search(url) and _HYPHEN.sub("-", url).isascii():
        return Fault("a typographic hyphen", _HYPHEN.sub("-", url))
    return None
