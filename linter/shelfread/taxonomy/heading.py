"""What a heading says besides its subject: counts, years, links back to the top."""

from __future__ import annotations

from functools import lru_cache

from shelfread.core.support.regex import lazy

_COUNT = lazy(
    r"\s*[(\[]\s*(?:\d{1,5}\s*(?:\+|papers?|items?|entries|projects?|repos(?:itories)?)?|todo|wip|new)\s*[)\]]\s*$"
)
_YEARS = lazy(
    r"\s*[(\[]?\s*(?:19|20)\d\d(?:\s*[-~\u2010-\u2015]+\s*(?:(?:19|20)?\d\d|now|present|today)?)?\s*[)\]]?\s*$"
)
_BACK = lazy(
    r"(?i)\s*[(\[]?\s*(?:[\u2191\u2b06\u25b2\U0001f51d\U0001f53c\u21a9]\ufe0f?\s*)*"
    r"(?:(?:back|go|return) to (?:the )?(?:top|contents?|index|toc|table of contents|menu)|\u2191|\u2b06\ufe0f?|\u25b2)\s*[)\]]?\s*$"
)
_CLOSING = (")", "]")
_BACK_ENDS = (*_CLOSING, "top", "content", "contents", "index", "toc", "menu", *"\u2191\u2b06\ufe0f\u25b2")
"""What headings end in that a pattern may match: most need not be searched."""


@lru_cache(4096)
def without_extras(heading: str) -> str:
    """Return a heading without a count, years and a link back to the top at its end; never an empty one."""
    text = heading.strip().rstrip(":\uff1a").rstrip()
    for pattern, ends in ((_BACK, _BACK_ENDS), (_COUNT, _CLOSING), (_YEARS, (*_CLOSING, *"0123456789"))):
        if text.casefold().endswith(ends):
            shorter = pattern.sub("", text).rstrip(" -:")
            text = shorter or text
    return text
