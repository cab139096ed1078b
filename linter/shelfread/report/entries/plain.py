"""Text of entries as one line that is safe in formats without an escape for control characters."""

from __future__ import annotations

from shelfread.core.support.regex import lazy

_BLANKS = lazy(r"[\s\x00-\x1f\x7f-\x9f]+")
# Marks that turn the direction of a line, or are not seen. Joiners stay: scripts and emoji need them.
_UNSEEN = lazy(
    r"[\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f]"
)
_COMMAND = "##["
"""What GitHub's runner takes for a command, in any line of a log."""
_SURROGATE = lazy(r"[\ud800-\udfff]")


def plain(text: str) -> str:
    """Return a text in one line: blanks and control characters made one space, unseen marks left out.

    `##[` gets a blank, because it is a command to a runner that shows the text in a log.
    """
    if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " " and text[-1:] != " ":
        return text.replace(_COMMAND, "## [")
    text = " ".join(_BLANKS.split(_SURROGATE.sub("\ufffd", _UNSEEN.sub("", text)))).strip()
    return text.replace(_COMMAND, "## [")
