"""Strangers' text in Markdown of ours: text stays text."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy
from shelfread.report.terminal import printable

# What GitHub makes a link of, or a picture, in text that is none: @name, #1, GH-1, a bare address, :name:.
_LIVE = lazy(
    r"(?P<call>[@#](?=\w)|(?<=GH)-(?=\d)|:(?=//)|(?<=www)\.|:(?=[\w+-]{1,40}:))|[\\`*_\[\]<>&~|{}$!]",
    re.IGNORECASE,
)
_BREAKS = lazy(r"`+")
_APART = "&#8203;"
"""Parts a mark from what it would call; nobody sees it."""
_WEB = ("http://", "https://")
_LONGEST_URL = 1000


def escape(text: str, most: int = 0) -> str:
    """A text that is only text; cut to so many letters, if any."""
    return _LIVE.sub(_tamed, _cut(printable(text), most))


def _tamed(match: re.Match[str]) -> str:
    return match[0] + _APART if match["call"] else f"&#{ord(match[0])};"


def code(text: str, most: int = 0) -> str:
    """A text as code."""
    text = _cut(printable(text), most)
    fence = "`" * (max((len(run) for run in _BREAKS.findall(text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def link(text: str, url: str) -> str:
    """A link with a text that is escaped already; the text alone where the address is not of the web."""
    if not url.lower().startswith(_WEB) or len(url) > _LONGEST_URL or not url.isprintable():
        return text
    target = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E").replace(" ", "%20")
    return f"[{text}](<{target}>)"


def _cut(text: str, most: int) -> str:
    return f"{text[:most]}…" if most and len(text) > most else text
