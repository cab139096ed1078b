"""The part of a run that needs the network: links that are not known, and what could take a link's place."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from time import monotonic, time

from shelfread.core.link_record import Answer, Record, Verdict
from shelfread.linkcheck.classify.judge import NO_NETWORK
from shelfread.linkcheck.extract import Targets
from shelfread.linkcheck.http.client import Client
from shelfread.linkcheck.http.redirects import follower
from shelfread.linkcheck.http.request import FetchError, Reply, Request
from shelfread.linkcheck.registries.github import GitHub, read_token
from shelfread.linkcheck.registries.known import registries
from shelfread.linkcheck.repair.propose import RepairContext, propose
from shelfread.linkcheck.resolve import is_heard, look_all
from shelfread.linkcheck.run import LinkCheckContext, lacks_repairs

_LEAST = 1.0
"""Seconds that must be left of a run's time for repairs to be sought."""
_AT_ONCE = 64
_THERE = (Verdict.ALIVE, Verdict.MOVED)


def ask(
    targets: Targets, means: LinkCheckContext, known: Mapping[str, Record], found: dict[str, Record]
) -> bool:
    """Ask for all that is wanted and not in `found`, which is filled as answers come; True if Ctrl-C ended it.

    `known` is what earlier runs found, fresh or not.
    """
    interrupted = False

    async def run() -> None:
        nonlocal interrupted
        task = asyncio.current_task()
        assert task is not None
        # Not every system has it, and no thread but the first may: there KeyboardInterrupt comes by itself.
        with suppress(NotImplementedError, ValueError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await _ask(targets, means, known, found)
        except asyncio.CancelledError:
            interrupted = True

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        interrupted = True
    return interrupted


async def _ask(
    targets: Targets, means: LinkCheckContext, known: Mapping[str, Record], found: dict[str, Record]
) -> None:
    began = monotonic()

    def hear(record: Record) -> None:
        found[record.url] = record
        _keep(means, [record])
        means.tell(record)

    asked = [url for url in targets.urls if url not in found]
    async with means.open_client(means.settings) as client:
        if asked:
            services = registries(means.endpoints, means.environ)
            await look_all(asked, targets.anchors, means.settings, known, hear, client, services)
        if any(found[url].reason == NO_NETWORK for url in asked if url in found):
            return
        deadline = means.settings.deadline
        left = None if deadline is None else deadline - (monotonic() - began)
        if left is None or left > _LEAST:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_look_again(asked, found, means, client), left)


async def _look_again(
    asked: Sequence[str], found: dict[str, Record], means: LinkCheckContext, client: Client
) -> None:
    await _describe({url: found[url] for url in asked if url in found}, found, means, client)
    if means.soft_404:
        from shelfread.linkcheck.classify.soft404 import look_closer

        answering = [one for one in found.values() if one.verdict in _THERE and one.source == "web"]
        for at in range(0, len(answering), _AT_ONCE):
            some = answering[at : at + _AT_ONCE]
            closer = await asyncio.gather(*(look_closer(one, client.fetch) for one in some))
            found.update((one.url, one) for one in closer)
            _keep(means, closer)
    await _repair(found, means, client)


async def _describe(
    new: Mapping[str, Record], found: dict[str, Record], means: LinkCheckContext, client: Client
) -> None:
    """Learn of the repositories that pages lie in, of those that this run looked at."""
    told = await GitHub(means.endpoints, read_token(means.environ)).describe(new, client.fetch, time())
    described = [one for url, one in told.items() if one is not new[url]]
    found.update((one.url, one) for one in described)
    _keep(means, described)


async def _repair(found: dict[str, Record], means: LinkCheckContext, client: Client) -> None:
    """Seek what could take the links' places, a snapshot for those that are dead."""
    sought = [url for url, record in found.items() if lacks_repairs(record)]
    gone = [url for url in sought if means.archive and found[url].verdict is Verdict.DEAD]
    look, reached = follower(client), set[bool]()

    async def follow(url: str) -> Answer:
        answer = await look(url)
        reached.add(is_heard(answer))
        return answer

    async def fetch(request: Request) -> Reply:
        try:
            reply = await client.fetch(request)
        except FetchError:
            reached.add(False)
            raise
        reached.add(True)
        return reply

    tools = RepairContext(
        follow, fetch, means.endpoints, read_token(means.environ), means.settings.allow_private
    )
    await propose(found, tools, asked=sought, archive=means.archive, dates=means.dates(gone))
    if True in reached or not reached:  # else it was perhaps the network that had nothing better
        _keep(means, [found[url] for url in sought])


def _keep(means: LinkCheckContext, records: Sequence[Record]) -> None:
    """Remember what was looked at; a link that was not keeps what an earlier run found."""
    if means.cache:
        means.cache.put([record for record in records if record.checked_at])
