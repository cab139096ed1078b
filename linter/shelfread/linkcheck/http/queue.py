"""Many looks at the pace of their hosts: what may pass is tried again, what seems dead is seen twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import uniform
from typing import NamedTuple

from shelfread.core.link_record import Answer, Trouble
from shelfread.linkcheck.classify.judge import is_transient, needs_second
from shelfread.linkcheck.http.client import Client
from shelfread.linkcheck.http.redirects import FetchOptions, Step, Walk, retry_after, walk
from shelfread.linkcheck.http.url import host_of
from shelfread.linkcheck.request import FetchError, Reply


class Looked(NamedTuple):
    """What became of one address: a look, and the second that some need."""

    host: str
    answer: Answer
    second: Answer | None = None


class Gathering:
    """The looks of one run; what is done is told at once, in no order."""

    def __init__(self, client: Client, tell: Callable[[Looked], None]) -> None:
        self.client = client
        self._tell = tell
        self._open: dict[str, _Look] = {}
        self._done = asyncio.Event()

    def add(self, url: str, wish: FetchOptions) -> None:
        """Have an address looked at, once."""
        if url in self._open:
            return
        try:
            host = host_of(url)
        except FetchError as refused:
            self._tell(Looked("", Answer(url, trouble=refused.trouble, detail=refused.detail)))
        else:
            look = self._open[url] = _Look(self, host, url, wish)
            self.client.pace.put(host, look)

    async def finish(self) -> None:
        """Wait for all that was added."""
        while self._open:
            self._done.clear()
            await self._done.wait()

    async def give_up(self, why: str) -> None:
        """Stop, and tell of each open look that it was not made."""
        looks = list(self._open.values())
        await self.client.pace.stop(why)
        for look in looks:
            look.drop(why)

    async def forget(self) -> None:
        """Stop, and tell of nothing more."""
        self._open.clear()
        await self.client.pace.stop("interrupted")

    def close(self, url: str, looked: Looked) -> None:
        """A look is over."""
        if self._open.pop(url, None):
            self._tell(looked)
            if not self._open:
                self._done.set()


class _Look:
    """One address between its first request and its answer."""

    __slots__ = (
        "_first",
        "_gathering",
        "_host",
        "_last",
        "_spent",
        "_step",
        "_tries",
        "_url",
        "_walk",
        "_wish",
    )

    def __init__(self, gathering: Gathering, host: str, url: str, wish: FetchOptions) -> None:
        self._gathering = gathering
        self._host = host
        self._url = url
        self._wish = wish
        self._walk: Walk | None = None
        self._step: Step | None = None
        self._spent = 0.0
        self._tries = 0
        self._first: Answer | None = None
        """What a second look is to confirm."""
        self._last: Answer | None = None
        """What another try may better."""

    async def run(self) -> None:
        client = self._gathering.client
        if self._walk is None or self._step is None:
            self._walk = walk(self._url, self._wish, client.headless)
            self._step = next(self._walk)
        began = client.now()
        left = client.settings.link - self._spent if self._spent else None
        if self._step.request.limit:
            # A body that never ends leaves time for a look at whether the page is there.
            left = min(client.settings.link / 2, client.settings.link if left is None else left)
        outcome: Reply | FetchError
        try:
            outcome = await client.ask(self._step.request, self._step.verify, self._first is not None, left)
        except FetchError as wrong:
            outcome = wrong
        self._spent += client.now() - began
        if isinstance(outcome, FetchError) or not self._must_wait(outcome):
            self._go_on(outcome)

    def drop(self, why: str) -> None:
        nothing = Answer(self._url, trouble=Trouble.NOT_ASKED, detail=why)
        if self._first is not None:
            self._close(Looked(self._host, self._first, nothing))
        else:
            self._close(Looked(self._host, self._last or nothing))

    def settle(self, answer: Answer) -> None:
        """An answer came: the last word, or one that asks for another look."""
        client = self._gathering.client
        if self._first is None and answer.trouble is None and answer.hops[-1].status < 400:
            self._close(Looked(self._host, answer))
        elif self._first is not None:
            self._close(Looked(self._host, self._first, answer))
        elif needs_second(answer):
            self._first = answer
            self._again(client.settings.second_look)
        elif is_transient(answer) and self._tries < len(client.settings.retries):
            self._last = answer
            wait = client.settings.retries[self._tries]
            self._tries += 1
            self._again(uniform(wait, wait * 1.5))
        else:
            self._close(Looked(self._host, answer))

    def _go_on(self, outcome: Reply | FetchError) -> None:
        assert self._walk is not None
        try:
            self._step = self._walk.send(outcome)
        except StopIteration as end:
            self._walk = None
            self.settle(end.value)
        else:
            # Begun looks go first: few are open at a time.
            self._gathering.client.pace.put(host_of(self._step.request.url), self, first=True)

    def _must_wait(self, reply: Reply) -> bool:
        """Whether the host asks for patience and gets it: then all its links wait."""
        if reply.status not in (429, 503):
            return False
        asked = retry_after(reply.headers)
        if reply.status == 503 and asked is None:
            return False
        client = self._gathering.client
        settings = client.settings
        host = host_of(reply.url)
        more = self._tries < len(settings.retries)
        wait = asked if asked is not None else settings.retries[self._tries] if more else 0
        ends = client.ends_at
        if more and wait <= settings.patience and (ends is None or client.now() + wait < ends):
            self._tries += 1
            client.pace.sleep(host, wait)
            client.pace.put(host, self, first=True)
            return True
        client.pace.drop(
            host, f"the host asks to wait {wait:.0f} s" if wait else "the host asks for fewer requests"
        )
        return False

    def _again(self, wait: float) -> None:
        self._wish = self._wish._replace(get=True)
        self._spent = 0.0
        self._gathering.client.pace.put(self._host, self, wait=wait)

    def _close(self, looked: Looked) -> None:
        self._walk = None
        self._gathering.close(self._url, looked)
