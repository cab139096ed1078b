"""The result of formatting a text."""

from __future__ import annotations

from typing import NamedTuple


class UnformattedBlock(NamedTuple):
    """A block that was left as it was: its line in the new text, from 1, and the reason."""

    line: int
    reason: str


class FormatResult(NamedTuple):
    """A formatted text, and the blocks that could not be formatted."""

    text: str
    unformatted: tuple[UnformattedBlock, ...]
