"""The part of a run that needs the network: links without a fresh record, and replacements."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic, time

from shelfread.core.link_record import FOUND, Attempt, LinkRecord, Verdict
from shelfread.linkcheck.classify.judge import NO_NETWORK
from shelfread.linkcheck.extract import Targets
from shelfread.linkcheck.http.client import Client
from shelfread.linkcheck.http.redirects import follower
from shelfread.linkcheck.model import LinkCheckContext, lacks_repairs
from shelfread.linkcheck.registries.github import GitHub, read_token
from shelfread.linkcheck.registries.known import registries
from shelfread.linkcheck.repair.search import RepairContext, find_replacements
from shelfread.linkcheck.request import FetchError, Reply, Request
from shelfread.linkcheck.resolve import check_urls, is_answer

_MIN_REPAIR_SECONDS = 1.0
"""The least time left of the deadline for which replacements are searched."""
_BATCH = 64


def check_online(
    targets: Targets, context: LinkCheckContext, known: Mapping[str, LinkRecord], found: dict[str, LinkRecord]
) -> bool:
    """Check all targets that are not in `found`, adding each record as it comes; return True if Ctrl-C ended it.

    `known` is what earlier runs found, fresh or not.
    """

    async def run() -> bool:
        task = asyncio.current_task()
        assert task is not None
        # Not available on every system, nor outside the main thread: there KeyboardInterrupt is raised instead.
        with suppress(NotImplementedError, ValueError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await _check(targets, context, known, found)
        except asyncio.CancelledError:
            return True
        return False

    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        return True


async def _check(
    targets: Targets, context: LinkCheckContext, known: Mapping[str, LinkRecord], found: dict[str, LinkRecord]
) -> None:
    started = monotonic()

    def on_record(record: LinkRecord) -> None:
        found[record.url] = record
        _store(context, [record])
        context.report(record)

    urls = [url for url in targets.urls if url not in found]
    async with context.open_client(context.settings) as client:
        if urls:
            await check_urls(
                urls,
                wants_anchors=targets.anchors,
                known=known,
                on_record=on_record,
                client=client,
                registries=registries(context.endpoints, context.environ),
            )
        if any(found[url].reason == NO_NETWORK for url in urls if url in found):
            return
        deadline = context.settings.deadline
        seconds = None if deadline is None else deadline - (monotonic() - started)
        if seconds is None or seconds > _MIN_REPAIR_SECONDS:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_check_further(urls, found, context, client), seconds)


async def _check_further(
    urls: Sequence[str], found: dict[str, LinkRecord], context: LinkCheckContext, client: Client
) -> None:
    """Find archived repositories, pages that only seem to exist, and replacements."""
    new = {url: found[url] for url in urls if url in found}
    github = GitHub(context.endpoints, read_token(context.environ))
    described = await github.describe(new, client.fetch, time())
    _update(found, [record for url, record in described.items() if record is not new[url]], context)
    if context.soft_404:
        from shelfread.linkcheck.classify.soft404 import check_soft_404

        pages = [record for record in found.values() if record.verdict in FOUND and record.source == "web"]
        for start in range(0, len(pages), _BATCH):
            batch = pages[start : start + _BATCH]
            records = await asyncio.gather(*(check_soft_404(record, client.fetch) for record in batch))
            _update(found, records, context)
    await _repair(found, context, client)


async def _repair(found: dict[str, LinkRecord], context: LinkCheckContext, client: Client) -> None:
    """Search replacements for links, and snapshots of dead pages."""
    urls = [url for url, record in found.items() if lacks_repairs(record)]
    dead = [url for url in urls if context.archive and found[url].verdict is Verdict.DEAD]
    follow, answered = follower(client), set[bool]()

    async def noted_follow(url: str) -> Attempt:
        attempt = await follow(url)
        answered.add(is_answer(attempt))
        return attempt

    async def noted_fetch(request: Request) -> Reply:
        try:
            reply = await client.fetch(request)
        except FetchError:
            answered.add(False)
            raise
        answered.add(True)
        return reply

    repairs = RepairContext(
        follow=noted_follow,
        fetch=noted_fetch,
        endpoints=context.endpoints,
        token=read_token(context.environ),
        private=context.settings.allow_private,
    )
    await find_replacements(found, repairs, urls=urls, archive=context.archive, dates=context.dates(dead))
    # If nothing answered, the network may have failed: the next run searches again.
    if True in answered or not answered:
        _store(context, [found[url] for url in urls])


def _update(found: dict[str, LinkRecord], records: Sequence[LinkRecord], context: LinkCheckContext) -> None:
    found.update((record.url, record) for record in records)
    _store(context, records)


def _store(context: LinkCheckContext, records: Sequence[LinkRecord]) -> None:
    """Put checked links into the cache; of the others it keeps what an earlier run found."""
    if context.cache:
        context.cache.put([record for record in records if record.checked_at])
