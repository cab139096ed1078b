"""What a process has of its own: signals that stop it, and its standard streams."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

_SIGINT = 2
_received = [_SIGINT]  # the signal that stops this run is the last one


def stop_on_signals() -> None:
    """Let SIGTERM and SIGHUP interrupt the run, so that it removes its temporary files; an ignored one stays so."""
    import signal

    def stop(number: int, frame: object) -> None:
        _received.append(number)
        if callable(signal.getsignal(signal.SIGINT)):
            signal.raise_signal(signal.SIGINT)  # asyncio handles this one
        else:
            raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, stop)


def stop_at_once() -> None:
    """Let signals end this process, a worker, without cleaning up: it writes nothing. Its parent takes Ctrl-C."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_at_signals()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _stopping())


def end_at_signals() -> None:
    """Let signals end this process at once, without cleaning up: it writes nothing, and waits for its input in a thread."""
    import signal

    for number in _stopping():
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)


def exit_status() -> int:
    """Return the exit status of an interrupted run, as shells give it: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + _received[-1]


def _stopping() -> set[int]:
    import signal

    return {getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)}


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
    """Delay the signals that stop a run until the end of the block, on systems that can."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _stopping())
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


_UNWRITABLE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF}


def open_closed_streams() -> None:
    """Give each standard stream that the caller has closed (`>&-`) to the null device.

    Python has None for them, and the next file that is opened would take their number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def discard(stream: TextIO) -> None:
    """Discard what is written to a stream from now on, and what Python would still flush to it at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def is_output_error(error: OSError) -> bool:
    """Return whether an error is that of writing to a stream, as on a full disk; a file would have a name."""
    return error.filename is None and error.errno in _UNWRITABLE
