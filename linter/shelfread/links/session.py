"""One run over the links of lists: what is remembered, what is asked, and what could take a link's place."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date
from time import monotonic, time
from typing import TYPE_CHECKING, NamedTuple

from shelfread.links.freshness import is_fresh
from shelfread.links.mentions import Targets
from shelfread.links.settings import Settings
from shelfread.verdict import Record, Verdict

if TYPE_CHECKING:
    from shelfread.links.cache import Cache
    from shelfread.links.client import Client
    from shelfread.links.endpoints import Endpoints

_LEAST = 1.0
"""Seconds that must be left of a run's time for repairs to be sought."""
_AT_ONCE = 64
_THERE = (Verdict.ALIVE, Verdict.MOVED)


class Means(NamedTuple):
    """What a run is made with; `environ` holds a token for GitHub, or none."""

    settings: Settings
    endpoints: Endpoints
    environ: Mapping[str, str]
    cache: Cache | None
    open_client: Callable[[Settings], Client]
    dates: Callable[[Collection[str]], Mapping[str, date]]
    """The days on which links were listed."""
    tell: Callable[[Record], None]
    """Hears of each link as soon as it is known."""
    soft_404: bool = False
    """Pages that answer are held against one that cannot be there."""
    mend: bool = False
    """Fixes are to be made: what they rest on is seen in this run, since a cache's file may be anybody's."""
    archive: bool = False
    """Snapshots are sought of what is dead."""


class Found(NamedTuple):
    """What is known now, of a run that was interrupted as far as it came."""

    records: dict[str, Record]
    interrupted: bool


def look_up(targets: Targets, means: Means) -> Found:
    """What is known of each link, asked where it is not fresh in the cache; Ctrl-C ends it, and is no error."""
    found: dict[str, Record] = {}
    interrupted = False

    async def run() -> None:
        nonlocal interrupted
        task = asyncio.current_task()
        assert task is not None
        # Not every system has it, and no thread but the first may: there KeyboardInterrupt comes by itself.
        with suppress(NotImplementedError, ValueError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await _look_up(targets, means, found)
        except asyncio.CancelledError:
            interrupted = True

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        interrupted = True
    # In the lists' order, whoever answered first.
    return Found({url: found[url] for url in targets.urls if url in found}, interrupted)


async def _look_up(targets: Targets, means: Means, found: dict[str, Record]) -> None:
    from shelfread.links.look import look_all
    from shelfread.links.registries import registries

    began = monotonic()
    known = means.cache.get(targets.urls) if means.cache else {}
    now = time()
    for url, record in known.items():
        if (
            is_fresh(record, now)
            and not _lacks_anchors(record, targets)
            and not (means.mend and _may_prove_a_fix(record))
        ):
            found[url] = record
            means.tell(record)

    def hear(record: Record) -> None:
        found[record.url] = record
        _keep(means, [record])
        means.tell(record)

    asked = [url for url in targets.urls if url not in found]
    looked_at: dict[str, Record] = {}
    if not (asked or means.soft_404 or any(map(_may_be_bettered, found.values()))):
        return
    async with means.open_client(means.settings) as client:
        if asked:
            services = registries(means.endpoints, means.environ)
            await look_all(asked, targets.anchors, means.settings, known, hear, client, services)
            looked_at = {url: found[url] for url in asked if url in found}
        deadline = means.settings.deadline
        left = None if deadline is None else deadline - (monotonic() - began)
        if left is None or left > _LEAST:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_look_again(found, looked_at, means, client), left)


async def _look_again(
    found: dict[str, Record], new: Mapping[str, Record], means: Means, client: Client
) -> None:
    await _describe(found, new, means, client)
    if means.soft_404:
        from shelfread.links.soft404 import look_closer

        answering = [one for one in found.values() if one.verdict in _THERE and one.source == "web"]
        for at in range(0, len(answering), _AT_ONCE):
            some = answering[at : at + _AT_ONCE]
            closer = await asyncio.gather(*(look_closer(one, client.fetch) for one in some))
            found.update((one.url, one) for one in closer)
            _keep(means, closer)
    await _repair(found, means, client)


async def _describe(
    found: dict[str, Record], new: Mapping[str, Record], means: Means, client: Client
) -> None:
    """Learn of the repositories that pages lie in, of those that this run looked at."""
    from shelfread.links.registries.github import GitHub, read_token

    told = await GitHub(means.endpoints, read_token(means.environ)).describe(new, client.fetch, time())
    described = [one for url, one in told.items() if one is not new[url]]
    found.update((one.url, one) for one in described)
    _keep(means, described)


async def _repair(found: dict[str, Record], means: Means, client: Client) -> None:
    """Seek what could take the links' places, a snapshot for those that are dead; the cache keeps none of it."""
    from shelfread.links.hops import follower
    from shelfread.links.registries.github import read_token
    from shelfread.links.repair import Means as Tools
    from shelfread.links.repair import propose

    gone = [url for url, record in found.items() if means.archive and record.verdict is Verdict.DEAD]
    token, private = read_token(means.environ), means.settings.allow_private
    tools = Tools(follower(client), client.fetch, means.endpoints, token, private)
    found.update(await propose(found, tools, archive=means.archive, dates=means.dates(gone)))


def _may_be_bettered(record: Record) -> bool:
    return _may_prove_a_fix(record) or record.url[:5].lower() == "http:"


def _may_prove_a_fix(record: Record) -> bool:
    """Whether a fix could rest on what the record says, and not on a new look."""
    return record.verdict is Verdict.DEAD or len(record.hops) > 1 or bool(record.betters)


def _keep(means: Means, records: Sequence[Record]) -> None:
    """Remember what was looked at; a link that was not keeps what an earlier run found."""
    if means.cache:
        means.cache.put([record for record in records if record.checked_at])


def _lacks_anchors(record: Record, targets: Targets) -> bool:
    return record.url in targets.anchors and record.anchors is None and record.verdict in _THERE
