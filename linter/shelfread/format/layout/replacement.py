"""A stretch of a text and what is to stand there; it differs in blanks and marks alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Piece(NamedTuple):
    """`text[start:end]` becomes `written`."""

    start: int
    end: int
    written: str


def rewrite(text: str, pieces: Iterable[Piece], start: int = 0, end: int | None = None) -> str:
    """`text[start:end]` with its pieces written; of two that meet the first counts."""
    end = len(text) if end is None else end
    parts: list[str] = []
    at = start
    for piece in sorted(pieces):
        if piece.start >= at and piece.end <= end:
            parts += (text[at : piece.start], piece.written)
            at = piece.end
    return "".join([*parts, text[at:end]])
