"""Throttles requests: a limit for all, a limit for each host, and a pause between two requests to one host.

Hosts are queued, not requests: a slow host delays only its own links.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeVar

from shelfread.links.network_settings import Settings

T = TypeVar("T")


class DroppedError(Exception):
    """A request that is never made, and why."""


class _Host:
    """The requests to one host."""

    __slots__ = ("dropped", "links", "not_before", "pause", "queued", "running", "started_at", "turns")

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.turns: deque[asyncio.Future[None]] = deque()
        """One for each request that waits for its turn."""
        self.links = 0
        self.running = 0
        self.not_before = 0.0
        """The loop's time before which no request starts."""
        self.started_at: float | None = None
        self.dropped = ""
        """Why no further request is made."""
        self.queued = False
        """Whether the host is ready, or waits for the end of a pause."""


class Throttle:
    """Lets requests start when it is their host's turn."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[str, _Host] = {}
        self._ready: deque[tuple[str, _Host]] = deque()
        self._running = 0
        self._loop = asyncio.get_running_loop()

    def expect(self, name: str) -> None:
        """Allow a host the time for one more link."""
        self._host(name).links += 1

    async def call(self, name: str, function: Callable[[], Awaitable[T]], first: bool = False) -> T:
        """Return the function's result when it is the host's turn, before its other requests if `first`.

        Raises the function's exceptions, and DroppedError if there will be no turn.
        """
        host = self._host(name)
        if host.dropped:
            raise DroppedError(host.dropped)
        turn: asyncio.Future[None] = self._loop.create_future()
        (host.turns.appendleft if first else host.turns.append)(turn)
        self._enqueue(name, host)
        self._start()
        try:
            if not turn.done():
                await turn
            turn.result()
            return await function()
        finally:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                host.running -= 1
                self._running -= 1
                self._enqueue(name, host)
                self._start()

    def pause_host(self, name: str, seconds: float) -> None:
        """Start no request to a host for a while."""
        host = self._host(name)
        host.not_before = max(host.not_before, self._loop.time() + seconds)

    def drop(self, name: str, reason: str) -> None:
        """Make no further request to a host."""
        host = self._host(name)
        host.dropped = host.dropped or reason
        while host.turns:
            turn = host.turns.popleft()
            if not turn.done():
                turn.set_exception(DroppedError(host.dropped))

    def _host(self, name: str) -> _Host:
        if (host := self._hosts.get(name)) is None:
            host = self._hosts[name] = _Host(self._settings.pauses.get(name, self._settings.pause))
        return host

    def _enqueue(self, name: str, host: _Host) -> None:
        """Note that a host is ready for a request, now or at the end of its pause."""
        if host.queued or not host.turns or host.running >= self._settings.per_host:
            return
        host.queued = True
        if host.not_before <= self._loop.time():
            self._ready.append((name, host))
        else:
            self._loop.call_at(host.not_before, self._on_pause_end, name, host)

    def _on_pause_end(self, name: str, host: _Host) -> None:
        self._ready.append((name, host))
        self._start()

    def _start(self) -> None:
        """Give a turn to each ready host, as far as the limit for all allows."""
        while self._ready and self._running < self._settings.concurrency:
            name, host = self._ready.popleft()
            host.queued = False
            now = self._loop.time()
            limit = self._settings.host + self._settings.host_per_link * host.links
            if host.started_at is not None and now - host.started_at > limit:
                self.drop(name, f"the host took more than {limit:.0f} s")
            while host.turns and host.not_before <= now:  # else it was paused while it was ready
                turn = host.turns.popleft()
                if not turn.done():  # else its task was cancelled
                    host.started_at = now if host.started_at is None else host.started_at
                    host.not_before = now + host.pause
                    host.running += 1
                    self._running += 1
                    turn.set_result(None)
                    break
            self._enqueue(name, host)
