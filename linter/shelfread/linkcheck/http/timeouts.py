"""The time that each request may take, with one timer for all of them.

A timer of its own for each costs a tenth of what aiohttp needs for a request, and hardly one ever rings.
"""

from __future__ import annotations

import asyncio
import sys
from types import TracebackType


class Watch:
    """Ends what takes too long, as `asyncio.timeout` would; of one loop."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._open: set[Limit] = set()
        self._alarm: asyncio.TimerHandle | None = None

    def limit(self, seconds: float) -> Limit:
        """A block within a task that may take so long; raises asyncio.TimeoutError when it is over."""
        return Limit(self, seconds)

    def begin(self, limit: Limit, seconds: float) -> float:
        """Watch a block that begins; the time when it is due."""
        due = self._loop.time() + seconds
        self._open.add(limit)
        if self._alarm is None or due < self._alarm.when():
            self._wake(due)
        return due

    def end(self, limit: Limit) -> None:
        """A block is left."""
        self._open.discard(limit)

    def close(self) -> None:
        """Watch no more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _wake(self, due: float) -> None:
        self.close()
        self._alarm = self._loop.call_at(due, self._ring)

    def _ring(self) -> None:
        self._alarm = None
        now = self._loop.time()
        for limit in [one for one in self._open if one.due <= now]:
            self._open.discard(limit)
            limit.cancel()
        if self._open:
            self._wake(min(one.due for one in self._open))


class Limit:
    """One block under watch."""

    __slots__ = ("_cancelling", "_is_over", "_seconds", "_task", "_watch", "due")

    def __init__(self, watch: Watch, seconds: float) -> None:
        self._watch = watch
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
        self.due = self._watch.begin(self, self._seconds)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watch.end(self)
        if not self._is_over:
            return
        # Who else cancelled the task meanwhile is to be heard: this is no timeout then.
        if sys.version_info >= (3, 11) and self._task.uncancel() > self._cancelling:
            return
        if kind is asyncio.CancelledError:
            raise asyncio.TimeoutError from None

    def cancel(self) -> None:
        """The time is over."""
        self._is_over = True
        self._task.cancel()
