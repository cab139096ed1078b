"""What comes of formatting."""

from __future__ import annotations

from typing import NamedTuple


class UnformattedBlock(NamedTuple):
    """What stayed as it was: the line of the new text, from 1, and why."""

    line: int
    reason: str


class FormatResult(NamedTuple):
    """A text in its canonical form, and what had to stay as it was."""

    text: str
    unformatted: tuple[UnformattedBlock, ...]
