"""Handling of Ctrl-C where Python would lose an interrupt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def resend_lost_interrupts() -> None:
    """Raise an interrupt again that came where Python discards exceptions: in callbacks of imports and forks."""
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


def clear_handled_interrupt() -> None:
    """Keep the exit status after an interrupt that was handled.

    CPython kills itself with SIGINT at exit if an interrupt passed through an `exec`, as in the definition of a
    named tuple, even if it was handled afterwards. The next `exec` resets that.
    """
    exec("")


@contextmanager
def delayed_interrupts() -> Iterator[None]:
    """Delay SIGINT until the end of the block, on systems that can."""
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
        signal.pthread_kill(main, signal.SIGINT)  # this also ends a blocking call
    else:
        signal.raise_signal(signal.SIGINT)
