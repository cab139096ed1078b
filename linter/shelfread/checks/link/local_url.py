"""Tells URLs of files in the project from all other URLs."""

from __future__ import annotations

import re

from shelfread.core.support.regex import lazy

TEMPLATE = lazy(r"[{}<>$|*\\]|\.\.\.|…")
_SCHEME = lazy(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_DOI = lazy(r"10\.\d{4,9}/")
# Used in place of a URL where a format is explained.
_PLACEHOLDERS = frozenset(
    "link url uri href http https address website homepage path link-here your-link".split()
)


def is_local(url: str) -> bool:
    """Return whether a URL is the path of a file, perhaps with a fragment; not for an anchor alone."""
    return (
        "://" not in url
        and bool(url)
        and url[0] not in "#?"
        and url[:2] != "//"
        and not _SCHEME.match(url)
        and not TEMPLATE.search(url)
        and not _DOI.match(url)
        and url.lower() not in _PLACEHOLDERS
    )
