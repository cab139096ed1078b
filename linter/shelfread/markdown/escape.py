"""Plain text and URLs as Markdown."""

from __future__ import annotations

from typing import Any

from shelfread.core.support.regex import lazy

_BLANKS = lazy(r"[\s\x00-\x1f\x7f-\x9f]+")
# Marks that turn the direction of a line, or are not seen. Joiners stay: scripts and emoji need them.
_UNSEEN = lazy(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_ACTIVE = lazy(r"[\\`*\[\]<]|(?<!\w)_|_(?!\w)|&(?=#?\w{1,40};)|~(?=~)|(?<=~)~|\$")
_BLOCK_START = lazy(r"(?:[-+#>=]|\d{1,9}(?=[.)]))")


def escape(text: str, *, in_table: bool = False) -> str:
    """Return the Markdown of a text in one line, in which nothing is markup."""
    text = " ".join(_BLANKS.split(_UNSEEN.sub("", text))).strip()
    text = _ACTIVE.sub(lambda match: f"\\{match[0]}", text)
    if in_table:
        return text.replace("|", "\\|")
    return _BLOCK_START.sub(_escaped_start, text, count=1) if _BLOCK_START.match(text) else text


def _escaped_start(match: Any) -> str:
    return f"{match[0]}\\" if match[0].isdigit() else f"\\{match[0]}"


def destination(url: str, *, in_table: bool = False) -> str:
    """Return a URL as the destination of a link."""
    url = "".join(_BLANKS.split(_UNSEEN.sub("", url)))
    url = url.replace("\\", "%5C").replace("<", "%3C").replace(">", "%3E")
    url = url.replace("|", "%7C") if in_table else url
    return url.replace("(", "%28").replace(")", "%29") if url.count("(") != url.count(")") else url
