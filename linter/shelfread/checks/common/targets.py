"""What an address asks of the web: its page, and the anchor in it."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from shelfread.core.support.regex import lazy

_WEB = lazy(r"https?://[^/?#]", re.IGNORECASE)
# What follows `#` on many pages is no anchor: lines, text to be marked, pages of a PDF, a script's routes.
_NO_ANCHOR = lazy(
    r"$|:~:|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|(?:page|zoom|view|t|nameddest)=|[!/?]|top$", re.IGNORECASE
)
_READ_BY_SCRIPT = lazy(
    r"https?://(?:[\w-]+\.)*(?:docs\.google\.com|drive\.google\.com|web\.archive\.org|groups\.google\.com)/"
    r"|https?://(?:www\.)?github\.com/[^/]+/[^/]+/(?:blob|tree|wiki|issues|pull|discussions|releases)/",
    re.IGNORECASE,
)
# Names that stand for no host (RFC 2606, RFC 6761): they are there to be replaced.
_RESERVED = lazy(r"(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.?")


def key_of(url: str) -> str | None:
    """An address of the web without its fragment; None for any other."""
    return url.partition("#")[0] if _WEB.match(url) else None


def page_anchor(url: str) -> str | None:
    """The anchor that an address names, as written, where the page itself could have it."""
    page, _, name = url.partition("#")
    if _NO_ANCHOR.match(name) or _READ_BY_SCRIPT.match(page) or page.lower().endswith(".pdf"):
        return None
    return name


def is_reserved(url: str) -> bool:
    """Whether an address is of no host at all, as `https://example.org/your-project`."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    return _RESERVED.fullmatch(host) is not None
