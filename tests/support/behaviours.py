"""What hosts do to those who check links, and whether the page is there for its readers."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple
from urllib.parse import unquote

from support.web.handlers import ANY, Call, Handler, by_method, drip, hang, in_order, page, raw, redirect

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
    "answers 404 behind a certificate that has expired": Behaviour(Page.OPEN, {}),
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
    "answers 404 to `HEAD`, and `GET` with the page": Behaviour(Page.THERE, {ANY: page(head=404)}),
    "redirects in circles": Behaviour(Page.OPEN, {"/x": redirect("/x")}),
    "redirects to a login": Behaviour(Page.THERE, {"/x": redirect("/login", 302), "/login": OK}),
    "redirects to a parking service": Behaviour(Page.OPEN, {"/x": parked}, by_address=False),
    "redirects to a store of apps": Behaviour(
        Page.THERE, {"/x": redirect("itms-apps://apps.example.org/id1", 302)}
    ),
    "redirects permanently": Behaviour(Page.THERE, {"/x": redirect("/new/x"), "/new/x": OK}),
    "redirects permanently, but only `HEAD`": Behaviour(
        Page.THERE, {"/x": by_method(OK, redirect("/new/x")), "/new/x": OK}
    ),
    "names a charset that does not exist": Behaviour(
        Page.THERE, {ANY: page(headers={"Content-Type": "text/html; charset=undefined"})}
    ),
}
