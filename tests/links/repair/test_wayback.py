"""Snapshots of dead pages."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from shelfread.index.answers import LinkRecord, Replacement, Verdict
from shelfread.links.exchange import Reply, Request
from shelfread.links.network_settings import Endpoints
from shelfread.links.repair.replacement_search import RepairContext, find_replacements
from support.links import UNSAFE, chain, repair
from support.service import ReceivedRequest, Response, fetch, followed, serve

GONE = "http://example.org/gone?a=1"


def wayback(location: str, first: int = 302, second: int = 200) -> object:
    def respond(request: ReceivedRequest) -> Response:
        if request.method == "HEAD":
            return Response(second)
        return Response(
            first, b"", {"Location": location.replace("HOST", "http://" + request.headers["host"])}
        )

    return respond


@pytest.mark.parametrize(
    ("location", "first", "second", "snapshot"),
    [
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 200, True),
        ("/web/20190503010203/http://example.org:80/gone?a=1", 302, 200, True),
        ("https://web.archive.org/web/20190503010203/https://www.example.org/gone?a=1", 302, 200, True),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 404, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 302, 302, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 404, 200, False),
        ("HOST/web/20190503010203/http://example.org/gone?a=1", 429, 200, False),
        ("HOST/web/20190503010203/http://example.org/other", 302, 200, False),
        ("HOST/web/20190503010203/http://evil.example/gone?a=1", 302, 200, False),
        ("HOST/web/99999999999999/http://example.org/gone?a=1", 302, 200, False),
        ("https://evil.example/web/20190503010203/http://example.org/gone?a=1", 302, 200, False),
        (
            "https://web.archive.org@evil.example/web/20190503010203/http://example.org/gone?a=1",
            302,
            200,
            False,
        ),
        ("//evil.example/web/20190503010203/http://example.org/gone?a=1", 302, 200, False),
        ("http://[", 302, 200, False),
        ("", 302, 200, False),
    ],
)
def test_snapshots_of_a_dead_page(location: str, first: int, second: int, snapshot: bool) -> None:
    with serve(wayback(location, first, second)) as service:  # type: ignore[arg-type]
        context = RepairContext(followed({}), fetch, Endpoints(wayback=service.root))
        record = LinkRecord(GONE, Verdict.DEAD, "404 Not Found, seen twice", chain(GONE, 404))
        assert repair(record, context) == ()
        assert service.requests == []
        found = repair(record, context, archive=True, dates={GONE: date(2019, 5, 1)})
        assert service.paths[0] == "/web/20190501/http://example.org/gone?a=1"
    url = "https://web.archive.org/web/20190503010203/http://example.org/gone?a=1"
    assert found == ((Replacement("link/dead", url, "a snapshot of 2019-05-03", UNSAFE),) if snapshot else ())


def test_private_urls_are_not_sent_to_the_archive() -> None:
    urls = [
        "http://127.0.0.1/a",
        "http://[fe80::1]/a",
        "http://wiki/a",
        "http://corp.example/a",
        "http://example.org/a",
    ]
    requests: list[str] = []

    async def note(request: Request) -> Reply:
        requests.append(request.url)
        return Reply(request.url, 404, {})

    records = {url: LinkRecord(url, Verdict.DEAD, "") for url in urls}
    context = RepairContext(followed({}), note, private=frozenset({"corp.example:80"}))
    asyncio.run(find_replacements(records, context, archive=True))
    assert requests == ["https://web.archive.org/web/2/http://example.org/a"]
