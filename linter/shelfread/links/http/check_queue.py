"""The URLs of a run, each checked when its host's turn comes: temporary failures are retried, dead pages seen twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import uniform

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.index.answers import Trouble
from shelfread.links.classify.verdicts import is_transient, needs_root, needs_second_attempt
from shelfread.links.exchange import Attempt, FetchError, Reply, Request
from shelfread.links.http.attempts import (
    FetchOptions,
    FetchSteps,
    fetch_steps,
    retry_after,
    root_of,
    root_steps,
)
from shelfread.links.http.client import Client
from shelfread.links.http.wire_url import request_host


class Checked(NamedTuple):
    """The result for one URL: an attempt, and the second one that some results need."""

    host: str
    attempt: Attempt
    second: Attempt | None = None
    root: Attempt | None = None
    """The host's own page, if the page itself was gone twice."""


class CheckQueue:
    """The URLs of one run. Each result is passed to `on_checked` at once, in no order."""

    def __init__(self, client: Client, on_checked: Callable[[Checked], None]) -> None:
        self.client = client
        self._on_checked = on_checked
        self.roots: dict[str, Attempt] = {}
        """The hosts' own pages that were requested, by URL."""
        self._open: dict[str, _UrlCheck] = {}
        self._all_done = asyncio.Event()
        self._failure: Exception | None = None
        """An exception of `on_checked`: the results cannot be reported."""

    def add(self, url: str, options: FetchOptions) -> None:
        """Check a URL; one that is already in the queue is not added again."""
        if url in self._open:
            return
        try:
            host = request_host(url)
        except FetchError as error:
            self._on_checked(Checked("", Attempt(url, trouble=error.trouble, detail=error.detail)))
        else:
            check = self._open[url] = _UrlCheck(self, host, url, options)
            self.client.throttle.put(host, check)

    async def wait(self) -> None:
        """Wait until everything that was added is checked; raises what `on_checked` raised."""
        while self._open and self._failure is None:
            self._all_done.clear()
            await self._all_done.wait()
        if self._failure is not None:
            raise self._failure

    async def abandon(self, reason: str) -> None:
        """Stop, and report the remaining URLs as not checked."""
        checks = list(self._open.values())
        await self.client.throttle.stop(reason)
        for check in checks:
            check.drop(reason)

    async def cancel(self) -> None:
        """Stop, and report nothing more."""
        self._open.clear()
        await self.client.throttle.stop("interrupted")

    def complete(self, url: str, checked: Checked) -> None:
        """Report the result for a URL."""
        if self._open.pop(url, None):
            try:
                self._on_checked(checked)
            except Exception as error:
                self._failure = error
                self._open.clear()
            if not self._open:
                self._all_done.set()


class _UrlCheck:
    """One URL from its first request to its result."""

    __slots__ = (
        *("_first", "_host", "_last", "_next", "_options", "_queue"),
        *("_second", "_spent", "_steps", "_tries", "_url"),
    )

    def __init__(self, queue: CheckQueue, host: str, url: str, options: FetchOptions) -> None:
        self._queue = queue
        self._host = host
        self._url = url
        self._options = options
        self._steps: FetchSteps | None = None
        self._next: Request | None = None
        self._spent = 0.0
        self._tries = 0
        self._first: Attempt | None = None
        """An attempt that a second one has to confirm."""
        self._second: Attempt | None = None
        """A second attempt that the host's own page has to confirm."""
        self._last: Attempt | None = None
        """A failed attempt that is retried."""

    async def run(self) -> None:
        client = self._queue.client
        now, link = client.now, client.settings.link
        try:
            request = self._next
            if self._steps is None or request is None:
                self._steps = fetch_steps(self._url, self._options, client.no_head)
                request = self._next = next(self._steps)
            started = now()
            seconds = link - self._spent if self._spent else None
            if request.limit:
                # After an endless body there must be time to check whether the page exists.
                seconds = min(link / 2, link if seconds is None else seconds)
            outcome: Reply | FetchError
            try:
                outcome = await client.send(request, self._first is None, seconds)
            except FetchError as error:
                outcome = error
            self._spent += now() - started
            if isinstance(outcome, FetchError) or not self._must_wait(outcome):
                self._continue(outcome)
        except Exception as error:
            self._complete(Attempt(self._url, trouble=Trouble.FAULT, detail=type(error).__name__))

    def drop(self, reason: str) -> None:
        not_checked = Attempt(self._url, trouble=Trouble.NOT_CHECKED, detail=reason)
        if self._first is not None:
            self._complete(self._first, self._second or not_checked, not_checked if self._second else None)
        else:
            self._complete(self._last or not_checked)

    def _finish_attempt(self, attempt: Attempt) -> None:
        """Report the attempt, or schedule another one."""
        settings = self._queue.client.settings
        if self._second is not None:
            self._queue.roots[attempt.url] = attempt
            self._complete(self._first or self._second, self._second, attempt)
        elif self._first is not None:
            self._confirm(self._first, attempt)
        elif needs_second_attempt(attempt):
            self._first = attempt
            self._options = self._options._replace(headers=settings.browser_headers)
            self._retry(settings.second_attempt_delay)
        elif is_transient(attempt) and self._tries < len(settings.retries):
            self._last = attempt
            wait = settings.retries[self._tries]
            self._tries += 1
            self._retry(uniform(wait, wait * 1.5))
        else:
            self._complete(attempt)

    def _confirm(self, first: Attempt, second: Attempt) -> None:
        """Report two attempts, after a look at the host's own page where that decides."""
        if not needs_root(first, second):
            self._complete(first, second)
        elif (root := self._queue.roots.get(root_of(second.end))) is not None:
            self._complete(first, second, root)
        else:
            self._second, self._spent = second, 0.0
            self._steps = root_steps(second.end, self._options)
            self._next = next(self._steps)
            self._queue.client.throttle.put(request_host(self._next.url), self, first=True)

    def _continue(self, outcome: Reply | FetchError) -> None:
        assert self._steps is not None
        try:
            self._next = self._steps.send(outcome)
        except StopIteration as end:
            self._steps = None
            self._finish_attempt(end.value)
        else:
            # Started checks go first, so that few are open at a time.
            self._queue.client.throttle.put(request_host(self._next.url), self, first=True)

    def _must_wait(self, reply: Reply) -> bool:
        """Whether the host asks to wait and the run does so: then all its links wait."""
        if reply.status not in (429, 503):
            return False
        requested = retry_after(reply.headers)
        if reply.status == 503 and requested is None:
            return False
        client = self._queue.client
        settings = client.settings
        host = request_host(reply.url)
        can_retry = self._tries < len(settings.retries)
        wait = requested if requested is not None else settings.retries[self._tries] if can_retry else 0
        in_time = client.deadline is None or client.now() + wait < client.deadline
        if can_retry and wait <= settings.max_retry_after and in_time:
            self._tries += 1
            client.throttle.pause_host(host, wait)
            client.throttle.put(host, self, first=True)
            return True
        reason = f"the host asks to wait {wait:.0f} s" if wait else "the host asks for fewer requests"
        client.throttle.drop(host, reason)
        return False

    def _retry(self, wait: float) -> None:
        self._options = self._options._replace(get=True)
        self._spent = 0.0
        self._queue.client.throttle.put(self._host, self, wait=wait)

    def _complete(self, attempt: Attempt, second: Attempt | None = None, root: Attempt | None = None) -> None:
        self._steps = None
        self._queue.complete(self._url, Checked(self._host, attempt, second, root))
