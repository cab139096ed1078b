"""The last look at a page that seems gone: as a browser would ask, and at the host's own page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shelfread.index.answers import Verdict
from support.links import check
from support.web import ANY, Call, Handler, Web, hang, page, redirect, serve


def needs(header: str, part: str = "", otherwise: int = 404) -> Handler:
    """Answer with a page only if a header is sent that has a part."""

    async def handle(call: Call) -> None:
        sent = call.request.headers.get(header, "")
        call.reply(200 if sent and part in sent else otherwise, b"<title>x</title>")

    return handle


NO_SITE = b"<!doctype html><h1>404</h1><p><strong>There isn't a GitHub Pages site here.</strong>"
SITES: dict[str, dict[str, Handler]] = {
    "language.test": {ANY: needs("accept-language")},
    "agent.test": {ANY: needs("user-agent", "Mozilla/5.0")},
    "accept.test": {ANY: needs("accept", "application/xhtml+xml")},
    "gone410.test": {ANY: needs("accept-language", otherwise=410)},
    "robots.test": {ANY: page(404), "/": page(404)},
    "robots410.test": {ANY: page(410), "/": page(410)},
    "plain.test": {"/": page()},
    "elsewhere.test": {"/": redirect("https://www.elsewhere.test/home")},
    "closed.test": {"/": page(403)},
    "broken.test": {"/": page(503)},
    "silent.test": {"/": hang},
    "walled.test": {"/": page(403, headers={"cf-mitigated": "challenge"})},
    "waits.test": {"/": page(429, headers={"Retry-After": "3600"})},
    "via.test": {"/a": redirect("/gone")},
    "no-site.github.io": {ANY: page(404, NO_SITE)},
    "other-words.github.io": {ANY: page(404, b"<h1>404</h1> File not found")},
    "quoted.github.io": {ANY: page(404), "/": page(200, NO_SITE)},
    "no-site.test": {ANY: page(404, NO_SITE)},
    "gone410.github.io": {ANY: page(410, NO_SITE)},
}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serve(SITES) as web:
        yield web


@pytest.mark.parametrize(
    ("site", "verdict", "reason"),
    [
        ("language.test", Verdict.ALIVE, "200 OK"),
        ("agent.test", Verdict.ALIVE, "200 OK"),
        ("accept.test", Verdict.ALIVE, "200 OK"),
        ("gone410.test", Verdict.ALIVE, "200 OK"),
        ("robots.test", Verdict.BLOCKED, "its host's own page: 404 Not Found"),
        ("robots410.test", Verdict.BLOCKED, "its host's own page: 410"),
        ("plain.test", Verdict.DEAD, "404 Not Found, seen twice"),
        ("elsewhere.test", Verdict.DEAD, "seen twice"),
        ("closed.test", Verdict.DEAD, "seen twice"),
        ("broken.test", Verdict.UNKNOWN, "its host's own page: 503"),
        ("silent.test", Verdict.UNKNOWN, "its host's own page: timed out"),
        ("walled.test", Verdict.BLOCKED, "its host's own page: 403 Forbidden"),
        ("waits.test", Verdict.UNKNOWN, "its host's own page: "),
        ("via.test", Verdict.DEAD, "seen twice"),
        ("no-site.github.io", Verdict.DEAD, "404 Not Found, seen twice: GitHub Pages has no such site"),
        ("other-words.github.io", Verdict.BLOCKED, "its host's own page: 404 Not Found"),
        ("quoted.github.io", Verdict.DEAD, "404 Not Found, seen twice"),
        ("no-site.test", Verdict.BLOCKED, "its host's own page: 404 Not Found"),
        ("gone410.github.io", Verdict.BLOCKED, "its host's own page: 410"),
    ],
)
def test_verdict(web: Web, site: str, verdict: Verdict, reason: str) -> None:
    url = web.url(site, "/a")
    record = check(web, [url])[url]
    assert record.verdict is verdict and reason in record.reason, record


def test_who_asks_is_said_with_an_address(web: Web) -> None:
    web.requests.clear()
    check(web, [web.url("plain.test", "/a")])
    first, *_, second, root = web.requests
    assert first.headers["user-agent"].startswith("shelfread/")
    for request in (second, root):
        assert request.headers["user-agent"].startswith("Mozilla/5.0 (compatible; shelfread/")
        assert {"accept", "accept-language", "accept-encoding"} <= set(request.headers)
    assert all("; +https://" in request.headers["user-agent"] for request in (second, root))
    assert "+https://" in first.headers["user-agent"]


def test_a_host_s_own_page_is_requested_once(web: Web) -> None:
    web.requests.clear()
    urls = [web.url("plain.test", f"/{n}") for n in range(40)]
    records = check(web, urls)
    assert {record.verdict for record in records.values()} == {Verdict.DEAD}
    assert web.times("plain.test", "/") <= 2  # two may ask at the same time


def test_a_dead_link_to_the_host_s_own_page_is_not_proven(web: Web) -> None:
    url = web.url("robots.test", "/")
    assert check(web, [url])[url].verdict is Verdict.BLOCKED
