"""The order and times in which jobs of hosts start."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from shelfread.index.answers import Trouble
from shelfread.links.exchange import FetchError, Settings
from shelfread.links.request_limits import DroppedError, Throttle
from support.web import Call


class _Skipper(selectors.SelectSelector):
    """Advances the clock of the loop instead of waiting."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "everything waits for nothing"
        self.now += timeout
        return super().select(0)


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose time passes only by waiting, which takes no time."""

    def __init__(self) -> None:
        self.skipper = _Skipper()
        super().__init__(self.skipper)

    def time(self) -> float:
        return self.skipper.now


def run_skipping(coroutine: Callable[[], Awaitable[Any]]) -> Any:
    """Run a coroutine on a loop that skips waits."""
    loop = SkippingLoop()
    try:
        return loop.run_until_complete(coroutine())
    finally:
        loop.close()


class Log:
    """Makes requests that note when they start."""

    def __init__(self, settings: Settings) -> None:
        self.throttle = Throttle(settings)
        self.loop = asyncio.get_running_loop()
        self.starts: list[tuple[str, float]] = []
        self.dropped: list[tuple[str, str]] = []
        self.running = self.most = 0
        self.tasks: list[asyncio.Task[None]] = []

    def put(self, host: str, name: str, takes: float = 0, first: bool = False) -> None:
        async def request() -> None:
            self.starts.append((name, round(self.loop.time(), 3)))
            self.running += 1
            self.most = max(self.most, self.running)
            await asyncio.sleep(takes)
            self.running -= 1

        async def run() -> None:
            try:
                await self.throttle.call(host, request, first)
            except DroppedError as dropped:
                self.dropped.append((name, str(dropped)))

        self.throttle.expect(host)
        self.tasks.append(self.loop.create_task(run()))


def throttled(settings: Settings, add_jobs: Callable[[Log], None], seconds: float = 1000) -> Log:
    """Return the log of jobs after some seconds."""

    async def run() -> Log:
        log = Log(settings)
        add_jobs(log)
        await asyncio.sleep(seconds)
        for task in log.tasks:
            task.cancel()
        await asyncio.gather(*log.tasks, return_exceptions=True)
        return log

    log: Log = run_skipping(run)
    return log


def test_pauses_between_requests_to_a_host() -> None:
    def add_jobs(log: Log) -> None:
        for n in range(3):
            log.put("a", f"a{n}")
            log.put("arxiv.org", f"x{n}")

    log = throttled(Settings(), add_jobs)
    assert sorted(log.starts) == [("a0", 0), ("a1", 0.2), ("a2", 0.4), ("x0", 0), ("x1", 3), ("x2", 6)]


def test_limits_for_a_host_and_for_all_hosts() -> None:
    def add_jobs(log: Log) -> None:
        for _ in range(4):
            for host in "abc":
                log.put(host, host, takes=10)

    assert [time for _, time in throttled(Settings(pause=0), add_jobs).starts] == [0] * 6 + [10] * 6
    log = throttled(Settings(pause=0, concurrency=5), add_jobs)
    assert [time for _, time in log.starts] == [0] * 5 + [10] * 5 + [20] * 2
    assert log.most == 5


def test_a_slow_host_delays_no_other() -> None:
    def add_jobs(log: Log) -> None:
        for _ in range(500):
            log.put("slow", "slow", takes=100)
        for n in range(50):
            log.put(f"fast{n % 5}", "fast", takes=1)

    log = throttled(Settings(pause=0, concurrency=8), add_jobs, 50)
    assert max(time for name, time in log.starts if name == "fast") < 10
    assert sum(name == "slow" for name, _ in log.starts) == 2


def test_a_paused_host() -> None:
    def add_jobs(log: Log) -> None:
        log.put("a", "a0")
        log.throttle.pause_host("a", 30)
        log.put("a", "a1")
        log.put("a", "first", first=True)
        log.put("b", "b")

    log = throttled(Settings(), add_jobs)
    assert log.starts == [("b", 0), ("first", 30), ("a0", 30.2), ("a1", 30.4)]


def test_a_dropped_host_gets_no_further_request() -> None:
    def add_jobs(log: Log) -> None:
        log.put("a", "a0")
        log.throttle.drop("a", "asks to wait an hour")
        log.put("a", "a1")

    log = throttled(Settings(), add_jobs)
    assert log.starts == []
    assert log.dropped == [("a0", "asks to wait an hour"), ("a1", "asks to wait an hour")]


def test_the_time_limit_of_a_host() -> None:
    def add_jobs(log: Log) -> None:
        for n in range(100):
            log.put("a", f"a{n}", takes=10)

    log = throttled(Settings(host=60, host_per_link=0), add_jobs)
    assert len(log.starts) + len(log.dropped) == 100
    assert max(time for _, time in log.starts) <= 60.2
    assert {reason for _, reason in log.dropped} == {"the host took more than 60 s"}


def test_call_returns_the_result_or_raises() -> None:
    async def run() -> None:
        throttle = Throttle(Settings())

        async def fail() -> None:
            raise FetchError(Trouble.LOST)

        async def wait_long() -> None:
            await asyncio.sleep(99)

        async def succeed() -> int:
            return 1

        assert await throttle.call("a", succeed) == 1
        with pytest.raises(FetchError):
            await throttle.call("a", fail)
        calls = [asyncio.ensure_future(throttle.call("a", wait_long)) for _ in range(4)]
        await asyncio.sleep(5)
        calls[0].cancel()  # it runs
        calls[2].cancel()  # it waits
        await asyncio.sleep(5)
        throttle.drop("a", "over")
        ends = await asyncio.gather(*calls, return_exceptions=True)
        kinds = [asyncio.CancelledError, type(None), asyncio.CancelledError, type(None)]
        assert [type(end) for end in ends] == kinds
        with pytest.raises(DroppedError):
            await throttle.call("a", succeed)
        assert await throttle.call("b", succeed) == 1

    run_skipping(run)


async def slow(call: Call) -> None:
    await asyncio.sleep(0.2)
    call.reply()


def test_the_time_of_a_host_grows_with_its_links() -> None:
    """With the usual pauses three thousand slow links of one host are all requested."""

    def add_jobs(log: Log) -> None:
        for number in range(3000):
            log.put("a", str(number), takes=0.8)

    log = throttled(Settings(), add_jobs, 5000)
    assert len(log.starts) == 3000 and not log.dropped
