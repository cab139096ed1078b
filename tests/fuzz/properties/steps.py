"""The work of a run, counted: calls, and the characters that patterns and strings go through. No clock is read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from math import log
from types import FrameType
from typing import Any

from fuzz.faults import Fault
from shelfread.core import patterns

SIZES = (2_000, 4_000, 8_000, 16_000, 32_000)
STEEPEST = 1.25
"""Of what each doubling adds to the steps against what the doubling before it added, as a logarithm: so what every run takes
is not counted. A text that is read in another way from some size on is steep at one of the two only."""
_LEAST = 20_000
"""Steps of the largest text, below which nothing is said."""
_A_STEP = 50
"""Characters that C goes through in about the time of a call."""
_WHOLE = frozenset("split rsplit splitlines replace lower upper casefold translate encode".split())
"""Methods of strings that go through all of it. `count` and `find` may be asked of a part, which nothing here tells."""

_read = 0
"""Characters that patterns went through."""


def steps(do: Callable[[], object]) -> int:
    """Return how much work a call is."""
    calls = characters = 0
    before, read = sys.getprofile(), _read

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal calls, characters
        if event == "c_call":
            calls += 1
            if arg.__name__ in _WHOLE and type(arg.__self__) is str:
                characters += len(arg.__self__)
        elif event == "call":
            calls += 1

    sys.setprofile(profile)
    try:
        do()
    finally:
        sys.setprofile(before)
    return calls + (characters + _read - read) // _A_STEP


def steeper(name: str, do: Callable[[str], object], make: Callable[[int], str]) -> Iterator[Fault]:
    """Yield a fault if the steps of `do` grow faster than its input at all doublings; the last is seldom needed."""
    do(make(SIZES[0]))  # what is read once, such as pages of rules
    lengths: list[int] = []
    counts: list[int] = []
    exponents: list[float] = []
    for size in SIZES:
        text = make(size)
        lengths.append(len(text))
        counts.append(steps(lambda text=text: do(text)))  # type: ignore[misc]
        if len(counts) > 2:
            (before, added), (shorter, longer) = _last_two_added(counts), _last_two_added(lengths)
            if not 0 < shorter < longer:
                return  # the text does not grow
            exponents.append(log(max(1, added) / max(1, before)) / log(longer / shorter))
            if exponents[-1] <= STEEPEST:
                return
    if counts[-1] > _LEAST:
        told = " and ".join(f"{exponent:.2f}" for exponent in exponents)
        yield Fault(f"{name}: steps grow faster than the input", f"exponents {told}, {counts[-1]:,} steps")


def _last_two_added(counts: Sequence[int]) -> tuple[int, int]:
    return counts[-2] - counts[-3], counts[-1] - counts[-2]


class _Counted:
    """A pattern that notes how far it searched."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.pattern, name)
        if name not in ("search", "sub", "subn", "split", "findall", "finditer"):
            return method

        def counted(*args: Any, **named: Any) -> Any:
            global _read
            found = method(*args, **named)
            text = args[1 if name in ("sub", "subn") else 0]
            first = args[1] if len(args) > 1 and name not in ("sub", "subn", "split") else 0
            last = args[2] if len(args) > 2 and name not in ("sub", "subn", "split") else len(text)
            if name == "search" and found is not None:
                last = found.end()
            _read += max(0, min(last, len(text)) - first)
            return found

        return counted


def count_patterns() -> None:
    """Let all patterns that are first used from now on be counted."""
    compiled = patterns.compile_pattern
    patterns.compile_pattern = lambda pattern, flags: _Counted(compiled(pattern, flags))  # type: ignore
