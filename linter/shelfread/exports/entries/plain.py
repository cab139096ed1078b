"""Text of entries as one line that is safe in formats without an escape for control characters."""

from __future__ import annotations

from shelfread.core.support.one_line import one_line

_COMMAND = "##["
"""What GitHub's runner takes for a command, in any line of a log."""


def plain(text: str) -> str:
    """Return a text in one line: blanks and control characters made one space, unseen marks left out.

    `##[` gets a blank, because it is a command to a runner that shows the text in a log.
    """
    return one_line(text).replace(_COMMAND, "## [")
