"""Turns, waits, retries, deadlines and interruption: politeness, and one slow host holding up nobody else."""

from __future__ import annotations

import asyncio
import selectors
import socket
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from aiohttp.abc import ResolveResult

from shelfread.core.link_record import LinkRecord, Trouble, Verdict
from shelfread.linkcheck.http.redirects import follower, retry_after
from shelfread.linkcheck.http.throttle import DroppedError, Throttle
from shelfread.linkcheck.request import FetchError, Request
from shelfread.linkcheck.resolve import check_urls
from shelfread.linkcheck.settings import Settings
from support.web import ANY, Call, Resolver, Web, hang, in_order, page, quick, redirect, serve
from support.web.check import check


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


def test_retry_after() -> None:
    assert retry_after({"retry-after": " 120 "}) == 120
    assert retry_after({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}) == 0
    assert (retry_after({"retry-after": "Fri, 31 Dec 2199 23:59:59 GMT"}) or 0) > 1e9
    for nonsense in ("", "soon", "-1", "1.5", "²", "Fri, 99 Dec 1999 23:59:59 GMT", "9" * 5000):
        assert retry_after({"retry-after": nonsense}) in (None, 999999999)


async def slow(call: Call) -> None:
    await asyncio.sleep(0.2)
    call.reply()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {
        "fast.test": {ANY: page()},
        "slow.test": {ANY: slow},
        "hang.test": {ANY: hang},
        "limit.test": {ANY: page(429, headers={"Retry-After": "3600"})},
        "nap.test": {"/first": in_order(page(429, headers={"Retry-After": "1"}), page()), ANY: page()},
        "plain429.test": {ANY: page(429)},
        "to-limit.test": {ANY: redirect("http://limit.test")},
        "headless.test": {ANY: page(head=405)},
        "flaky.test": {"/": in_order(page(503), page(500), page())},
        "gone.test": {"/": page(404)},
        "page.test": {
            "/": page(body=b"<h1 id=\"top\">A</h1><a name=usage></a><i ID='a&amp;b'>"),
            "/known": page(304, b""),
            "/pdf": page(headers={"Content-Type": "application/pdf"}),
            "/long": page(body=b"<p id=x>" * 100_000),
            "/latin": page(
                body="<p id='é'>".encode("latin-1"), headers={"Content-Type": "text/html; charset=latin1"}
            ),
            "/to": redirect("/#top"),
        },
    }
    with serve(sites) as web:
        yield web


def test_links_of_a_slow_host_come_last(web: Web) -> None:
    urls = [web.url("slow.test", f"/{n}") for n in range(20)] + [
        web.url("fast.test", f"/{n}") for n in range(100)
    ]
    records = list(check(web, urls, settings=quick(concurrency=6)))
    assert [url for url in records if "slow" in url] == [url for url in records[-20:] if "slow" in url]
    assert sum("fast" in url for url in records[:100]) >= 95


def test_a_host_that_asks_to_wait_for_an_hour_is_left_alone(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("limit.test", f"/{n}") for n in range(100)] + [web.url("fast.test")]
    records = check(web, urls)
    assert {records[url].verdict for url in urls[:-1]} == {Verdict.UNKNOWN}
    assert records[urls[-1]].verdict is Verdict.ALIVE
    assert sum(asked.name == "limit.test" for asked in web.requests) <= 2
    assert all(not record.failures for record in records.values())


def test_a_host_that_asks_to_wait_for_a_moment_is_asked_again(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("nap.test", path) for path in ("/first", "/2", "/3", "/4")]
    records = check(web, urls, settings=quick(per_host=1))
    assert {record.verdict for record in records.values()} == {Verdict.ALIVE}
    assert [asked.path for asked in web.requests] == ["/first", "/first", "/2", "/3", "/4"]


def test_a_host_that_goes_on_asking_for_patience_is_left_alone(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("plain429.test", f"/{n}") for n in range(50)]
    records = check(web, urls, settings=quick(per_host=1))
    assert {record.verdict for record in records.values()} == {Verdict.UNKNOWN}
    assert len(web.requests) == 3


def test_where_head_is_useless_is_remembered(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("headless.test", f"/{n}") for n in range(5)]
    check(web, urls, settings=quick(per_host=1))
    assert [asked.method for asked in web.requests] == ["HEAD"] + ["GET"] * 5


def test_what_may_pass_is_tried_again(web: Web) -> None:
    web.requests.clear()
    url = web.url("flaky.test")
    # Each look asks by HEAD first, then by GET; the next ones by GET alone.
    assert check(web, [url])[url].verdict is Verdict.ALIVE
    assert web.times("flaky.test", "/") == 4


def test_two_looks_by_two_connections_at_what_is_gone(web: Web) -> None:
    web.requests.clear()
    web.opened.clear()
    url = web.url("gone.test")
    record = check(web, [url])[url]
    assert record.verdict is Verdict.DEAD
    assert record.failures == 1
    assert [asked.method for asked in web.requests] == ["HEAD", "GET", "GET"]
    assert len(web.opened) == 2


def test_the_runs_deadline(web: Web) -> None:
    urls = [web.url(name, f"/{n}") for n in range(10) for name in ("hang.test", "fast.test")]
    records = check(web, urls, settings=quick(deadline=0.4, first_byte=30, link=30))
    assert {records[url].verdict for url in urls if "fast" in url} == {Verdict.ALIVE}
    assert {records[url].reason for url in urls if "hang" in url} == {"not checked"}


