"""Timeouts of requests, with one timer for all of them.

A timer for each costs a tenth of the time that aiohttp needs for a request, and hardly one ever fires.
"""

from __future__ import annotations

import asyncio
import sys


class TimeoutWatcher:
    """Ends what takes too long, as `asyncio.timeout` does; for one event loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._open: set[Timeout] = set()
        self._timer: asyncio.TimerHandle | None = None

    def limit(self, seconds: float) -> Timeout:
        """Return a context manager for a block of a task; raises asyncio.TimeoutError when the time is up."""
        return Timeout(self, seconds)

    def start(self, timeout: Timeout, seconds: float) -> float:
        """Start to watch a block; return the loop's time at which it is due."""
        due = self._loop.time() + seconds
        self._open.add(timeout)
        if self._timer is None or due < self._timer.when():
            self._set_timer(due)
        return due

    def stop(self, timeout: Timeout) -> None:
        """Stop to watch a block."""
        self._open.discard(timeout)

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _set_timer(self, due: float) -> None:
        self.close()
        self._timer = self._loop.call_at(due, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        now = self._loop.time()
        for timeout in [timeout for timeout in self._open if timeout.due <= now]:
            self._open.discard(timeout)
            timeout.cancel()
        if self._open:
            self._set_timer(min(timeout.due for timeout in self._open))


class Timeout:
    """The timeout of one block."""

    __slots__ = ("_cancelling", "_is_over", "_seconds", "_task", "_watcher", "due")

    def __init__(self, watcher: TimeoutWatcher, seconds: float) -> None:
        self._watcher = watcher
        self._seconds = seconds
        self._is_over = False
        self._cancelling = 0
        self.due = 0.0

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        if sys.version_info >= (3, 11):
            self._cancelling = task.cancelling()
        self.due = self._watcher.start(self, self._seconds)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._watcher.stop(self)
        if not self._is_over:
            return
        # A cancellation from elsewhere in the meantime takes precedence over the timeout.
        if sys.version_info >= (3, 11) and self._task.uncancel() > self._cancelling:
            return
        if kind is asyncio.CancelledError:
            raise asyncio.TimeoutError from None

    def cancel(self) -> None:
        """Cancel the block: its time is up."""
        self._is_over = True
        self._task.cancel()
