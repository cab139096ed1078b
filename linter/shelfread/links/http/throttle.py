"""Throttles requests: a limit for all, a limit for each host, and a pause between two requests to one host.

Hosts are queued, not links: a slow host delays only its own links, and a hundred thousand waiting links are entries of
queues, not tasks.
"""

from __future__ import annotations

import asyncio
import contextlib
import heapq
from collections import deque
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Generic, Protocol, TypeVar

from shelfread.links.network_settings import Settings

T = TypeVar("T")


class Job(Protocol):
    """One request to make."""

    async def run(self) -> None:
        """Make it. If it raises, it is dropped."""

    def drop(self, reason: str) -> None:
        """Called instead of `run` when it will never be made."""


class _Host:
    """The jobs of one host."""

    __slots__ = ("added", "dropped", "jobs", "not_before", "pause", "queued", "running", "started_at")

    def __init__(self, pause: float) -> None:
        self.pause = pause
        self.jobs: deque[Job] = deque()
        self.added = 0
        """How many jobs were added, without those that were added again."""
        self.running = 0
        self.not_before = 0.0
        """The loop's time before which no request starts."""
        self.started_at: float | None = None
        self.dropped = ""
        """Why no further request is made."""
        self.queued = False
        """Whether the host is in a queue of hosts."""


class Throttle:
    """Starts jobs when it is their host's turn."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[str, _Host] = {}
        self._ready: deque[tuple[str, _Host]] = deque()
        self._delayed: list[tuple[float, int, str, _Host, Job | None]] = []
        self._sequence = count()
        self._workers: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()
        self._stop_reason = "cancelled"

    def put(self, name: str, job: Job, first: bool = False, wait: float = 0) -> None:
        """Add a job of a host. `first` puts it before the host's others; `wait` is in seconds."""
        if (host := self._hosts.get(name)) is None:
            host = self._hosts[name] = _Host(self._settings.pauses.get(name, self._settings.pause))
        if host.dropped:
            job.drop(host.dropped)
        elif wait > 0:
            heapq.heappush(self._delayed, (self._loop.time() + wait, next(self._sequence), name, host, job))
            self._set_timer()
        else:
            if first:
                host.jobs.appendleft(job)
            else:
                host.added += 1
                host.jobs.append(job)
            self._enqueue(name, host)
            self._start_worker()

    async def call(self, name: str, function: Callable[[], Awaitable[T]]) -> T:
        """Return the function's result when it is the host's turn; raises its exceptions, and DroppedError."""
        future: asyncio.Future[T] = self._loop.create_future()
        self.put(name, _Call(future, function))
        return await future

    def pause_host(self, name: str, seconds: float) -> None:
        """Start no request to a host for a while."""
        host = self._hosts[name]
        host.not_before = max(host.not_before, self._loop.time() + seconds)

    def drop(self, name: str, reason: str) -> None:
        """Make no further request to a host."""
        host = self._hosts[name]
        host.dropped = host.dropped or reason
        jobs, host.jobs = host.jobs, deque()
        for job in jobs:
            job.drop(host.dropped)

    async def stop(self, reason: str) -> None:
        """Cancel the running jobs and drop them and the waiting ones. New jobs may be added afterwards."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        jobs = [job for *_, job in self._delayed if job is not None]
        for host in self._hosts.values():
            jobs += host.jobs
            host.jobs.clear()
            host.queued = False
        self._delayed.clear()
        self._ready.clear()
        for job in jobs:
            job.drop(reason)
        self._stop_reason = reason
        workers = list(self._workers)
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    def _enqueue(self, name: str, host: _Host) -> None:
        if host.queued or not host.jobs or host.running >= self._settings.per_host:
            return
        host.queued = True
        if not host.not_before or host.not_before <= self._loop.time():
            self._ready.append((name, host))
        else:
            heapq.heappush(self._delayed, (host.not_before, next(self._sequence), name, host, None))
            self._set_timer()

    def _start_worker(self) -> None:
        if self._ready and len(self._workers) < self._settings.concurrency:
            worker = self._loop.create_task(self._work())
            self._workers.add(worker)
            worker.add_done_callback(self._on_worker_done)

    def _on_worker_done(self, worker: asyncio.Task[None]) -> None:
        """Replace a worker that was cancelled while there is work."""
        self._workers.discard(worker)
        if not worker.cancelled():
            worker.exception()  # noted by its job
        self._start_worker()

    async def _work(self) -> None:
        while found := self._next():
            name, host, job = found
            self._start_worker()
            try:
                await job.run()
            except Exception as error:
                job.drop(f"internal error: {type(error).__name__}")
            except BaseException:
                job.drop(self._stop_reason)
                raise
            finally:
                host.running -= 1
                self._enqueue(name, host)

    def _next(self) -> tuple[str, _Host, Job] | None:
        now = self._loop.time()
        while self._ready:
            name, host = self._ready.popleft()
            host.queued = False
            if host.started_at is not None:
                limit = self._settings.host + self._settings.host_per_link * host.added
                if now - host.started_at > limit:
                    self.drop(name, f"the host took more than {limit:.0f} s")
            if host.not_before > now:  # paused while it was in the queue
                self._enqueue(name, host)
            elif host.jobs:
                if host.started_at is None:
                    host.started_at = now
                host.running += 1
                if host.pause:
                    host.not_before = now + host.pause
                job = host.jobs.popleft()
                self._enqueue(name, host)
                return name, host, job
        return None

    def _set_timer(self) -> None:
        """Set the timer to the time at which the first delayed job is due."""
        if self._delayed and (self._timer is None or self._delayed[0][0] < self._timer.when()):
            if self._timer:
                self._timer.cancel()
            self._timer = self._loop.call_at(self._delayed[0][0], self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        now = self._loop.time()
        while self._delayed and self._delayed[0][0] <= now:
            _, _, name, host, job = heapq.heappop(self._delayed)
            if job is None:
                host.queued = False
                self._enqueue(name, host)
            else:
                self.put(name, job)
            self._start_worker()
        self._set_timer()


class DroppedError(Exception):
    """A job that will never run."""


class _Call(Generic[T]):
    """A function whose result is awaited."""

    __slots__ = ("function", "future")

    def __init__(self, future: asyncio.Future[T], function: Callable[[], Awaitable[T]]) -> None:
        self.future = future
        self.function = function

    async def run(self) -> None:
        if self.future.done():
            return
        try:
            result = await self.function()
        except asyncio.CancelledError:
            self.future.cancel()
            raise
        except Exception as error:
            with contextlib.suppress(asyncio.InvalidStateError):
                self.future.set_exception(error)
        else:
            if not self.future.done():
                self.future.set_result(result)

    def drop(self, reason: str) -> None:
        if not self.future.done():
            self.future.set_exception(DroppedError(reason))
