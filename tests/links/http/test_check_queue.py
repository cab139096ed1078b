"""Retries, second attempts, and hosts that ask to wait."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shelfread.index.answers import Verdict
from shelfread.links.exchange import Reply
from support.links import check
from support.web import ANY, Web, in_order, page, quick, serve, slow


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {
        "fast.test": {ANY: page()},
        "slow.test": {ANY: slow},
        "limit.test": {ANY: page(429, headers={"Retry-After": "3600"})},
        "nap.test": {"/first": in_order(page(429, headers={"Retry-After": "1"}), page()), ANY: page()},
        "plain429.test": {ANY: page(429)},
        "flaky.test": {"/": in_order(page(503), page(500), page())},
        "gone.test": {},
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


def test_a_long_retry_after_drops_the_host(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("limit.test", f"/{n}") for n in range(100)] + [web.url("fast.test")]
    records = check(web, urls)
    assert {records[url].verdict for url in urls[:-1]} == {Verdict.UNKNOWN}
    assert records[urls[-1]].verdict is Verdict.ALIVE
    assert sum(request.name == "limit.test" for request in web.requests) <= 2
    assert all(not record.failures for record in records.values())


def test_a_short_retry_after_is_waited_for(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("nap.test", path) for path in ("/first", "/2", "/3", "/4")]
    records = check(web, urls, settings=quick(per_host=1))
    assert {record.verdict for record in records.values()} == {Verdict.ALIVE}
    assert [request.path for request in web.requests] == ["/first", "/first", "/2", "/3", "/4"]


def test_repeated_429_drops_the_host(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("plain429.test", f"/{n}") for n in range(50)]
    records = check(web, urls, settings=quick(per_host=1, retries=(0.05, 0.05)))
    assert {record.verdict for record in records.values()} == {Verdict.UNKNOWN}
    assert len(web.requests) == 3


def test_temporary_failures_are_retried(web: Web) -> None:
    web.requests.clear()
    url = web.url("flaky.test")
    assert check(web, [url])[url].verdict is Verdict.ALIVE
    assert web.times("flaky.test", "/") == 3


def test_a_404_is_confirmed_by_a_second_connection(web: Web) -> None:
    web.requests.clear()
    web.opened.clear()
    url = web.url("gone.test", "/x")
    record = check(web, [url])[url]
    assert record.verdict is Verdict.DEAD
    assert record.failures == 1
    asked = [(request.method, request.path) for request in web.requests]
    assert asked == [("GET", "/x"), ("GET", "/x"), ("GET", "/")]
    assert len(web.opened) == 3


def test_a_reply_that_nobody_foresaw_is_that_of_one_link(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    def anchors_of(reply: Reply, limit: int) -> frozenset[str]:
        raise UnicodeError

    monkeypatch.setattr("shelfread.links.attempts.anchors_of", anchors_of)
    first, second = urls = [web.url("fast.test", f"/{n}") for n in range(2)]
    records = check(web, urls, anchors={first}, settings=quick(per_host=1, deadline=20))
    assert records[first].verdict is Verdict.UNKNOWN
    assert records[first].reason == "internal error: UnicodeError"
    assert records[second].verdict is Verdict.ALIVE
