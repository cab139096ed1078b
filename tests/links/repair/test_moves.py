"""Moves that a run proves: by GET, at the address that is written."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import LinkRecord, Replacement, Verdict
from shelfread.links.attempts import follower
from shelfread.links.online_check import check_urls
from shelfread.links.replacement_search import RepairContext, find_replacements
from support.links import SAFE, UNSAFE
from support.web import Handler, Web, by_method, page, quick, redirect, serve

SITES: dict[str, dict[str, Handler]] = {
    "head.test": {
        "/moved/x": by_method(page(), redirect("/new/x")),
        "/login": by_method(page(), redirect("/signin", 302)),
        "/gone/x": redirect("/end/x"),
        "/end/x": by_method(page(404), page()),
        "/new/x": page(),
        "/signin": page(),
    },
    "tracked.test": {
        "/old/x": redirect("/new/x?utm_source=a"),
        "/new/x": page(),
        "/needs/x": redirect("/c/x?gclid=1"),
        "/c/x": redirect("/"),
        "/c/x?gclid=1": page(),
        "/lost/x": redirect("/d/x?fbclid=1"),
        "/d/x": page(404),
        "/d/x?fbclid=1": page(),
        "/branch/x": redirect("/e/x?ref=main&source=a"),
        "/e/x": page(404),
        "/e/x?ref=main&source=a": page(),
        "/only": redirect("/only?utm_source=a"),
        "/only?utm_source=a": page(),
    },
}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serve(SITES) as web:
        yield web


def search(web: Web, url: str) -> tuple[LinkRecord, tuple[Replacement, ...]]:
    async def run() -> dict[str, LinkRecord]:
        async with web.client(quick()) as client:
            records = await check_urls([url], (), {}, lambda _: None, client)
            await find_replacements(records, RepairContext(follower(client), client.fetch))
            return records

    record = asyncio.run(run())[url]
    return record, record.replacements


def test_a_redirect_of_head_alone_is_no_move(web: Web) -> None:
    record, replacements = search(web, web.url("head.test", "/moved/x"))
    assert record.verdict is Verdict.ALIVE and not replacements and len(record.hops) == 1
    assert search(web, web.url("head.test", "/login"))[0].verdict is Verdict.ALIVE


def test_the_end_of_a_redirect_is_got(web: Web) -> None:
    record, replacements = search(web, web.url("head.test", "/gone/x"))
    assert record.verdict is Verdict.DEAD and not replacements


@pytest.mark.parametrize(
    ("path", "to", "applicability"),
    [
        ("/old/x", "/new/x", SAFE),  # found without the tracking as well
        ("/needs/x", "/c/x?gclid=1", UNSAFE),
        ("/lost/x", "/d/x?fbclid=1", UNSAFE),
        ("/branch/x", "/e/x?ref=main&source=a", UNSAFE),
    ],
)
def test_no_address_is_proposed_that_was_not_requested(
    web: Web, path: str, to: str, applicability: Applicability
) -> None:
    web.requests.clear()
    _, (replacement,) = search(web, web.url("tracked.test", path))
    assert replacement.url == web.url("tracked.test", to)
    assert replacement.applicability is applicability
    got = [request.path for request in web.requests if request.method == "GET"]
    assert to in got


def test_a_redirect_that_only_adds_tracking_is_no_move(web: Web) -> None:
    assert search(web, web.url("tracked.test", "/only"))[1] == ()
