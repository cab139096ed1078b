"""Links looked at on the web of the tests."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence

from shelfread.core.link_record import Record
from shelfread.linkcheck.resolve import look_all
from support.web import Resolver, Settings, Web, quick


def look(
    web: Web,
    urls: Sequence[str],
    anchors: Collection[str] = (),
    known: Mapping[str, Record] | None = None,
    settings: Settings | None = None,
    resolver: Resolver | None = None,
) -> dict[str, Record]:
    """Look at addresses with a new client."""

    async def run() -> dict[str, Record]:
        async with web.client(settings or quick(), resolver) as client:
            return await look_all(urls, anchors, client.settings, known or {}, told.append, client)

    told: list[Record] = []
    records = asyncio.run(run())
    assert sorted(records) == sorted(set(urls))
    assert {record.url: record for record in told} == records
    assert len(told) == len(records)
    return records
