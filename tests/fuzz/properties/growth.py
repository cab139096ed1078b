"""How the time of a run grows with its input: no faster than the input."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import log
from time import process_time

from fuzz.faults import Fault

_SIZES = (16_000, 32_000, 64_000)
_LEAST = 0.25
"""Seconds of the largest input, below which nothing is said."""
_STEEPEST = 1.55
"""Of time against size, both as logarithms: 1 is linear, 2 quadratic."""


def grown(text: str, size: int, way: str) -> str:
    """Return a longer text of the same kind: the text again and again, its first line, or nested in itself."""
    if way == "lines":
        return text * (size // len(text) + 1)
    line = max(text.splitlines() or [text], key=len)
    if way == "one line":
        return line * (size // len(line) + 1)
    depth = max(1, int((size / 2) ** 0.5))
    return "".join(f"{'  ' * at}- {line[:20]}\n" for at in range(depth))


def too_steep(name: str, do: Callable[[str], object], text: str, way: str) -> Iterator[Fault]:
    """Yield a fault if the time of `do` grows faster than its input at two doublings, measured three times."""
    text = text[: _SIZES[0] // 2]  # so that each size is another number of repetitions
    if not text.strip():
        return
    steps = _steps(do, text, way)
    for _ in range(2):
        if min(steps) <= _STEEPEST:
            return
        steps = [min(pair) for pair in zip(steps, _steps(do, text, way), strict=True)]
    if min(steps) > _STEEPEST:
        told = " and ".join(f"{step:.2f}" for step in steps)
        yield Fault(f"{name}: slow for long input ({way})", f"exponents {told}")


def _steps(do: Callable[[str], object], text: str, way: str) -> list[float]:
    """Return the exponents of both doublings; 0 where the times are too short to be told from noise."""
    texts = [grown(text, size, way) for size in _SIZES]
    times = []
    for longer in texts:
        start = process_time()
        do(longer)
        times.append(process_time() - start)
    if times[-1] < _LEAST:
        return [0.0]
    return [
        log(max(times[at + 1], 1e-3) / max(times[at], 1e-3)) / log(len(texts[at + 1]) / len(texts[at]))
        for at in range(2)
    ]
