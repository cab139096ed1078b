"""Make an input smaller as long as it shows the same fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

_TRIES = 600
"""So often a text is examined, at most."""


def minimise(data: bytes, shows: Callable[[bytes], bool]) -> bytes:
    """Return a small input that still `shows` the fault: lines are left out first, then characters."""
    tries = iter(range(_TRIES))
    text = data.decode("utf-8", "surrogateescape")
    for parts in (text.splitlines(keepends=True), None):
        pieces = list(text) if parts is None else parts
        if parts is None and len(pieces) > 4000:
            break
        kept = _shorter(pieces, lambda tried: shows(_bytes(tried)), tries)
        text = "".join(kept)
    return _bytes([text])


def _shorter(pieces: list[str], shows: Callable[[Sequence[str]], bool], tries: Iterator[int]) -> list[str]:
    """Leave out ever smaller runs of pieces (delta debugging), until no single one can go."""
    size = max(1, len(pieces) // 2)
    while True:
        at, shorter = 0, False
        while at < len(pieces):
            if next(tries, None) is None:
                return pieces
            tried = pieces[:at] + pieces[at + size :]
            if shows(tried):
                pieces, shorter = tried, True
            else:
                at += size
        if size == 1 and not shorter:
            return pieces
        if size > 1:
            size //= 2


def _bytes(pieces: Sequence[str]) -> bytes:
    return "".join(pieces).encode("utf-8", "surrogateescape")
