"""Checks URLs on the web of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from shelfread.index.answers import LinkRecord
from shelfread.links.resolve import check_urls
from support.web import Resolver, Settings, Web, quick


def check(
    web: Web,
    urls: Sequence[str],
    anchors: Collection[str] = (),
    known: Mapping[str, LinkRecord] | None = None,
    settings: Settings | None = None,
    resolver: Resolver | None = None,
) -> dict[str, LinkRecord]:
    """Check URLs with a new client."""

    async def run() -> dict[str, LinkRecord]:
        async with web.client(settings or quick(), resolver) as client:
            return await check_urls(urls, anchors, known or {}, reported.append, client)

    reported: list[LinkRecord] = []
    records = asyncio.run(run())
    assert sorted(records) == sorted(set(urls))
    assert {record.url: record for record in reported} == records
    assert len(reported) == len(records)
    return records