def test_interrupted(web: Web) -> None:
    """What was told stays; the sockets are closed (an open one is a warning, and that an error)."""
    told: list[LinkRecord] = []
    urls = [web.url(name, f"/{n}") for n in range(50) for name in ("hang.test", "fast.test")]

    async def run() -> None:
        enough = asyncio.Event()

        def on_record(record: LinkRecord) -> None:
            told.append(record)
            if len(told) == 10:
                enough.set()

        async with web.client(quick(link=30, first_byte=30)) as client:
            work = asyncio.ensure_future(check_urls(urls, (), client.settings, {}, on_record, client))
            await enough.wait()
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert 10 <= len(told) <= 50
    assert {record.verdict for record in told} == {Verdict.ALIVE}


def no_such(count: int) -> list[str]:
    return [f"http://no{n}.test/" for n in range(count)]


def test_without_a_network_nothing_is_judged(web: Web) -> None:
    known = {
        "http://no0.test/": LinkRecord("http://no0.test/", Verdict.UNKNOWN, "", failures=2, first_failure=1.0)
    }
    alive = [web.url("fast.test"), web.url("slow.test")]
    records = check(web, no_such(6) + alive, known=known)
    for url in no_such(6):
        assert (records[url].verdict, records[url].reason) == (Verdict.UNKNOWN, "no network")
    assert records["http://no0.test/"].failures == 2
    assert records["http://no1.test/"].failures == 0
    assert {records[url].verdict for url in alive} == {Verdict.ALIVE}
    # Names that nobody can look up say nothing even where they are few.
    resolver = web.resolver(failing=frozenset({"a.test", "b.test"}))
    records = check(web, ["http://a.test/", "http://b.test/"], resolver=resolver)
    assert {(record.reason, record.failures) for record in records.values()} == {("no network", 0)}


def test_with_a_network_a_few_dead_names_are_dead(web: Web) -> None:
    records = check(web, [*no_such(4), web.url("fast.test")])
    assert {records[url].verdict for url in no_such(4)} == {Verdict.DEAD}


@pytest.mark.parametrize("network", [True, False])
def test_of_few_links_the_network_is_proven_by_well_known_names(web: Web, network: bool) -> None:
    resolver = web.resolver({"doi.org": [["93.184.216.34"]]} if network else {})
    if network:
        resolver.names["hang.test"] = [[web.addresses["hang.test"]]]
    else:
        resolver.names.clear()
    records = check(web, [*no_such(3), web.url("hang.test")], resolver=resolver)
    silent = records[web.url("hang.test")]
    if network:
        assert {records[url].verdict for url in no_such(3)} == {Verdict.DEAD}
        assert silent.verdict is Verdict.UNKNOWN
        assert silent.reason.startswith("timed out") and silent.failures == 1
    else:
        assert {(one.reason, one.failures) for one in records.values()} == {("no network", 0)}
    web.opened.clear()
    check(web, no_such(1), resolver=resolver)
    assert web.opened == []  # they are looked up, and never asked


def test_a_name_server_that_never_answers_holds_nothing_up(web: Web) -> None:
    class Silent(Resolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            if host not in no_such(1)[0]:
                await asyncio.Event().wait()
            return await super().resolve(host, port, family)

    records = check(web, no_such(1), resolver=Silent({}), settings=quick(probe_timeout=0.05))
    assert records[no_such(1)[0]].reason == "no network"


def test_anchors(web: Web) -> None:
    names = ("/", "/pdf", "/long", "/latin", "/to")
    urls = {path: web.url("page.test", path) for path in names}
    records = check(web, list(urls.values()), anchors=set(urls.values()))
    found = {path: records[url].anchors for path, url in urls.items()}
    here = frozenset({"top", "usage", "a&b"})
    assert found == {"/": here, "/pdf": None, "/long": None, "/latin": frozenset({"é"}), "/to": here}
    assert records[urls["/to"]].end == urls["/"] + "#top"
    assert check(web, [urls["/"]])[urls["/"]].anchors is None


def test_a_known_page_is_not_sent_again(web: Web) -> None:
    url = web.url("page.test", "/known")
    record = check(web, [url])[url]
    assert record.verdict is not Verdict.DEAD
    before = record._replace(verdict=Verdict.ALIVE, anchors=frozenset({"old"}), etag='"tag"', modified="Wed")
    web.requests.clear()
    after = check(web, [url], anchors={url}, known={url: before})[url]
    assert web.requests[-1].headers["if-none-match"] == '"tag"'
    assert web.requests[-1].headers["if-modified-since"] == "Wed"
    assert (after.verdict, after.anchors, after.etag) == (Verdict.ALIVE, frozenset({"old"}), '"tag"')


def test_follow_and_fetch(web: Web) -> None:
    async def run() -> None:
        async with web.client() as client:
            follow = follower(client)
            assert (await follow(web.url("page.test", "/to"))).status == 200
            assert (await follow("http://no.test/")).trouble is Trouble.NO_HOST
            assert (await follow("file:///etc/passwd")).trouble is Trouble.REFUSED
            reply = await client.fetch(Request(web.url("page.test", "/to")))
            assert (reply.status, reply.headers.get("location")) == (301, "/#top")
            with pytest.raises(FetchError) as wrong:
                await client.fetch(Request("http://10.0.0.1/"))
            assert wrong.value.trouble is Trouble.REFUSED

    asyncio.run(run())
