"""Escaping of untrusted text in Markdown reports."""

from __future__ import annotations

import re

from shelfread.core.patterns import lazy
from shelfread.report.terminal import printable

# Plain text that GitHub turns into links or emoji: @name, #1, GH-1, bare URLs, :name:.
_ACTIVE = lazy(
    r"(?i)(?P<call>[@#](?=\w)|(?<=GH)-(?=\d)|:(?=//)|(?<=www)\.|:(?=[\w+-]{1,40}:))|[\\`*_\[\]<>&~|{}$!]"
)
_BACKTICKS = lazy(r"`+")
_ZERO_WIDTH_SPACE = "&#8203;"
"""Breaks a mention without being visible."""
_SCHEMES = ("http://", "https://")
_MAX_URL = 1000


def escape(text: str, most: int = 0) -> str:
    """Return Markdown that shows a text as it is, cut to `most` characters if that is not 0."""
    return _ACTIVE.sub(_escaped, _cut(printable(text), most))


def _escaped(match: re.Match[str]) -> str:
    return match[0] + _ZERO_WIDTH_SPACE if match["call"] else f"&#{ord(match[0])};"


def code(text: str, most: int = 0) -> str:
    """Return a code span, cut to `most` characters if that is not 0."""
    text = _cut(printable(text), most)
    fence = "`" * (max((len(run) for run in _BACKTICKS.findall(text)), default=0) + 1)
    pad = " " if text[:1] in ("`", " ", "") or text[-1:] in ("`", " ") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def link(text: str, url: str) -> str:
    """Return a link whose `text` is escaped already; only the text if the URL is not an HTTP one."""
    if not url.lower().startswith(_SCHEMES) or len(url) > _MAX_URL or not url.isprintable():
        return text
    target = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E").replace(" ", "%20")
    target = target.replace("##[", "##%5B")  # a command to a runner that shows the text in a log
    return f"[{text}](<{target}>)"


def _cut(text: str, most: int) -> str:
    return f"{text[:most]}…" if most and len(text) > most else text
