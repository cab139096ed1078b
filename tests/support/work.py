"""How much work a call is, counted and not timed, so that a busy machine changes no result."""

from __future__ import annotations

import faulthandler
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


def executed_lines(do: Callable[[], object]) -> int:
    """Return how many lines of Python a call executes, those of libraries too; what C does counts nothing."""
    count = 0

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        do()
    finally:
        sys.settrace(before)
    return count


def calls(do: Callable[[], object], name: str) -> int:
    """Return how often a call calls what is written in C and has a name, such as `count`: each may go through a text."""
    count = 0

    def profile(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal count
        count += event == "c_call" and arg.__name__ == name

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        do()
    finally:
        sys.setprofile(before)
    return count


@contextmanager
def ends(seconds: float = 60) -> Iterator[None]:
    """End the process with a traceback if the block hangs, as a pattern does that backtracks.

    Nothing is measured: what is guarded takes a fraction of a second, and hours if it is quadratic.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
