"""The URLs of a run, each checked when its host's turn comes: temporary failures are retried, dead pages seen twice."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from random import uniform
from typing import NamedTuple

from shelfread.index.answers import Trouble
from shelfread.links.attempts import FetchOptions, reach, reach_root, retry_after, root_of
from shelfread.links.client import Client
from shelfread.links.exchange import Attempt, FetchError, Reply, Request
from shelfread.links.request_limits import DroppedError
from shelfread.links.verdicts import is_transient, needs_root, needs_second_attempt
from shelfread.links.wire_url import request_host


class Checked(NamedTuple):
    """The result for one URL: an attempt, and the second one that some results need."""

    host: str
    attempt: Attempt
    second: Attempt | None = None
    root: Attempt | None = None  # the host's own page, if the page itself was gone twice


_MOST = 1000  # checks that are under way at the same time


class CheckQueue:
    """The URLs of one run. Each result is passed to `on_checked` at once, in no order."""

    def __init__(self, client: Client, on_checked: Callable[[Checked], None]) -> None:
        self.client = client
        self._on_checked = on_checked
        self.roots: dict[str, Attempt] = {}  # the hosts' own pages that were requested, by URL
        self.root_locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._open: set[str] = set()  # the URLs without a result
        # the first check of each host, then the second of each: no host keeps the others from being asked.
        self._waiting: asyncio.PriorityQueue[tuple[int, int, _UrlCheck]] = asyncio.PriorityQueue()
        self._added: Counter[str] = Counter()  # by host
        self._workers: list[asyncio.Task[None]] = []
        self._all_done = asyncio.Event()
        self._failure: Exception | None = None  # an exception of `on_checked`: the results cannot be reported

    def add(self, url: str, options: FetchOptions) -> None:
        """Check a URL; one that is already in the queue is not added again."""
        if url in self._open:
            return
        try:
            host = request_host(url)
        except FetchError as error:
            self._on_checked(Checked("", Attempt(url, trouble=error.trouble, detail=error.detail)))
        else:
            self._open.add(url)
            self.client.throttle.expect(host)
            self._added[host] += 1
            number = self._added.total()
            self._waiting.put_nowait((self._added[host], number, _UrlCheck(self, host, url, options)))
            if number <= _MOST:
                self._workers.append(asyncio.ensure_future(self._work()))

    async def wait(self) -> None:
        """Wait until everything that was added is checked; raises what `on_checked` raised."""
        while self._open and self._failure is None:
            self._all_done.clear()
            await self._all_done.wait()
        if self._failure is not None:
            raise self._failure

    async def abandon(self) -> None:
        """Stop, and report what is known of the URLs that are under way."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    async def cancel(self) -> None:
        """Stop, and report nothing more."""
        self._open.clear()
        await self.abandon()

    async def _work(self) -> None:
        while True:
            *_, check = await self._waiting.get()
            await self._check(check)

    async def _check(self, check: _UrlCheck) -> None:
        try:
            checked = await check.run()
        except DroppedError as dropped:
            checked = check.unfinished(str(dropped))
        except asyncio.CancelledError:
            self._complete(check.url, check.unfinished(""))
            raise
        except Exception as error:
            fault = Attempt(check.url, trouble=Trouble.FAULT, detail=type(error).__name__)
            checked = Checked(check.host, fault)
        self._complete(check.url, checked)

    def _complete(self, url: str, checked: Checked) -> None:
        if url in self._open:
            self._open.remove(url)
            try:
                self._on_checked(checked)
            except Exception as error:
                self._failure = error
                self._open.clear()
            if not self._open:
                self._all_done.set()


@dataclass(eq=False, slots=True)
class _UrlCheck:
    queue: CheckQueue
    host: str
    url: str
    options: FetchOptions
    tries: int = 0  # how often a request was made again, because it failed or the host asked to wait
    spent: float = 0.0  # seconds that the requests of the attempt took
    # whether the attempt is under way: its requests go first, so that few are open at a time.
    is_started: bool = False
    last: Attempt | None = None  # a failed attempt that is retried
    first: Attempt | None = None  # an attempt that a second one has to confirm
    second: Attempt | None = None  # a second attempt that the host's own page has to confirm

    async def run(self) -> Checked:
        """Return the result; raises DroppedError if no further request is made to the host."""
        settings = self.queue.client.settings
        first = await self._attempt()
        while is_transient(first) and self.tries < len(settings.retries):
            self.last = first
            wait = settings.retries[self.tries]
            self.tries += 1
            await asyncio.sleep(uniform(wait, wait * 1.5))
            first = await self._attempt()
        if not needs_second_attempt(first):
            return Checked(self.host, first)
        self.first = first
        await asyncio.sleep(settings.second_attempt_delay)
        self.options = self.options._replace(headers=settings.browser_headers)
        second = await self._attempt()
        if not needs_root(first, second):
            return Checked(self.host, first, second)
        self.second = second
        root, roots = root_of(second.end), self.queue.roots
        async with self.queue.root_locks[root]:
            if root not in roots:
                self.spent, self.is_started = 0.0, True
                roots[root] = await reach_root(root, self.options, self._send)
        return Checked(self.host, first, second, roots[root])

    def unfinished(self, reason: str) -> Checked:
        """Return what is known when no further request is made."""
        not_checked = _not_checked(self.url, reason)
        if self.first is None:
            return Checked(self.host, self.last or not_checked)
        if self.second is None:
            return Checked(self.host, self.first, not_checked)
        return Checked(self.host, self.first, self.second, not_checked)

    async def _attempt(self) -> Attempt:
        self.spent, self.is_started = 0.0, False
        return await reach(self.url, self.options, self._send)

    async def _send(self, request: Request) -> Reply:
        """Make a request when it is its host's turn, again if the host asks to wait for some time."""
        host = self.host if request.url == self.url else request_host(request.url)
        call = self.queue.client.throttle.call
        reply = None
        while reply is None:
            reply = await call(host, lambda: self._send_now(host, request), first=self.is_started)
        return reply

    async def _send_now(self, host: str, request: Request) -> Reply | None:
        """Return the reply; None if the host asks to wait and the run does so: then all its links wait."""
        client = self.queue.client
        self.is_started = True
        link = client.settings.link
        seconds = link - self.spent if self.spent else None
        if request.limit:
            # After an endless body there must be time to check whether the page exists.
            seconds = min(link / 2, link if seconds is None else seconds)
        started = client.now()
        try:
            reply = await client.send(request, self.first is None, seconds)
        finally:
            self.spent += client.now() - started
        return None if self._must_wait(host, reply) else reply

    def _must_wait(self, host: str, reply: Reply) -> bool:
        """Whether the host asks to wait and the run does so; if it does not, the host gets no further request."""
        requested = retry_after(reply.headers) if reply.status in (429, 503) else None
        if reply.status != 429 and requested is None:
            return False
        client = self.queue.client
        settings = client.settings
        can_retry = self.tries < len(settings.retries)
        wait = requested if requested is not None else settings.retries[self.tries] if can_retry else 0
        in_time = client.deadline is None or client.now() + wait < client.deadline
        if can_retry and wait <= settings.max_retry_after and in_time:
            self.tries += 1
            client.throttle.pause_host(host, wait)
            return True
        reason = f"the host asks to wait {wait:.0f} s" if wait else "the host asks for fewer requests"
        client.throttle.drop(host, reason)
        return False


def _not_checked(url: str, reason: str) -> Attempt:
    return Attempt(url, trouble=Trouble.NOT_CHECKED, detail=reason)
