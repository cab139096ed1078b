"""What hosts do to those who check links, and whether the page is there for its readers."""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import NamedTuple
from urllib.parse import unquote

from support.web.certificates import EXPIRED, STRANGER, WRONG_NAME
from support.web.handlers import (
    ANY,
    Call,
    Handler,
    bomb,
    by_method,
    drip,
    endless,
    hang,
    in_order,
    page,
    raw,
    redirect,
)

RUN: dict[str, int] = {"number": 0}
"""The number of the run, from 0, for hosts that change."""


class Page(Enum):
    """What is true of a page."""

    GONE = "gone"
    THERE = "there"
    OPEN = "open"
    """One run cannot tell."""


class Behaviour(NamedTuple):
    """What a host does."""

    page: Page
    site: dict[str, Handler]
    path: str = "/x"
    by_address: bool = True
    """Whether one run shows it that knows the host by its IP address."""
    certificate: str = ""
    """What is wrong with the certificate of a host that serves `https`."""
    addresses: tuple[str, ...] = ()
    """Those of its name, if they are not that of a site."""
    moved_to: str = ""
    """The path that is written instead, by a safe fix."""


def if_sent(header: str, part: str = "") -> Handler:
    async def handle(call: Call) -> None:
        sent = call.request.headers.get(header, "")
        call.reply(200 if sent and part in sent else 404)

    return handle


def by_run(*handlers: Handler) -> Handler:
    async def handle(call: Call) -> None:
        await handlers[min(RUN["number"], len(handlers) - 1)](call)

    return handle


async def parked(call: Call) -> None:
    port = call.writer.get_extra_info("sockname")[1]
    call.reply(302, headers={"Location": f"http://ww25.parked.test:{port}/?subid=1"})


async def as_browsers_write_it(call: Call) -> None:
    path = call.request.path
    call.reply(200 if unquote(path) == "/b/{c}/^d?e=|f" and "{" not in path else 404)


def in_turn(first: bytes, *rest: bytes) -> Handler:
    """Send bytes one after the other, as separate packets, and keep the connection open."""

    async def handle(call: Call) -> None:
        for data in (first, *rest):
            call.writer.write(data)
            await call.writer.drain()
            await asyncio.sleep(0.01)

    return handle


def with_cookie(to: str) -> Handler:
    """Give a cookie and redirect, until the cookie is sent."""

    async def handle(call: Call) -> None:
        sent = "seen=1" in call.request.headers.get("cookie", "")
        call.reply(200 if sent else 302, headers={} if sent else {"Set-Cookie": "seen=1", "Location": to})

    return handle


def answered(status: int, head: int | None = None, **headers: str) -> Handler:
    return page(status, headers={name.replace("_", "-"): value for name, value in headers.items()}, head=head)


async def many_headers(call: Call) -> None:
    call.writer.write(b"HTTP/1.1 200 OK\r\n")
    for _ in range(5_000):
        call.writer.write(b"X-More: %s\r\n" % (b"x" * 1000))
        await call.writer.drain()


async def slow_body(call: Call) -> None:
    call.writer.write(HEADERS + b"\r\n<p id=top>")
    while not call.reader.at_eof():
        call.writer.write(b"x")
        await call.writer.drain()
        await asyncio.sleep(0.02)


async def body_to_head(call: Call) -> None:
    """Send a body to HEAD as well, which reads like another answer."""
    body = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    call.writer.write(HEADERS + b"Content-Length: %d\r\n\r\n" % len(body) + body)


def one_late(first: bytes, then: bytes) -> Handler:
    """Send the answer to a request with the one before it, on a connection that is kept open."""

    async def handle(call: Call) -> None:
        call.writer.write(first + then)

    return handle


HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
EMPTY = HEADERS + b"Content-Length: 0\r\n\r\n"
NO_PAGE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
CHALLENGE = b"<title>Just a moment...</title><script>challenge()</script>"
GONE, OK = page(404), page()
BEHAVIOURS = {
    "answers 404, and has a page of its own": Behaviour(Page.GONE, {}),
    "answers 410, and has a page of its own": Behaviour(Page.GONE, {"/x": page(410)}),
    "redirects to a page that is gone": Behaviour(Page.GONE, {"/x": redirect("/y")}),
    "has a name that does not exist": Behaviour(Page.GONE, {}, by_address=False),
    "answers 404 to requests without `Accept-Language`": Behaviour(
        Page.THERE, {ANY: if_sent("accept-language")}
    ),
    "answers 404 to agents that name no browser": Behaviour(
        Page.THERE, {ANY: if_sent("user-agent", "Mozilla/5.0")}
    ),
    "answers 404 for everything, its own page too": Behaviour(Page.OPEN, {ANY: GONE}),
    "answers 404, and GitHub Pages says that it has no such site": Behaviour(
        Page.GONE, {ANY: page(404, b"<p>There isn't a GitHub Pages site here.")}, by_address=False
    ),
    "answers 404 behind a certificate that has expired": Behaviour(Page.OPEN, {}, certificate=EXPIRED),
    "answers 404 once, then the page": Behaviour(Page.THERE, {"/x": in_order(GONE, OK)}),
    "answers 404 to what browsers write otherwise (`/a/../b/{c}/^d`)": Behaviour(
        Page.THERE, {ANY: as_browsers_write_it, "/": OK}, "/a/../b/{c}\\^d?e=|f"
    ),
    "has a name that does not exist, as all names do offline": Behaviour(Page.OPEN, {}, by_address=False),
    "has a name server that fails": Behaviour(Page.OPEN, {}, by_address=False),
    "accepts no connection": Behaviour(Page.OPEN, {}),
    "never answers": Behaviour(Page.OPEN, {ANY: hang}),
    "sends a header that never ends": Behaviour(Page.OPEN, {ANY: drip}),
    "answers 503": Behaviour(Page.OPEN, {ANY: page(503)}),
    "answers 500": Behaviour(Page.OPEN, {ANY: page(500)}),
    "closes the connection without an answer": Behaviour(Page.OPEN, {ANY: raw(b"")}),
    "ends the handshake of TLS": Behaviour(Page.OPEN, {}),
    "sends headers that are too long": Behaviour(
        Page.OPEN, {ANY: raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 99_999 + b"\r\n\r\n")}
    ),
    "speaks no HTTP": Behaviour(Page.OPEN, {ANY: raw(b"SSH-2.0-OpenSSH_9\r\n")}),
    "asks to wait for an hour": Behaviour(Page.THERE, {ANY: page(429, headers={"Retry-After": "3600"})}),
    "never answers, then answers": Behaviour(Page.THERE, {ANY: by_run(hang, OK)}, by_address=False),
    "answers 503, then never": Behaviour(Page.OPEN, {ANY: by_run(page(503), hang)}, by_address=False),
    "answers 403": Behaviour(Page.THERE, {ANY: page(403)}),
    "answers 404 to `HEAD` alone": Behaviour(Page.THERE, {ANY: page(head=404)}),
    "redirects in circles": Behaviour(Page.OPEN, {"/x": redirect("/x")}),
    "redirects to a login": Behaviour(Page.THERE, {"/x": redirect("/login", 302), "/login": OK}),
    "redirects to a parking service": Behaviour(Page.OPEN, {"/x": parked}, by_address=False),
    "redirects to a store of apps": Behaviour(
        Page.THERE, {"/x": redirect("itms-apps://apps.example.org/id1", 302)}
    ),
    "redirects permanently": Behaviour(
        Page.THERE, {"/x": redirect("/new/x"), "/new/x": OK}, moved_to="/new/x"
    ),
    "redirects permanently, but only `HEAD`": Behaviour(
        Page.THERE, {"/x": by_method(OK, redirect("/new/x")), "/new/x": OK}
    ),
    "names a charset that does not exist": Behaviour(
        Page.THERE, {ANY: page(headers={"Content-Type": "text/html; charset=undefined"})}
    ),
    # HEAD, which some servers refuse.
    **{
        f"answers {status} to `HEAD` alone": Behaviour(Page.THERE, {ANY: page(head=status)})
        for status in (400, 403, 405, 410, 500, 501, 503)
    },
    "closes the connection after `HEAD`": Behaviour(Page.THERE, {ANY: by_method(OK, raw(b""))}),
    "never answers `HEAD`": Behaviour(Page.THERE, {ANY: by_method(OK, hang)}),
    "answers `HEAD` with a body that reads like another answer": Behaviour(Page.THERE, {ANY: body_to_head}),
    "redirects `HEAD` to a login": Behaviour(
        Page.THERE, {"/x": by_method(OK, redirect("/login", 302)), "/login": OK}
    ),
    # Walls against robots.
    "answers 401": Behaviour(Page.THERE, {ANY: answered(401, WWW_Authenticate="Basic")}),
    "answers 402": Behaviour(Page.THERE, {ANY: page(402)}),
    "answers 406": Behaviour(Page.THERE, {ANY: page(406)}),
    "answers 418": Behaviour(Page.THERE, {ANY: page(418)}),
    "answers 451": Behaviour(Page.THERE, {ANY: page(451)}),
    "answers 999": Behaviour(Page.THERE, {ANY: page(999)}),
    "answers 400": Behaviour(Page.OPEN, {ANY: page(400)}),
    "answers 403 and names Cloudflare's wall": Behaviour(
        Page.THERE, {ANY: page(403, CHALLENGE, {"cf-mitigated": "challenge"})}
    ),
    "answers 202 and names Amazon's wall": Behaviour(
        Page.THERE, {ANY: page(202, CHALLENGE, {"x-amzn-waf-action": "challenge"})}
    ),
    "answers 503 with a riddle for browsers": Behaviour(Page.THERE, {ANY: page(503, CHALLENGE)}),
    "answers 200 with a riddle for browsers": Behaviour(Page.THERE, {ANY: page(200, CHALLENGE)}),
    "answers 404 for a page, and 403 for its own page": Behaviour(Page.GONE, {"/": page(403)}),
    "answers 404 for a page, and 500 for its own page": Behaviour(Page.OPEN, {"/": page(500)}),
    # Cookies and consent.
    "redirects to the same page until a cookie is sent": Behaviour(Page.THERE, {"/x": with_cookie("/x")}),
    "redirects to a test of cookies and back": Behaviour(
        Page.THERE, {"/x": with_cookie("/test?to=/x"), "/test": redirect("/x", 302)}
    ),
    "redirects to a page that asks for consent": Behaviour(
        Page.THERE, {"/x": redirect("/consent?continue=/x", 302), "/consent": OK}
    ),
    # Redirects that are no move, or no certain one.
    "redirects permanently to its own page": Behaviour(Page.OPEN, {"/x": redirect("/"), "/": OK}),
    "redirects permanently to a login": Behaviour(Page.THERE, {"/x": redirect("/login"), "/login": OK}),
    "redirects permanently to a page called 404": Behaviour(
        Page.OPEN, {"/x": redirect("/404.html"), "/404.html": OK}
    ),
    "redirects temporarily": Behaviour(Page.THERE, {"/x": redirect("/new/x", 302), "/new/x": OK}),
    "redirects permanently, then temporarily": Behaviour(
        Page.THERE, {"/x": redirect("/a/x"), "/a/x": redirect("/b/x", 307), "/b/x": OK}
    ),
    "redirects to another language": Behaviour(Page.THERE, {"/x": redirect("/de/x", 302), "/de/x": OK}),
    "redirects permanently to another language": Behaviour(
        Page.THERE, {"/x": redirect("/de/x"), "/de/x": OK}
    ),
    "redirects permanently to another case": Behaviour(
        Page.THERE, {"/X": redirect("/x"), "/x": OK}, "/X", moved_to="/x"
    ),
    "redirects permanently to the page without its query": Behaviour(
        Page.OPEN, {"/x?id=7": redirect("/x"), "/x": OK}, "/x?id=7"
    ),
    "redirects permanently to the page with a slash": Behaviour(
        Page.THERE, {"/x": redirect("/x/"), "/x/": OK}, moved_to="/x/"
    ),
    "redirects permanently, on the first day only": Behaviour(
        Page.THERE, {"/x": by_run(redirect("/new/x"), OK), "/new/x": OK}, by_address=False, moved_to="/new/x"
    ),
    "redirects without a target": Behaviour(Page.OPEN, {ANY: page(302)}),
    "redirects to a private address": Behaviour(Page.OPEN, {"/x": redirect("http://10.0.0.1/", 302)}),
    "redirects to the metadata of a cloud": Behaviour(
        Page.OPEN, {"/x": redirect("http://[::ffff:a9fe:a9fe]/latest/meta-data/", 302)}
    ),
    # Statuses that are rare.
    "answers 103, then the page": Behaviour(
        Page.THERE, {ANY: in_turn(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n", EMPTY)}
    ),
    "answers 100, then the page": Behaviour(
        Page.THERE, {ANY: in_turn(b"HTTP/1.1 100 Continue\r\n\r\n", EMPTY)}
    ),
    "answers 204": Behaviour(Page.THERE, {ANY: raw(b"HTTP/1.1 204 No Content\r\n\r\n")}),
    "answers 206": Behaviour(Page.THERE, {ANY: answered(206, Content_Range="bytes 0-9/10")}),
    "answers 300 with a choice of pages": Behaviour(Page.THERE, {ANY: page(300, b"<a href=/a>a</a>")}),
    "answers 304, though nothing was known": Behaviour(Page.THERE, {ANY: page(304, b"")}),
    "answers 410 once, then the page": Behaviour(Page.THERE, {"/x": in_order(page(410), OK)}),
    "answers 404, then 503": Behaviour(Page.OPEN, {"/x": in_order(GONE, page(503))}),
    "answers 429 until a day next year": Behaviour(
        Page.THERE, {ANY: answered(429, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT")}
    ),
    "answers 429 until a day in the past, then the page": Behaviour(
        Page.THERE, {ANY: in_order(answered(429, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT"), OK)}
    ),
    "answers 429 and says nonsense of when to come again": Behaviour(
        Page.THERE, {ANY: answered(429, Retry_After="soon")}
    ),
    "answers 500 on the first day": Behaviour(Page.THERE, {ANY: by_run(page(500), OK)}, by_address=False),
    "answers 404 for everything on the second day": Behaviour(
        Page.THERE, {ANY: by_run(OK, GONE, OK)}, by_address=False
    ),
    "answers 530, as Cloudflare does for a host behind it": Behaviour(Page.OPEN, {ANY: page(530)}),
    # What is not quite HTTP.
    "speaks HTTP/1.0 and closes": Behaviour(
        Page.THERE, {ANY: raw(b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>A page")}
    ),
    "sends a page without any header": Behaviour(Page.THERE, {ANY: raw(b"<html><p>A page")}),
    "sends chunks that are none": Behaviour(
        Page.THERE, {ANY: raw(HEADERS + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n<p>A page\r\n")}
    ),
    "sends less than it says": Behaviour(
        Page.THERE, {ANY: raw(HEADERS + b"Content-Length: 9999\r\n\r\n<p>A page")}
    ),
    "sends two lengths": Behaviour(
        Page.THERE, {ANY: raw(HEADERS + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n<p>A p")}
    ),
    "sends headers without an end": Behaviour(Page.OPEN, {ANY: many_headers}),
    "sends a page in single bytes": Behaviour(Page.THERE, {ANY: slow_body}),
    "sends a page without an end": Behaviour(Page.THERE, {ANY: endless}),
    "sends a page that is compressed a thousand times": Behaviour(Page.THERE, {ANY: bomb(20)}),
    "answers with what another page answers": Behaviour(Page.THERE, {ANY: one_late(EMPTY, NO_PAGE)}),
    # Names, addresses and certificates.
    "has a name of a private address": Behaviour(Page.OPEN, {}, by_address=False, addresses=("10.0.0.1",)),
    "has a name of the metadata of a cloud": Behaviour(
        Page.OPEN, {}, by_address=False, addresses=("169.254.169.254", "fd00:ec2::254")
    ),
    "has IPv6 alone, where there is none": Behaviour(
        Page.THERE, {}, by_address=False, addresses=("2606:4700::6810:84e5",)
    ),
    "has a certificate that has expired": Behaviour(
        Page.THERE, {ANY: OK}, by_address=False, certificate=EXPIRED
    ),
    "has a certificate for another name": Behaviour(
        Page.THERE, {ANY: OK}, by_address=False, certificate=WRONG_NAME
    ),
    "has a certificate of an unknown authority": Behaviour(
        Page.THERE, {ANY: OK}, by_address=False, certificate=STRANGER
    ),
    "redirects permanently behind a certificate that is not valid": Behaviour(
        Page.THERE, {"/x": redirect("/new/x"), "/new/x": OK}, by_address=False, certificate=STRANGER
    ),
}
