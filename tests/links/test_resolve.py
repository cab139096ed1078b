"""A whole run: deadline, interruption, missing network, anchors."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator

import pytest
from aiohttp.abc import ResolveResult

from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.online_check import check_urls
from support.links import check
from support.web import ANY, Resolver, Settings, Web, hang, page, quick, redirect, serve, slow


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {
        "fast.test": {ANY: page()},
        "slow.test": {ANY: slow},
        "hang.test": {ANY: hang},
        "page.test": {
            "/": page(body=b"<h1 id=\"top\">A</h1><a name=usage></a><i ID='a&amp;b'>"),
            "/pdf": page(headers={"Content-Type": "application/pdf"}),
            "/long": page(body=b"<p id=x>" * 100_000),
            "/latin": page(
                body="<p id='é'>".encode("latin-1"), headers={"Content-Type": "text/html; charset=latin1"}
            ),
            "/undefined": page(body=b"<p id=a>", headers={"Content-Type": "text/html; charset=undefined"}),
            "/to": redirect("/#top"),
        },
    }
    with serve(sites) as web:
        yield web


def test_the_runs_deadline(web: Web) -> None:
    urls = [web.url(name, f"/{n}") for n in range(10) for name in ("hang.test", "fast.test")]
    records = check(web, urls, settings=quick(deadline=0.4, first_byte=30, link=30))
    assert {records[url].verdict for url in urls if "fast" in url} == {Verdict.ALIVE}
    assert {records[url].reason for url in urls if "hang" in url} == {"not checked"}


def test_interrupted(web: Web) -> None:
    """Reported records are valid, and sockets are closed (an open one is a warning, and so an error)."""
    reported: list[LinkRecord] = []
    urls = [web.url(name, f"/{n}") for n in range(50) for name in ("hang.test", "fast.test")]

    async def run() -> None:
        enough = asyncio.Event()

        def on_record(record: LinkRecord) -> None:
            reported.append(record)
            if len(reported) == 10:
                enough.set()

        async with web.client(quick(link=30, first_byte=30)) as client:
            work = asyncio.ensure_future(check_urls(urls, (), {}, on_record, client))
            await enough.wait()
            work.cancel()
            with pytest.raises(asyncio.CancelledError):
                await work
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert 10 <= len(reported) <= 50
    assert {record.verdict for record in reported} == {Verdict.ALIVE}


def no_such(count: int) -> list[str]:
    return [f"http://no{n}.test/" for n in range(count)]


def test_without_a_network_no_link_is_judged(web: Web) -> None:
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
    # Names that cannot be resolved prove nothing, even if they are few.
    resolver = web.resolver(failing=frozenset({"a.test", "b.test", *Settings().network_probes}))
    records = check(web, ["http://a.test/", "http://b.test/"], resolver=resolver)
    assert {(record.reason, record.failures) for record in records.values()} == {("no network", 0)}


@pytest.mark.parametrize("lost_after", [0, 1, 2, 3])
def test_a_network_lost_in_the_middle_makes_no_link_dead(web: Web, lost_after: int) -> None:
    """Some resolvers say offline that there is no such name, of every name."""

    class Losing(Resolver):
        async def resolve(
            self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
        ) -> list[ResolveResult]:
            if host.startswith("good") and self.requests.total() >= lost_after:
                self.names = {}
            return await super().resolve(host, port, family)

    fast = [web.url("fast.test", f"/{n}") for n in range(20)]
    good = [f"http://good{n}.test:{web.ports['http']}/" for n in range(4)]
    resolver = Losing(web.resolver().names)
    records = check(web, [*fast, *good], resolver=resolver, settings=quick(per_host=1))
    for url in good:
        assert records[url].verdict is Verdict.UNKNOWN and not records[url].failures, records[url]
        assert records[url].reason == "network unreachable"


def test_with_a_network_a_few_dead_names_are_dead(web: Web) -> None:
    records = check(web, [*no_such(4), web.url("fast.test")])
    assert {records[url].verdict for url in no_such(4)} == {Verdict.DEAD}


@pytest.mark.parametrize("network", [True, False])
def test_a_few_failed_links_need_a_probe_of_the_network(web: Web, network: bool) -> None:
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
        assert {(record.reason, record.failures) for record in records.values()} == {("no network", 0)}
    web.opened.clear()
    check(web, no_such(1), resolver=resolver)
    assert web.opened == []  # they are resolved, never requested


def test_a_name_server_that_never_answers_does_not_block(web: Web) -> None:
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
    names = ("/", "/pdf", "/long", "/latin", "/undefined", "/to")
    urls = {path: web.url("page.test", path) for path in names}
    records = check(web, list(urls.values()), anchors=set(urls.values()))
    found = {path: records[url].anchors for path, url in urls.items()}
    anchors = frozenset({"top", "usage", "a&b"})
    other = {"/latin": frozenset({"é"}), "/undefined": frozenset("a")}
    assert found == {"/": anchors, "/pdf": None, "/long": None, "/to": anchors, **other}
    assert records[urls["/to"]].end == urls["/"] + "#top"
    assert check(web, [urls["/"]])[urls["/"]].anchors is None
