"""The parts of a URL: page, fragment, and the query parameters that only track visitors."""

from __future__ import annotations

from shelfread.core.support.regex import lazy
from shelfread.taxonomy.hosts import host_of

TRACKING = (
    r"utm_\w+|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ysclid|twclid|ttclid|mc_cid|mc_eid|igshid|igsh"
    r"|ref_src|ref_url|_hsenc|_hsmi|mkt_tok|srsltid|vero_id|oly_enc_id|oly_anon_id"
)
"""A pattern of the query parameters that only tell a site who sent the visitor, whatever the site."""
TRACKING_OF_HOST = {
    "si": r"(?:youtube\.com|youtu\.be|youtube-nocookie\.com|spotify\.com)",
    "spm": r"(?:taobao|tmall|aliyun|alibaba|aliexpress|alibabacloud|csdn)\.(?:com|net)",
    "trk|trackingId": r"linkedin\.com",
}
"""Patterns of parameters that track visitors on certain hosts only, with a pattern of these hosts."""
LIKELY_TRACKING = r"ref|source"
"""A pattern of parameters that seldom tell pages apart: ignored where entries are compared, never removed."""

_WEB = lazy(r"(?i)https?://[^/?#]")
# GitHub makes the anchors of a repository's own page, of files and of issues in the browser, in part.
# What follows `#` on many pages is no anchor: lines, text to highlight, pages of a PDF, routes of a script.
_NO_ANCHOR = lazy(r"(?i)$|:~:|L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|(?:page|zoom|view|t|nameddest)=|[!/?]|top$")
_READ_BY_SCRIPT = lazy(
    r"(?i)https?://(?:[\w-]+\.)*(?:docs\.google\.com|drive\.google\.com|web\.archive\.org|groups\.google\.com)/"
    r"|https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+"
    r"(?:/?(?:[?#]|$)|/(?:blob|tree|wiki|issues|pull|pulls|discussions|releases|actions|projects|graphs|commits?|compare)(?:[/?#]|$))"
    r"|https?://gist\.github\.com/"
)
# Reserved names (RFC 2606, RFC 6761) that stand for no host: placeholders.
_RESERVED = lazy(r"(?:.+\.)?(?:example(?:\.(?:com|net|org))?|test|invalid|localhost)\.?")


def key_of(url: str) -> str | None:
    """Return an http or https URL without its fragment; None for any other."""
    return url.partition("#")[0] if _WEB.match(url) else None


def page_anchor(url: str) -> str | None:
    """Return the fragment, as written, where it can name an id of the page itself."""
    page, _, name = url.partition("#")
    if _NO_ANCHOR.match(name) or _READ_BY_SCRIPT.match(page) or page.lower().endswith(".pdf"):
        return None
    return name


def is_reserved(url: str) -> bool:
    """Whether a URL has a placeholder for its host, as `https://example.org/your-project`."""
    return _RESERVED.fullmatch(host_of(url)) is not None
