"""The ids and names of a page, to which fragments refer."""

from __future__ import annotations

from html import unescape

from shelfread.core.support.regex import lazy
from shelfread.linkcheck.classify.charset import decode_page
from shelfread.linkcheck.request import Reply

_MARKUP = ("text/html", "application/xhtml+xml")

_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
"""An id anywhere in the source, also in a script that creates it. Bounded, to search in linear time."""


def anchors_of(reply: Reply, limit: int) -> frozenset[str] | None:
    """Return the ids and names of a page; None if it is not HTML, or longer than `limit` bytes."""
    kind = reply.headers.get("content-type", "")
    if reply.status != 200 or not kind.lower().startswith(_MARKUP) or not 0 < len(reply.body) < limit:
        return None
    text = decode_page(reply.body, kind)
    return frozenset(unescape("".join(quoted)) for quoted in _ANCHOR.findall(text))
