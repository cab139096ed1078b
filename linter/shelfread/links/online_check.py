"""The part of a run that needs the network: links without a fresh record, and replacements."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from time import monotonic, time
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.wording import counted
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.attempts import follower
from shelfread.links.client import Client
from shelfread.links.exchange import Attempt, FetchError, Reply, Request
from shelfread.links.freshness import lacks_repairs
from shelfread.links.network_settings import Endpoints, Settings
from shelfread.links.occurrences import LinkTargets
from shelfread.links.papers import Arxiv, Doi
from shelfread.links.registry import CONFIRM_SECONDS, Registry, YouTube
from shelfread.links.replacement_search import RepairContext, find_replacements
from shelfread.links.repositories import GitHub, other_server, read_token
from shelfread.links.resolve import check_urls, is_answer
from shelfread.links.verdicts import NO_NETWORK

if TYPE_CHECKING:
    from shelfread.links.record_cache import RecordCache

_MIN_REPAIR_SECONDS = 1.0  # the least time left of the deadline for which replacements are searched
_MANY_REPOSITORIES = 100  # from this number on it is said that a token would make the run faster


class OnlineCheck(NamedTuple):
    """What a run over the network is made with. `environ` may hold a token for GitHub."""

    settings: Settings
    endpoints: Endpoints
    environ: Mapping[str, str]
    cache: RecordCache | None
    open_client: Callable[[Settings], Client]
    # returns the days on which links were added to the lists.
    dates: Callable[[Collection[str]], Mapping[str, date]]
    report: Callable[[LinkRecord], None]  # called for each link as soon as its verdict is known
    archive: bool = False  # search snapshots of dead pages

    def store(self, records: Sequence[LinkRecord]) -> None:
        """Put checked links into the cache; of the others it keeps what an earlier run found."""
        if self.cache:
            self.cache.put([record for record in records if record.checked_at])


def registries(
    endpoints: Endpoints, environ: Mapping[str, str], *, confirm_after: float = CONFIRM_SECONDS
) -> tuple[Registry, ...]:
    """Return all registries: the first that claims a URL looks it up. `confirm_after` is in seconds."""
    return (
        Doi(endpoints, confirm_after),
        Arxiv(endpoints, confirm_after),
        GitHub(endpoints, read_token(environ)),
        YouTube(endpoints, confirm_after),
    )


def check_online(
    targets: LinkTargets, check: OnlineCheck, known: Mapping[str, LinkRecord], records: dict[str, LinkRecord]
) -> tuple[bool, list[str]]:
    """Check all targets that are not in `records`, adding each record as it comes.

    Return whether Ctrl-C ended it, and notes for people. `known` is what earlier runs found, fresh or not: links that
    were never checked come first, then those whose answers are oldest.
    """
    services = registries(check.endpoints, check.environ)
    (github,) = (service for service in services if isinstance(service, GitHub))

    async def run() -> bool:
        task = asyncio.current_task()
        assert task is not None
        # Not available on every system, nor outside the main thread: there KeyboardInterrupt is raised instead.
        with suppress(NotImplementedError, ValueError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
        try:
            await _check(targets, check, known, records, services, github)
        except asyncio.CancelledError:
            return True
        return False

    try:
        interrupted = asyncio.run(run())
    except KeyboardInterrupt:
        interrupted = True
    return interrupted, list(_notes(check, records, github))


def _notes(check: OnlineCheck, records: Mapping[str, LinkRecord], github: GitHub) -> Iterator[str]:
    """Yield why repositories were not looked up in batches, where that matters."""
    with_token = GitHub(check.endpoints, "token")
    number = sum(
        record.source == "web" and with_token.claims(url) is not None for url, record in records.items()
    )
    if github.refusal and number:
        yield f"GitHub {github.refusal}, so {counted(number, 'repository', 'repositories')} had to be requested one by one"
    elif number >= _MANY_REPOSITORIES and not read_token(check.environ):
        other = other_server(check.environ)
        why = f"the token is for {other}: a token for github.com" if other else "GITHUB_TOKEN or GH_TOKEN"
        yield f"{why} would let GitHub look up {number:,} repositories at once, 50 in a request"


async def _check(
    targets: LinkTargets,
    check: OnlineCheck,
    known: Mapping[str, LinkRecord],
    records: dict[str, LinkRecord],
    services: Sequence[Registry],
    github: GitHub,
) -> None:
    started = monotonic()

    def on_record(record: LinkRecord) -> None:
        records[record.url] = record
        check.store([record])
        check.report(record)

    urls = [url for url in targets.urls if url not in records]
    urls.sort(key=lambda url: known[url].checked_at if url in known else 0.0)
    async with check.open_client(check.settings) as client:
        if urls:
            await check_urls(
                urls,
                wants_anchors=targets.anchors,
                known=known,
                on_record=on_record,
                client=client,
                registries=services,
            )
        if any(records[url].reason == NO_NETWORK for url in urls if url in records):
            return
        deadline = check.settings.deadline
        seconds = None if deadline is None else deadline - (monotonic() - started)
        if seconds is None or seconds > _MIN_REPAIR_SECONDS:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(_check_further(urls, records, check, client, github), seconds)


async def _check_further(
    urls: Sequence[str],
    records: dict[str, LinkRecord],
    check: OnlineCheck,
    client: Client,
    github: GitHub,
) -> None:
    """Find archived repositories and replacements."""
    new = {url: records[url] for url in urls if url in records}
    described = await github.describe(new, client.fetch, time())
    archived = {url: record for url, record in described.items() if record is not new[url]}
    records.update(archived)
    check.store(list(archived.values()))
    await _repair(records, check, client)


async def _repair(records: dict[str, LinkRecord], check: OnlineCheck, client: Client) -> None:
    """Search replacements for links, and snapshots of dead pages."""
    urls = [url for url, record in records.items() if lacks_repairs(record)]
    dead = [url for url in urls if check.archive and records[url].verdict is Verdict.DEAD]
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
        endpoints=check.endpoints,
        token=read_token(check.environ),
        private=check.settings.allow_private,
    )
    await find_replacements(records, repairs, urls=urls, archive=check.archive, dates=check.dates(dead))
    # If nothing answered, the network may have failed: the next run searches again.
    if True in answered or not answered:
        check.store([records[url] for url in urls])
