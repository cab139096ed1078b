"""A fault: what an input shows to be wrong, and how one is named when the code raises."""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from support.paths import PACKAGE, ROOT

SECONDS = 20
"""Of CPU, that one input may take before it counts as a hang."""


class Fault(NamedTuple):
    """What is wrong: `kind` names the property, so that a smaller input can be known to show the same."""

    kind: str
    detail: str = ""


def examine(faults: Callable[[bytes], Iterator[Fault]], data: bytes, seconds: float = SECONDS) -> list[Fault]:
    """Return the faults of an input; an exception is one, and so is a run without an end."""
    try:
        with _limit(seconds):
            return list(faults(data))
    except Exception as error:
        return [Fault(f"{type(error).__name__} in {_place(error)}", str(error)[:500])]


@contextmanager
def _limit(seconds: float) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise TimeoutError(f"not done after {seconds:.0f} s")

    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _place(error: Exception) -> str:
    """Return the innermost function of the project that an exception came from; its line may change."""
    frames = traceback.extract_tb(error.__traceback__)
    for folder in (PACKAGE, ROOT):
        for frame in reversed(frames):
            if Path(frame.filename).is_relative_to(folder) and ".venv" not in frame.filename:
                return f"{Path(frame.filename).relative_to(folder).as_posix()} {frame.name}"
    return "somewhere else"
