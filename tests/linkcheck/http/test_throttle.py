"""The order and times in which jobs of hosts start."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from shelfread.core.link_record import Trouble
from shelfread.linkcheck.http.throttle import DroppedError, Throttle
from shelfread.linkcheck.request import FetchError
from shelfread.linkcheck.settings import Settings
from support.web import Call


class _Skipper(selectors.SelectSelector):
    """Does not wait: it tells the loop's clock to go on."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everything waits, and for nothing"
        self.now += timeout
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose time passes only by waiting, and at once."""

    def __init__(self) -> None:
        self.skipper = _Skipper()
        super().__init__(self.skipper)

    def time(self) -> float:
        return self.skipper.now


def at_once(deed: Callable[[], Awaitable[Any]]) -> Any:
    """Run with time that skips."""
    loop = SkippingLoop()
    try:
        return loop.run_until_complete(deed())
    finally:
        loop.close()


class Log:
    """Jobs that note when they start."""

    def __init__(self, settings: Settings) -> None:
        self.throttle = Throttle(settings)
        self.loop = asyncio.get_running_loop()
        self.starts: list[tuple[str, float]] = []
        self.dropped: list[tuple[str, str]] = []
        self.running = self.most = 0

    def put(self, host: str, name: str, takes: float = 0, **how: Any) -> None:
        log = self

        class Job:
            async def run(self) -> None:
                log.starts.append((name, round(log.loop.time(), 3)))
                log.running += 1
                log.most = max(log.most, log.running)
                await asyncio.sleep(takes)
                log.running -= 1

            def drop(self, why: str) -> None:
                log.dropped.append((name, why))

        self.throttle.put(host, Job(), **how)


def paced(settings: Settings, play: Callable[[Log], None], seconds: float = 1000) -> Log:
    """The log of jobs put, after a while."""

    async def run() -> Log:
        log = Log(settings)
        play(log)
        await asyncio.sleep(seconds)
        await log.throttle.stop("over")
        return log

    log: Log = at_once(run)
    return log


def test_a_host_is_asked_at_its_pace() -> None:
    def play(log: Log) -> None:
        for n in range(3):
            log.put("a", f"a{n}")
            log.put("arxiv.org", f"x{n}")

    log = paced(Settings(), play)
    assert sorted(log.starts) == [("a0", 0), ("a1", 0.2), ("a2", 0.4), ("x0", 0), ("x1", 3), ("x2", 6)]


def test_two_at_once_on_a_host_and_so_many_on_all() -> None:
    def play(log: Log) -> None:
        for _ in range(4):
            for host in "abc":
                log.put(host, host, takes=10)

    assert [time for _, time in paced(Settings(pause=0), play).starts] == [0] * 6 + [10] * 6
    log = paced(Settings(pause=0, concurrency=5), play)
    assert [time for _, time in log.starts] == [0] * 5 + [10] * 5 + [20] * 2
    assert log.most == 5


def test_a_slow_host_holds_up_nobody_else() -> None:
    def play(log: Log) -> None:
        for _ in range(500):
            log.put("slow", "slow", takes=100)
        for n in range(50):
            log.put(f"fast{n % 5}", "fast", takes=1)

    log = paced(Settings(pause=0, concurrency=8), play, 50)
    assert max(time for name, time in log.starts if name == "fast") < 10
    assert sum(name == "slow" for name, _ in log.starts) == 2


def test_a_sleeping_host_wakes() -> None:
    def play(log: Log) -> None:
        log.put("a", "a0")
        log.throttle.pause_host("a", 30)
        log.put("a", "a1")
        log.put("a", "later", wait=60)
        log.put("a", "first", first=True)
        log.put("b", "b")

    log = paced(Settings(), play)
    assert log.starts == [("b", 0), ("first", 30), ("a0", 30.2), ("a1", 30.4), ("later", 60)]


def test_a_dropped_host_is_asked_nothing_more() -> None:
    def play(log: Log) -> None:
        log.put("a", "a0")
        log.throttle.drop("a", "asks to wait an hour")
        log.put("a", "a1")

    log = paced(Settings(), play)
    assert log.starts == []
    assert log.dropped == [("a0", "asks to wait an hour"), ("a1", "asks to wait an hour")]


def test_a_host_has_so_much_time() -> None:
    def play(log: Log) -> None:
        for n in range(100):
            log.put("a", f"a{n}", takes=10)

    log = paced(Settings(host=60), play)
    assert len(log.starts) + len(log.dropped) == 100
    assert max(time for _, time in log.starts) <= 60.2
    assert {why for _, why in log.dropped} == {"the host took more than 60 s"}


def test_turns_end_with_what_the_deed_says() -> None:
    async def run() -> None:
        pace = Throttle(Settings())

        async def fails() -> None:
            raise FetchError(Trouble.LOST)

        async def waits() -> None:
            await asyncio.sleep(99)

        async def one() -> int:
            return 1

        assert await pace.call("a", one) == 1
        with pytest.raises(FetchError):
            await pace.call("a", fails)
        turns = [asyncio.ensure_future(pace.call("a", waits)) for _ in range(3)]
        await asyncio.sleep(5)
        await pace.stop("over")
        kinds = [type(end) for end in await asyncio.gather(*turns, return_exceptions=True)]
        assert kinds == [asyncio.CancelledError, asyncio.CancelledError, DroppedError]
        assert await pace.call("a", one) == 1

    at_once(run)


async def slow(call: Call) -> None:
    await asyncio.sleep(0.2)
    call.reply()
