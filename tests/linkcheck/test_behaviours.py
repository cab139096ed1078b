"""The table of docs/links.md: what hosts do, and the verdicts of three runs a week apart."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import shelfread.linkcheck.resolve
from shelfread.core.link_record import LinkRecord
from shelfread.linkcheck.cache.codec import decode, encode
from support.paths import ROOT
from support.web import (
    ANY,
    EXPIRED,
    Call,
    Handler,
    Resolver,
    Settings,
    Web,
    by_method,
    drip,
    hang,
    page,
    raw,
    redirect,
    serve,
)
from support.web.check import check

WEEK = 7 * 86400
NOW = 1_795_000_000.0
LATER: dict[str, int] = {}
"""The number of the run, from 0, for hosts that change."""


def if_sent(header: str, part: str = "") -> Handler:
    async def handle(call: Call) -> None:
        sent = call.request.headers.get(header, "")
        call.reply(200 if sent and part in sent else 404)

    return handle


def by_run(*handlers: Handler) -> Handler:
    async def handle(call: Call) -> None:
        await handlers[min(LATER["run"], len(handlers) - 1)](call)

    return handle


def back_at_the_second_look() -> Handler:
    async def handle(call: Call) -> None:
        call.reply(200 if "mozilla" in call.request.headers["user-agent"].lower() else 404)

    return handle


async def parked(call: Call) -> None:
    port = call.writer.get_extra_info("sockname")[1]
    call.reply(302, headers={"Location": f"http://ww25.parked.test:{port}/?subid=1"})


GONE, OK = page(404), page()
SITES: dict[str, dict[str, Handler]] = {
    "answers 404, and has a page of its own": {},
    "answers 410, and has a page of its own": {"/x": page(410)},
    "redirects to a page that is gone": {"/x": redirect("/y")},
    "has a name that does not exist": {},
    "answers 404 to requests without `Accept-Language`": {ANY: if_sent("accept-language")},
    "answers 404 to agents that name no browser": {ANY: if_sent("user-agent", "Mozilla/5.0")},
    "answers 404 for everything, its own page too": {ANY: GONE},
    "answers 404, and GitHub Pages says that it has no such site": {
        ANY: page(404, b"<p>There isn't a GitHub Pages site here.")
    },
    "answers 404 behind a certificate that has expired": {},
    "answers 404 once, then the page": {"/x": back_at_the_second_look()},
    "has a name that does not exist, as all names do offline": {},
    "has a name server that fails": {},
    "accepts no connection": {},
    "never answers": {ANY: hang},
    "sends a header that never ends": {ANY: drip},
    "answers 503": {ANY: page(503)},
    "answers 500": {ANY: page(500)},
    "closes the connection without an answer": {ANY: raw(b"")},
    "ends the handshake of TLS": {},
    "sends headers that are too long": {ANY: raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 99_999 + b"\r\n\r\n")},
    "speaks no HTTP": {ANY: raw(b"SSH-2.0-OpenSSH_9\r\n")},
    "asks to wait for an hour": {ANY: page(429, headers={"Retry-After": "3600"})},
    "never answers, then answers": {ANY: by_run(hang, OK)},
    "answers 503, then never": {ANY: by_run(page(503), hang)},
    "answers 403": {ANY: page(403)},
    "redirects in circles": {"/x": redirect("/x")},
    "redirects to a login": {"/x": redirect("/login", 302), "/login": OK},
    "redirects to a parking service": {"/x": parked},
    "redirects to a store of apps": {"/x": redirect("itms-apps://apps.example.org/id1", 302)},
    "redirects permanently": {"/x": redirect("/new/x"), "/new/x": OK},
    "redirects permanently, but only `HEAD`": {"/x": by_method(OK, redirect("/new/x")), "/new/x": OK},
    "names a charset that does not exist": {
        ANY: page(headers={"Content-Type": "text/html; charset=undefined"})
    },
}
NAMES = {
    behaviour: f"b{number}.{'github.io' if 'GitHub Pages' in behaviour else 'test'}"
    for number, behaviour in enumerate(SITES)
}
CERTIFICATES = {NAMES["answers 404 behind a certificate that has expired"]: EXPIRED}
REFUSED = "127.1.0.1"
"""An address of nobody."""


def rows() -> list[list[str]]:
    text = (ROOT / "docs/links.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| (\w+) \| (\w+) \| (\w+) \|$", text, re.M)
    return [list(row) for row in found]


class Names(Resolver):
    """The names of the table, of which some cannot be resolved."""

    def __init__(self, web: Web, offline: bool) -> None:
        names = dict(web.resolver().names)
        del (
            names[NAMES["has a name that does not exist"]],
            names[NAMES["has a name that does not exist, as all names do offline"]],
        )
        names[NAMES["accepts no connection"]] = [[REFUSED]]
        if offline:
            for probe in Settings().network_probes:
                del names[probe]
        super().__init__(names, frozenset({NAMES["has a name server that fails"]}))


def url_of(web: Web, behaviour: str) -> str:
    name = NAMES[behaviour]
    if behaviour == "ends the handshake of TLS":
        return f"https://{name}:{web.ports['http']}/x"
    return web.url(name, "/x", "https" if name in CERTIFICATES else "http")


@pytest.fixture(scope="module")
def verdicts() -> Iterator[dict[str, list[str]]]:
    """The verdicts of all behaviours in three runs; the offline one has runs of its own."""
    patch = pytest.MonkeyPatch()
    sites = {NAMES[behaviour]: site for behaviour, site in SITES.items()} | {"ww25.parked.test": {"/": OK}}
    found: dict[str, list[str]] = {behaviour: [] for behaviour in SITES}
    known: dict[str, LinkRecord] = {}
    with serve(sites, CERTIFICATES) as web:
        ours = web.is_ours
        patch.setattr(web, "is_ours", lambda ip, port: ours(ip, port) or ip == REFUSED)
        for run in range(3):
            LATER["run"] = run
            patch.setattr(shelfread.linkcheck.resolve, "time", lambda run=run: NOW + run * WEEK)
            for offline in (False, True):
                chosen = [one for one in SITES if offline == one.endswith("do offline")]
                urls = {url_of(web, behaviour): behaviour for behaviour in chosen}
                if offline:
                    urls[url_of(web, "answers 403")] = ""  # somebody answers: there is a network
                records = check(web, list(urls), list(urls), known, resolver=Names(web, offline))
                for url, record in records.items():
                    if urls[url]:
                        found[urls[url]].append(record.verdict.value)
                        text = encode(record)
                        kept = decode(url, text) if text else None
                        known |= {url: kept} if kept else {}
    patch.undo()
    yield found


def test_the_table_has_all_behaviours() -> None:
    assert [row[0] for row in rows()] == list(SITES)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0][:40])
def test_behaviour(verdicts: dict[str, list[str]], row: list[str]) -> None:
    behaviour, *expected = row
    assert verdicts[behaviour] == expected
