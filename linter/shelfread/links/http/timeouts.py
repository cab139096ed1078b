"""Timeouts of requests, with one timer for all of them.

A timer for each costs a tenth of the time that aiohttp needs for a request, and hardly one ever fires.
"""

from __future__ import annotations

import asyncio
import sys
from math import inf


class TimeoutWatcher:
    """Ends what takes too long, as `asyncio.timeout` does; for one event loop."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self.now = self.loop.time
        self.open: set[Timeout] = set()
        self.next_due = inf
        """The loop's time at which the timer is due."""

    def limit(self, seconds: float) -> Timeout:
        """Return a context manager for a block of a task; raises asyncio.TimeoutError when the time is up."""
        return Timeout(self, seconds)

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.next_due = inf

    def set_timer(self, due: float) -> None:
        """Set the timer to the loop's time at which the first block is due."""
        self.close()
        self.next_due = due
        self._timer = self.loop.call_at(due, self._on_timer)

    def _on_timer(self) -> None:
        self.close()
        now = self.now()
        for timeout in [timeout for timeout in self.open if timeout.due <= now]:
            self.open.discard(timeout)
            timeout.cancel()
        if self.open:
            self.set_timer(min(timeout.due for timeout in self.open))


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
        watcher = self._watcher
        task = asyncio.current_task(watcher.loop)
        assert task is not None
        self._task = task
        if sys.version_info >= (3, 11):
            self._cancelling = task.cancelling()
        self.due = due = watcher.now() + self._seconds
        watcher.open.add(self)
        if due < watcher.next_due:
            watcher.set_timer(due)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._watcher.open.discard(self)
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
