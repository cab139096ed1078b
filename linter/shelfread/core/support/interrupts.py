"""Ctrl-C, where Python by itself would lose it or make more of it than it is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def keep() -> None:
    """Let an interruption come again that came where Python throws exceptions away.

    It does so in callbacks: while a lock of its imports goes, while a process forks.
    """
    before = sys.unraisablehook

    def hook(lost: Any) -> None:
        if not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        from threading import Timer

        again = Timer(0.05, _interrupt)
        again.daemon = True
        again.start()

    sys.unraisablehook = hook


def forget() -> None:
    """Let the exit status count.

    CPython ends by killing itself with SIGINT when an interruption has passed through an `exec`, as in the
    definition of a named tuple, were it handled afterwards or not; with the next `exec` it forgets that.
    """
    exec("")


@contextmanager
def waiting() -> Iterator[None]:
    """SIGINT comes afterwards, as far as the system can hold it back."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _interrupt() -> None:
    import signal
    from threading import main_thread

    main = main_thread().ident
    if main is not None and hasattr(signal, "pthread_kill"):
        signal.pthread_kill(main, signal.SIGINT)  # it may wait for something, which this ends
    else:
        signal.raise_signal(signal.SIGINT)
