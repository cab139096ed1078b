"""Text as one line, without what is not seen."""

from __future__ import annotations

from shelfread.core.support.regex import lazy

_BLANKS = lazy(r"[\s\x00-\x1f\x7f-\x9f]+")
# Marks that turn the direction of a line, or are not seen. Joiners stay: scripts and emoji need them.
_UNSEEN = lazy(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_SURROGATE = lazy(r"[\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return a text with blanks and control characters made one space, unseen marks left out."""
    if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text
    return " ".join(_BLANKS.split(_SURROGATE.sub("\ufffd", _UNSEEN.sub("", text)))).strip()
