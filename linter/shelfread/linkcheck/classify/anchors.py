"""The places of a page that a fragment can name."""

from __future__ import annotations

from html import unescape

from shelfread.core.support.regex import lazy
from shelfread.linkcheck.request import Reply

_MARKUP = ("text/html", "application/xhtml+xml")

_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
"""An id, wherever it stands: one in a script that will make it is one too. Bounded, so that it is linear."""

_CHARSET = lazy(r"(?i)charset=[\"']?([\w-]{2,20})")


def anchors_of(reply: Reply, limit: int) -> frozenset[str] | None:
    """The page's ids and names; None where it is no page, or longer than what was read."""
    kind = reply.headers.get("content-type", "")
    if reply.status != 200 or not kind.lower().startswith(_MARKUP) or not 0 < len(reply.body) < limit:
        return None
    charset = _CHARSET.search(kind)
    try:
        text = reply.body.decode(charset[1] if charset else "utf-8", "replace")
    except LookupError:
        text = reply.body.decode("utf-8", "replace")
    return frozenset(unescape(one or two or bare) for one, two, bare in _ANCHOR.findall(text))
