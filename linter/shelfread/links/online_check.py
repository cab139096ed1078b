"""The part of a run that needs the network: links without a fresh record, registries first, and replacements."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from time import monotonic, time

from shelfread.core.wording import counted
from shelfread.index.answers import FOUND, LinkRecord, Trouble, Verdict
from shelfread.links.attempts import FetchOptions, follower
from shelfread.links.check_queue import Checked, CheckQueue
from shelfread.links.client import Client
from shelfread.links.exchange import UNREACHABLE, Attempt, Endpoints, Settings
from shelfread.links.occurrences import LinkTargets
from shelfread.links.record_cache import RecordCache, lacks_repairs
from shelfread.links.registry import CONFIRM_SECONDS, Arxiv, Doi, Registry, YouTube
from shelfread.links.replacement_search import RepairContext, find_replacements
from shelfread.links.repositories import GitHub, other_server, read_token
from shelfread.links.verdicts import NO_NETWORK, count_days, judge

_NOT_REQUESTED = (Trouble.REFUSED, Trouble.NOT_CHECKED)
_MANY_HOSTS = 5  # there is no network if none of at least this many hosts answers
# There is no network if `_MANY_HOSTS` hosts or more, and more than this share of all, do not resolve.
_UNRESOLVED_SHARE = 0.3


async def check_urls(
    urls: Sequence[str],
    wants_anchors: Collection[str],
    known: Mapping[str, LinkRecord],
    on_record: Callable[[LinkRecord], None],
    client: Client,
    registries: Sequence[Registry] = (),
) -> dict[str, LinkRecord]:
    """Return a record for each URL, passed to `on_record` once it is certain; the pages of `wants_anchors` are read for ids."""
    run = _LinkRun(wants_anchors, known, on_record, client)
    work = asyncio.ensure_future(run.check(dict.fromkeys(urls), registries))
    try:
        await asyncio.wait({work}, timeout=client.settings.deadline)
        if work.done():
            work.result()
        else:
            await _cancel(work)
            await run.queue.abandon()
    except BaseException:
        await _cancel(work)
        await run.queue.cancel()
        raise
    await run.conclude(urls)
    return run.records


async def _cancel(work: asyncio.Future[None]) -> None:
    work.cancel()
    await asyncio.gather(work, return_exceptions=True)


class _LinkRun:
    def __init__(
        self,
        wants_anchors: Collection[str],
        known: Mapping[str, LinkRecord],
        on_record: Callable[[LinkRecord], None],
        client: Client,
    ) -> None:
        self.records: dict[str, LinkRecord] = {}
        self.queue = CheckQueue(client, self._on_checked)
        self._wants_anchors = frozenset(wants_anchors)
        self._settings = client.settings
        self._known = known
        self._on_record = on_record
        self._client = client
        # failures that may be due to the network of this machine: judged at the end.
        self._unanswered: list[Checked] = []
        self._hosts: set[str] = set()
        self._unresolved: set[str] = set()
        self._answered = False  # whether any host answered
        self._options = FetchOptions(client.settings.redirects)
        # records of registries for pages whose anchors are still to be read.
        self._registered: dict[str, LinkRecord] = {}

    async def check(self, urls: Collection[str], registries: Sequence[Registry]) -> None:
        """Check all URLs."""
        claimed: list[dict[str, list[str]]] = [{} for _ in registries]
        for url in urls:
            for registry, urls_by_key in zip(registries, claimed, strict=True):
                if (key := registry.claims(url)) is not None:
                    urls_by_key.setdefault(key, []).append(url)
                    break
            else:
                self._check_page(url)
        lookups = [self._look_up(*pair) for pair in zip(registries, claimed, strict=True) if pair[1]]
        await asyncio.gather(*lookups)
        await self.queue.wait()

    async def conclude(self, urls: Collection[str]) -> None:
        """Judge the unanswered links: by now it is known whether there is a network."""
        offline = bool(self._unanswered) and await self._is_offline()
        for checked in self._unanswered:
            if offline and checked.attempt.url not in self._registered:
                self._report(self._not_checked(checked.attempt.url)._replace(reason=NO_NETWORK))
            else:
                self._report(self._judge(checked))
        for record in self._registered.values():
            self._report(record)
        for url in urls:
            if url not in self.records:
                self._report(self._not_checked(url))

    async def _look_up(self, registry: Registry, urls_by_key: Mapping[str, Sequence[str]]) -> None:
        try:
            records = await registry.look_up(list(urls_by_key), self._client.fetch, time())
        except Exception:  # an answer in a form that nothing expected proves nothing
            records = {}
        for key, urls in urls_by_key.items():
            record = records.get(key)
            for url in urls:
                if record is None:
                    self._check_page(url)
                    continue
                self._answered = True
                counted = _count_failures(record._replace(url=url), self._known.get(url))
                if url in self._wants_anchors and record.verdict in FOUND:
                    self._registered[url] = counted
                    self._check_page(url)
                else:
                    self._report(counted)

    def _check_page(self, url: str) -> None:
        options = self._options
        if url in self._wants_anchors:
            options = options._replace(anchors=self._settings.max_body)
        self.queue.add(url, options)

    def _on_checked(self, checked: Checked) -> None:
        host, attempt = checked.host, checked.attempt
        was_requested = attempt.trouble not in _NOT_REQUESTED
        if was_requested:
            self._hosts.add(host)
        if is_answer(attempt):
            self._answered = True
        elif was_requested:
            if attempt.trouble in (Trouble.NO_HOST, Trouble.NAME_SERVER):
                self._unresolved.add(host)
            self._unanswered.append(checked)
            return
        self._report(self._judge(checked))

    async def _is_offline(self) -> bool:
        unresolved = len(self._unresolved)
        if unresolved >= _MANY_HOSTS and unresolved > _UNRESOLVED_SHARE * len(self._hosts):
            return True
        if self._answered:
            return False
        # A few links, such as those that a pull request adds, may all be dead or slow.
        return len(self._hosts) >= _MANY_HOSTS or not await self._client.resolves_any(
            self._settings.network_probes, self._settings.probe_timeout
        )

    def _judge(self, checked: Checked) -> LinkRecord:
        url = checked.attempt.url
        before = self._known.get(url)
        try:
            record = judge(checked.attempt, before, time(), checked.second, checked.root)
        except Exception as error:
            record = judge(Attempt(url, trouble=Trouble.FAULT, detail=type(error).__name__), before, time())
        registered = self._registered.pop(url, None)
        if registered is None:
            return record
        return registered._replace(anchors=record.anchors)

    def _not_checked(self, url: str) -> LinkRecord:
        return judge(Attempt(url, trouble=Trouble.NOT_CHECKED), self._known.get(url), time())

    def _report(self, record: LinkRecord) -> None:
        self.records[record.url] = record
        self._on_record(record)


def is_answer(attempt: Attempt) -> bool:
    """Whether somebody answered, if only by refusing or closing the connection: then there is a network."""
    if attempt.hops or attempt.trouble in (Trouble.PROTOCOL, Trouble.CERTIFICATE, Trouble.FAULT):
        return True
    return attempt.trouble is Trouble.LOST and attempt.detail != UNREACHABLE


def _count_failures(record: LinkRecord, before: LinkRecord | None) -> LinkRecord:
    """The record of a registry, with the days of earlier runs."""
    if record.verdict is not Verdict.DEAD:
        return record
    failures, since = count_days(before, record.checked_at, is_dead=True)
    return record._replace(failures=failures, first_failure=since)


_MIN_REPAIR_SECONDS = 1.0  # the least time left of the deadline for which replacements are searched
_MANY_REPOSITORIES = 100  # from this number on it is said that a token would make the run faster


def registries(
    endpoints: Endpoints, token: str, *, confirm_after: float = CONFIRM_SECONDS
) -> tuple[Registry, ...]:
    """Return all registries: the first that claims a URL looks it up. `confirm_after` is in seconds."""
    return (
        Doi(endpoints, confirm_after),
        Arxiv(endpoints, confirm_after),
        GitHub(endpoints, token),
        YouTube(endpoints, confirm_after),
    )


@dataclass(eq=False)
class OnlineCheck:
    """A run over the network."""

    settings: Settings
    endpoints: Endpoints
    cache: RecordCache | None
    open_client: Callable[[Settings], Client]
    # returns the days on which links were added to the lists.
    dates: Callable[[Collection[str]], Mapping[str, date]]
    report: Callable[[LinkRecord], None]  # called for each link as soon as its verdict is known
    archive: bool  # whether snapshots of dead pages are searched

    def __post_init__(self) -> None:
        self._registries = registries(self.endpoints, read_token())
        (self._github,) = (service for service in self._registries if isinstance(service, GitHub))

    def check(
        self, targets: LinkTargets, known: Mapping[str, LinkRecord], records: dict[str, LinkRecord]
    ) -> tuple[bool, list[str]]:
        """Check all targets that are not in `records`, adding each record as it comes.

        Return whether Ctrl-C ended it, and notes for people. `known` is what earlier runs found, fresh or not: links that
        were never checked come first, then those whose answers are oldest.
        """

        async def run() -> bool:
            task = asyncio.current_task()
            assert task is not None
            # Not available on every system, nor outside the main thread: there KeyboardInterrupt is raised instead.
            with suppress(NotImplementedError, ValueError, RuntimeError):
                asyncio.get_running_loop().add_signal_handler(signal.SIGINT, task.cancel)
            try:
                await self._check(targets, known, records)
            except asyncio.CancelledError:
                return True
            return False

        try:
            interrupted = asyncio.run(run())
        except KeyboardInterrupt:
            interrupted = True
        return interrupted, list(self._notes(records))

    def _notes(self, records: Mapping[str, LinkRecord]) -> Iterator[str]:
        """Yield why repositories were not looked up in batches, where that matters."""
        with_token = GitHub(self.endpoints, "token")
        number = sum(
            record.source == "web" and with_token.claims(url) is not None for url, record in records.items()
        )
        if self._github.refusal and number:
            yield f"GitHub {self._github.refusal}, so {counted(number, 'repository', 'repositories')} had to be requested one by one"
        elif number >= _MANY_REPOSITORIES and not read_token():
            other = other_server()
            why = f"the token is for {other}: a token for github.com" if other else "GITHUB_TOKEN or GH_TOKEN"
            yield f"{why} would let GitHub look up {number:,} repositories at once, 50 in a request"

    async def _check(
        self, targets: LinkTargets, known: Mapping[str, LinkRecord], records: dict[str, LinkRecord]
    ) -> None:
        started = monotonic()

        def on_record(record: LinkRecord) -> None:
            records[record.url] = record
            self._store([record])
            self.report(record)

        urls = [url for url in targets.urls if url not in records]
        urls.sort(key=lambda url: known[url].checked_at if url in known else 0.0)
        async with self.open_client(self.settings) as client:
            if urls:
                await check_urls(
                    urls,
                    wants_anchors=targets.anchors,
                    known=known,
                    on_record=on_record,
                    client=client,
                    registries=self._registries,
                )
            if any(records[url].reason == NO_NETWORK for url in urls if url in records):
                return
            deadline = self.settings.deadline
            seconds = None if deadline is None else deadline - (monotonic() - started)
            if seconds is None or seconds > _MIN_REPAIR_SECONDS:
                with suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(self._check_further(urls, records, client), seconds)

    async def _check_further(
        self, urls: Sequence[str], records: dict[str, LinkRecord], client: Client
    ) -> None:
        """Find archived repositories, replacements for links, and snapshots of dead pages."""
        new = {url: records[url] for url in urls if url in records}
        described = await self._github.describe(new, client.fetch, time())
        archived = {url: record for url, record in described.items() if record is not new[url]}
        records.update(archived)
        self._store(list(archived.values()))
        urls = [url for url, record in records.items() if lacks_repairs(record)]
        dead = [url for url in urls if self.archive and records[url].verdict is Verdict.DEAD]
        token, private = read_token(), self.settings.allow_private
        repairs = RepairContext(follower(client), client.fetch, self.endpoints, token, private)
        await find_replacements(records, repairs, urls=urls, archive=self.archive, dates=self.dates(dead))
        self._store([records[url] for url in urls])

    def _store(self, records: Sequence[LinkRecord]) -> None:
        """Put checked links into the cache; of the others it keeps what an earlier run found."""
        if self.cache:
            self.cache.put([record for record in records if record.checked_at])
