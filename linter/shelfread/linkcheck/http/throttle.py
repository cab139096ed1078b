"""Whose turn it is: so many requests at once, so many a host, and a pause between two of a host.

Hosts queue, not links: a slow host holds its own links up and nobody else's, and a hundred thousand waiting links
are entries of queues, not tasks.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Generic, Protocol, TypeVar

from shelfread.linkcheck.settings import Settings

T = TypeVar("T")


class Job(Protocol):
    """One request to come."""

    async def run(self) -> None:
        """Make it; raises nothing but cancellation."""

    def drop(self, why: str) -> None:
        """It will never be made."""


class _Host:
    """What one host has to be asked."""

    __slots__ = ("began", "dropped", "jobs", "listed", "pause", "running", "since")

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.jobs: deque[Job] = deque()
        self.running = 0
        self.since = 0.0
        """No request starts before."""
        self.began: float | None = None
        self.dropped = ""
        """Why nothing more is asked of it."""
        self.listed = False
        """Whether it stands in a queue of hosts."""


class Pace:
    """Starts jobs when their host's turn comes."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[str, _Host] = {}
        self._ready: deque[tuple[str, _Host]] = deque()
        self._later: list[tuple[float, int, str, _Host, Job | None]] = []
        self._tick = count()
        self._workers: set[asyncio.Task[None]] = set()
        self._alarm: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def put(self, name: str, job: Job, first: bool = False, wait: float = 0) -> None:
        """Have a job done at a host's pace; `first`: before its others; `wait`: not for so many seconds."""
        host = self._hosts.get(name)
        if host is None:
            pause = self._settings.pauses.get(name, self._settings.pause)
            host = self._hosts[name] = _Host(pause)
        if host.dropped:
            job.drop(host.dropped)
        elif wait > 0:
            heapq.heappush(self._later, (self._loop.time() + wait, next(self._tick), name, host, job))
            self._wake()
        else:
            if first:
                host.jobs.appendleft(job)
            else:
                host.jobs.append(job)
            self._list(name, host)
            self._hire()

    async def turn(self, name: str, deed: Callable[[], Awaitable[T]]) -> T:
        """Do one deed when the host's turn comes; raises what it raises, and Dropped."""
        future: asyncio.Future[T] = self._loop.create_future()
        self.put(name, _Turn(future, deed))
        return await future

    def sleep(self, name: str, seconds: float) -> None:
        """Let a host alone for a while."""
        host = self._hosts[name]
        host.since = max(host.since, self._loop.time() + seconds)

    def drop(self, name: str, why: str) -> None:
        """Ask nothing more of a host."""
        host = self._hosts[name]
        host.dropped = host.dropped or why
        jobs, host.jobs = host.jobs, deque()
        for job in jobs:
            job.drop(host.dropped)

    async def stop(self, why: str) -> None:
        """Cancel what runs, and drop what waits; afterwards hosts may be asked again."""
        if self._alarm:
            self._alarm.cancel()
            self._alarm = None
        jobs = [job for *_, job in self._later if job is not None]
        for host in self._hosts.values():
            jobs += host.jobs
            host.jobs.clear()
            host.listed = False
        self._later.clear()
        self._ready.clear()
        for job in jobs:
            job.drop(why)
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    def _list(self, name: str, host: _Host) -> None:
        if host.listed or not host.jobs or host.running >= self._settings.per_host:
            return
        host.listed = True
        if not host.since or host.since <= self._loop.time():
            self._ready.append((name, host))
        else:
            heapq.heappush(self._later, (host.since, next(self._tick), name, host, None))
            self._wake()

    def _hire(self) -> None:
        if self._ready and len(self._workers) < self._settings.at_once:
            worker = self._loop.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._workers.discard)

    async def _work(self) -> None:
        while found := self._next():
            name, host, job = found
            self._hire()
            try:
                await job.run()
            finally:
                host.running -= 1
                self._list(name, host)

    def _next(self) -> tuple[str, _Host, Job] | None:
        now = self._loop.time()
        while self._ready:
            name, host = self._ready.popleft()
            host.listed = False
            if host.began is not None and now - host.began > self._settings.host:
                self.drop(name, f"the host took more than {self._settings.host:.0f} s")
            if host.since > now:  # put to sleep while it stood here
                self._list(name, host)
            elif host.jobs:
                host.began = now if host.began is None else host.began
                host.running += 1
                if host.pause:
                    host.since = now + host.pause
                job = host.jobs.popleft()
                self._list(name, host)
                return name, host, job
        return None

    def _wake(self) -> None:
        """Have the alarm ring when the first that waits is due."""
        if self._later and (self._alarm is None or self._later[0][0] < self._alarm.when()):
            if self._alarm:
                self._alarm.cancel()
            self._alarm = self._loop.call_at(self._later[0][0], self._ring)

    def _ring(self) -> None:
        self._alarm = None
        now = self._loop.time()
        while self._later and self._later[0][0] <= now:
            _, _, name, host, job = heapq.heappop(self._later)
            if job is None:
                host.listed = False
                self._list(name, host)
            else:
                self.put(name, job)
            self._hire()
        self._wake()


class DroppedError(Exception):
    """A turn that will never come."""


class _Turn(Generic[T]):
    """A deed that somebody waits for."""

    __slots__ = ("deed", "future")

    def __init__(self, future: asyncio.Future[T], deed: Callable[[], Awaitable[T]]) -> None:
        self.future = future
        self.deed = deed

    async def run(self) -> None:
        if self.future.done():
            return
        try:
            result = await self.deed()
        except asyncio.CancelledError:
            self.future.cancel()
            raise
        except Exception as wrong:
            with contextlib.suppress(asyncio.InvalidStateError):
                self.future.set_exception(wrong)
        else:
            if not self.future.done():
                self.future.set_result(result)

    def drop(self, why: str) -> None:
        if not self.future.done():
            self.future.set_exception(DroppedError(why))
