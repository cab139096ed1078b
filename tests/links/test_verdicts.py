"""The verdict on everything that servers of the real web do, with servers on loopback."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from shelfread.index.answers import LinkRecord, Verdict
from support.links import check
from support.web import (
    ANY,
    EXPIRED,
    STRANGER,
    WRONG_NAME,
    Call,
    Handler,
    Web,
    bomb,
    by_method,
    drip,
    endless,
    half_closed,
    hang,
    in_order,
    page,
    raw,
    redirect,
    serve,
)

LONG = "/" + "x" * 8000
HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
ANCHORS = b'<h1 id="top">A</h1><a name=usage></a>' + "<i id='straße&amp;co'>".encode()


async def drip_body(call: Call) -> None:
    call.writer.write(HEADERS + b"\r\n<p id=top>")
    while call.request.method != "HEAD" and not call.reader.at_eof():
        call.writer.write(b"x")
        await call.writer.drain()
        await asyncio.sleep(0.02)


async def parked(call: Call) -> None:
    port = call.writer.get_extra_info("sockname")[1]
    call.reply(302, headers={"Location": f"http://ww25.plain.test:{port}/?subid=1"})


SITES: dict[str, dict[str, Handler]] = {
    "plain.test": {
        "/": page(),
        "/gone": page(410),
        "/missing": page(404),
        "/flaps": in_order(page(404), page()),
        "/login": page(),
        "/paper": redirect("/"),
        "/a": redirect("/b"),
        "/b": redirect("/c", 308),
        "/c": page(),
        "/temporary": redirect("/b", 302),
        "/loop": redirect("/pool"),
        "/pool": redirect("/loop"),
        "/itself": redirect("/itself", 302),
        "/to-login": redirect("/login", 302),
        "/nowhere": page(301),
        "/teapot": page(418),
        "/secret": page(401),
        "/pay": page(402),
        "/law": page(451),
        "/999": page(999),
        "/waf": page(202, headers={"x-amzn-waf-action": "challenge"}),
        "/cf": page(403, headers={"CF-Mitigated": "challenge"}),
        "/accepted": page(202),
        "/empty": page(204, b""),
        "/400": page(400),
        "/406": page(406),
        "/café au lait": page(),
        "/raw-location": redirect("/caf\udcc3\udca9 au lait"),
        "/relative": redirect("c"),
        "/dots": redirect("../././c"),
        "/backslash": redirect("\\c"),
        "/blank": redirect(" /c "),
        "/query": redirect("?x=1"),
        "/to-fragment": redirect("/c#part"),
        LONG: page(),
        "/to-long": redirect(LONG),
        "/soft": page(200, b"<title>Page not found</title>"),
        "/wrong-length": raw(HEADERS + b"Content-Length: 5000\r\n\r\n<p id=top>short"),
        "/anchors": page(body=ANCHORS),
        "/drip": drip_body,
        "/known": page(304),
        "/endless-redirects": redirect("/hop/x"),
        "/store": redirect("itms-apps://apps.example.org/app/id1", 302),
        "/script": redirect("javascript:alert(1)"),
        "/parked": parked,
        "/mailto": redirect("mailto:me@example.org"),
    },
    **{
        f"head{status}.test": {ANY: page(head=status)}
        for status in (400, 403, 404, 405, 406, 410, 415, 422, 500, 501, 503)
    },
    "headless.test": {ANY: by_method(page(), raw(b""))},
    "headmad.test": {ANY: by_method(page(), raw(b"SSH-2.0-OpenSSH_9\r\n"))},
    "ww25.plain.test": {"/": page()},
    "hops.test": {ANY: redirect("x/")},
    "limit.test": {ANY: page(429, headers={"Retry-After": "3600"})},
    "limits.test": {"/": in_order(page(429, headers={"Retry-After": "0"}), page())},
    "dated.test": {"/": page(503, headers={"Retry-After": "Fri, 31 Dec 2199 23:59:59 GMT"})},
    "busy.test": {"/": in_order(page(503), page(503), page()), "/always": page(503), "/500": page(500)},
    "hang.test": {ANY: hang},
    "drip.test": {ANY: drip},
    "endless.test": {ANY: endless},
    "bomb.test": {ANY: bomb(200)},
    "half.test": {ANY: half_closed},
    "reset.test": {ANY: raw(b"")},
    "ssh.test": {ANY: raw(b"SSH-2.0-OpenSSH_9\r\n")},
    "headers.test": {ANY: raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000 + b"\r\n\r\n")},
    "expired.test": {"/": page(), "/gone": page(410)},
    "wrong.test": {"/": page()},
    "stranger.test": {"/": page()},
    "bücher.test": {"/straße": page(), ANY: page(404)},
    "to-file.test": {
        "/file": redirect("file:///etc/passwd"),
        "/private": redirect("http://10.0.0.1/"),
        "/metadata": redirect("http://169.254.169.254/latest/meta-data/"),
        "/self": redirect("http://127.0.0.1/"),
        "/name": redirect("http://inside.test/"),
        "/user": redirect("http://me:secret@plain.test/"),
        "/port": redirect("http://public.test:22/"),
    },
}
CERTIFICATES = {"expired.test": EXPIRED, "wrong.test": WRONG_NAME, "stranger.test": STRANGER}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serve(SITES, CERTIFICATES) as web:
        yield web


class Case(NamedTuple):
    site: str
    path: str
    verdict: Verdict
    reason: str = ""
    """A part of the reason."""
    scheme: str = "http"


CASES = [
    Case("plain.test", "/", Verdict.ALIVE),
    Case("plain.test", "/", Verdict.ALIVE, scheme="https"),
    Case("plain.test", "/gone", Verdict.DEAD, "410"),
    Case("plain.test", "/missing", Verdict.DEAD, "seen twice"),
    Case("plain.test", "/flaps", Verdict.ALIVE),
    Case("plain.test", "/a", Verdict.MOVED),
    Case("plain.test", "/temporary", Verdict.ALIVE, "temporary"),
    Case("plain.test", "/paper", Verdict.SUSPECT),
    Case("plain.test", "/to-login", Verdict.SUSPECT),
    Case("plain.test", "/loop", Verdict.SUSPECT, "endless"),
    Case("plain.test", "/itself", Verdict.SUSPECT, "endless"),
    Case("hops.test", "/", Verdict.SUSPECT, "endless"),
    Case("plain.test", "/nowhere", Verdict.SUSPECT),
    Case("plain.test", "/teapot", Verdict.BLOCKED),
    Case("plain.test", "/secret", Verdict.BLOCKED),
    Case("plain.test", "/pay", Verdict.BLOCKED),
    Case("plain.test", "/law", Verdict.BLOCKED),
    Case("plain.test", "/999", Verdict.BLOCKED),
    Case("plain.test", "/waf", Verdict.BLOCKED, "x-amzn-waf-action"),
    Case("plain.test", "/cf", Verdict.BLOCKED, "cf-mitigated"),
    Case("plain.test", "/accepted", Verdict.ALIVE),
    Case("plain.test", "/empty", Verdict.ALIVE),
    Case("plain.test", "/400", Verdict.SUSPECT),
    Case("plain.test", "/406", Verdict.BLOCKED),
    Case("plain.test", "/café au lait", Verdict.ALIVE),
    Case("plain.test", "/caf%C3%A9%20au%20lait", Verdict.ALIVE),
    Case("plain.test", "/raw-location", Verdict.MOVED),
    Case("plain.test", "/relative", Verdict.MOVED),
    Case("plain.test", "/dots", Verdict.MOVED),
    Case("plain.test", "/backslash", Verdict.MOVED),
    Case("plain.test", "/blank", Verdict.MOVED),
    Case("plain.test", "/to-fragment", Verdict.MOVED),
    Case("plain.test", LONG, Verdict.ALIVE),
    Case("plain.test", "/to-long", Verdict.MOVED),
    Case("plain.test", LONG + "x" * 300, Verdict.UNSAFE, "longer"),
    Case("plain.test", "/soft", Verdict.ALIVE),
    Case("plain.test", "/wrong-length", Verdict.ALIVE),
    Case("plain.test", "/mailto", Verdict.ALIVE, "opens a program (mailto:)"),
    Case("plain.test", "/store", Verdict.ALIVE, "opens a program (itms-apps:)"),
    Case("plain.test", "/script", Verdict.UNSAFE, "javascript"),
    Case("plain.test", "/parked", Verdict.SUSPECT, "parking"),
    *(
        Case(f"head{status}.test", "/", Verdict.ALIVE)
        for status in (400, 403, 404, 405, 406, 410, 415, 422, 500, 501, 503)
    ),
    Case("headless.test", "/", Verdict.ALIVE),
    Case("headmad.test", "/", Verdict.ALIVE),
    Case("limit.test", "/", Verdict.UNKNOWN, "429"),
    Case("limits.test", "/", Verdict.ALIVE),
    Case("dated.test", "/", Verdict.UNKNOWN, "503"),
    Case("busy.test", "/", Verdict.ALIVE),
    Case("busy.test", "/always", Verdict.UNKNOWN, "503"),
    Case("busy.test", "/500", Verdict.UNKNOWN, "500"),
    Case("hang.test", "/", Verdict.UNKNOWN, "timed out"),
    Case("drip.test", "/", Verdict.UNKNOWN, "timed out"),
    Case("endless.test", "/", Verdict.ALIVE),
    Case("bomb.test", "/", Verdict.ALIVE),
    Case("half.test", "/", Verdict.UNKNOWN, "connection lost"),
    Case("reset.test", "/", Verdict.UNKNOWN, "connection lost"),
    Case("ssh.test", "/", Verdict.UNKNOWN, "no HTTP"),
    Case("headers.test", "/", Verdict.UNKNOWN, "no HTTP"),
    Case("expired.test", "/", Verdict.ALIVE, scheme="https"),
    Case("expired.test", "/gone", Verdict.SUSPECT, "410 Gone, behind", scheme="https"),
    Case("wrong.test", "/", Verdict.ALIVE, scheme="https"),
    Case("stranger.test", "/", Verdict.ALIVE, scheme="https"),
    Case("bücher.test", "/straße", Verdict.ALIVE),
    Case("xn--bcher-kva.test", "/stra%C3%9Fe", Verdict.ALIVE, scheme="https"),
    Case("b%C3%BCcher.test", "/straße", Verdict.ALIVE),
    Case("BÜCHER.test", "/straße", Verdict.ALIVE),
    Case("to-file.test", "/file", Verdict.UNSAFE, "file"),
    Case("to-file.test", "/private", Verdict.UNSAFE, "10.0.0.1"),
    Case("to-file.test", "/metadata", Verdict.UNSAFE, "169.254.169.254"),
    Case("to-file.test", "/self", Verdict.UNSAFE, "127.0.0.1"),
    Case("to-file.test", "/name", Verdict.UNSAFE, "192.168.0.9"),
    Case("to-file.test", "/user", Verdict.UNSAFE, "user name"),
    Case("to-file.test", "/port", Verdict.UNSAFE, "port 22"),
    Case("unheard-of.test", "/", Verdict.DEAD, "no such host"),
    Case("servfail.test", "/", Verdict.UNKNOWN, "name server"),
]
INSIDE = {"inside.test": [["192.168.0.9"]], "public.test": [["93.184.216.34"]]}


@pytest.fixture(scope="module")
def verdicts(web: Web) -> dict[str, LinkRecord]:
    """Check all cases in one run."""
    web.opened.clear()
    urls = [web.url(case.site, case.path, case.scheme) for case in CASES]
    resolver = web.resolver(INSIDE, frozenset({"servfail.test"}))
    return check(web, urls, resolver=resolver)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.scheme}-{case.site}{case.path[:20]}")
def test_verdict(web: Web, verdicts: dict[str, LinkRecord], case: Case) -> None:
    record = verdicts[web.url(case.site, case.path, case.scheme)]
    assert record.verdict is case.verdict, record
    assert case.reason in record.reason, record


def test_unreadable_bodies(web: Web) -> None:
    """Endless, a zip bomb, too short, too slow: the page exists, and its anchors are not known."""
    urls = [
        web.url(name, path)
        for name, path in (
            ("endless.test", "/read"),
            ("bomb.test", "/read"),
            ("plain.test", "/wrong-length"),
            ("plain.test", "/drip"),
        )
    ]
    records = check(web, urls, anchors=urls)
    assert [(records[url].verdict, records[url].anchors) for url in urls] == [(Verdict.ALIVE, None)] * 4


def test_a_hundred_links_of_one_host(web: Web) -> None:
    urls = [web.url("head405.test", f"/{number}") for number in range(100)]
    assert {record.verdict for record in check(web, urls).values()} == {Verdict.ALIVE}


def test_only_the_test_web_was_connected_to(web: Web, verdicts: dict[str, LinkRecord]) -> None:
    assert web.opened
    assert all(web.is_ours(*place) for place in web.opened)
