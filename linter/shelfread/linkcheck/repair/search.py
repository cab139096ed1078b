"""Searches URLs that can replace a link, and proposes only those where a page was found."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection, Coroutine, Iterable, Mapping
from datetime import date
from itertools import islice
from time import time
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.diagnostics import Applicability
from shelfread.core.hosts import serves_https
from shelfread.core.link_record import Attempt, LinkRecord, Replacement, Verdict
from shelfread.core.publisher_moves import moved_page
from shelfread.linkcheck.registries.base import get, read_json
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.registries.github import authorization, repository_of
from shelfread.linkcheck.repair.github_branches import BranchPath, on_branch, path_on_branch
from shelfread.linkcheck.repair.redirects import MOVED, https_replacement, redirect_replacement, upgraded
from shelfread.linkcheck.repair.url_compare import is_same_page
from shelfread.linkcheck.repair.wayback import BusyError, find_snapshot, is_public, snapshot_replacement
from shelfread.linkcheck.request import Fetch, Follow, Reply, Request

DEAD = "link/dead"
_FOUND = (Verdict.ALIVE, Verdict.MOVED)
_BATCH = 64
_MAX_REPOSITORIES = 30
"""Repositories whose default branch is looked up in a run: without a token GitHub allows 60 requests an hour."""
MAX_SNAPSHOTS = 50
"""Dead links for which a snapshot is searched in a run."""


class RepairContext(NamedTuple):
    """What is needed to search replacements."""

    follow: Follow
    fetch: Fetch
    endpoints: Endpoints = Endpoints()
    token: str = ""
    """For GitHub."""
    private: frozenset[str] = frozenset()
    """Hosts, `HOST` or `HOST:PORT`, of a private network: their URLs are not sent to the archive."""


async def find_replacements(
    records: dict[str, LinkRecord],
    context: RepairContext,
    *,
    urls: Collection[str] | None = None,
    archive: bool = False,
    dates: Mapping[str, date] | None = None,
    snapshots: int = MAX_SNAPSHOTS,
) -> None:
    """Add replacements to the records of `urls` (None: all), each as it is found.

    What was found when the run's time is up stays. Only records for which the search was complete get
    `repairs_checked_at`. `archive` searches snapshots of dead pages, near the day in `dates`. Fragments belong to the
    links and are no part of a replacement.
    """
    new = [records[url] for url in (records if urls is None else urls) if url in records]
    for record in new:
        _add(records, record.url, redirect_replacement(record))
    await _find_moved_pages(
        [record for record in new if not records[record.url].replacements], records, context
    )
    later = await _find_on_branches(
        [record for record in new if record.verdict is Verdict.DEAD], records, context
    )
    await _find_https([record for record in new if not records[record.url].replacements], records, context)
    if archive:
        later |= await _find_snapshots(
            [record.url for record in new], records, context, dates or {}, snapshots
        )
    now = time()
    for record in new:
        if record.url not in later:
            records[record.url] = records[record.url]._replace(repairs_checked_at=now)


def _add(records: dict[str, LinkRecord], url: str, replacement: Replacement | None) -> None:
    if replacement is not None and replacement.url != url:
        record = records[url]
        others = tuple(other for other in record.replacements if other.rule != replacement.rule)
        records[url] = record._replace(replacements=(*others, replacement))


async def _gather(coroutines: Iterable[Coroutine[object, object, None]]) -> None:
    """Run some at a time; how many requests run at the same time is up to the client."""
    waiting = iter(coroutines)
    while batch := list(islice(waiting, _BATCH)):
        await asyncio.gather(*batch)


def _is_found(attempt: Attempt, url: str) -> bool:
    """Whether there is a page at this very URL, with a valid certificate."""
    status = attempt.status
    if status is None or not 200 <= status < 300 or attempt.challenge or attempt.certificate:
        return False
    return is_same_page(url, attempt.end)


# ------------------------------------------------------------------------------------------- moved pages
async def _find_moved_pages(
    candidates: Iterable[LinkRecord], records: dict[str, LinkRecord], context: RepairContext
) -> None:
    async def find(record: LinkRecord, url: str) -> None:
        if _is_found(await context.follow(url), url):
            rule = DEAD if record.verdict is Verdict.DEAD else MOVED
            why = f"{urlsplit(url).hostname} has moved the page".removeprefix("www.")
            _add(records, record.url, Replacement(rule, url, why, Applicability.SAFE))

    # A page that answers at the written URL is not replaced.
    await _gather(
        find(record, url)
        for record in candidates
        if (record.verdict is not Verdict.ALIVE or len(record.hops) > 1)
        and record.verdict is not Verdict.UNSAFE
        if (url := moved_page(record.url)) is not None
    )


# -------------------------------------------------------------------------------------- default branches
async def _find_on_branches(
    candidates: Iterable[LinkRecord], records: dict[str, LinkRecord], context: RepairContext
) -> set[str]:
    """Search dead files on the default branch; return the URLs that are left to another run."""
    wanted: dict[str, list[tuple[LinkRecord, BranchPath]]] = defaultdict(list)
    for record in candidates:
        branch_path = on_branch(record.url)
        if branch_path is not None:
            wanted[branch_path.repository.lower()].append((record, branch_path))

    async def find(name: str) -> None:
        repository = await _fetch_repository(name, context)
        if repository is None:
            return
        for record, branch_path in wanted[name]:
            same_name = repository.name.lower() == name
            path = path_on_branch(
                branch_path, branch_path.repository if same_name else repository.name, repository.branch
            )
            if path is None:
                continue
            url = context.endpoints.github + path
            if _is_found(await context.follow(url), url):
                same_owner = repository.name.partition("/")[0].lower() == name.partition("/")[0]
                applicability = Applicability.SAFE if same_owner else Applicability.UNSAFE
                why = (
                    f"the default branch is {repository.branch}"
                    if same_owner
                    else f"now at {repository.name}"
                )
                _add(records, record.url, Replacement(DEAD, "https://github.com" + path, why, applicability))

    names = list(wanted)
    await _gather(find(name) for name in names[:_MAX_REPOSITORIES])
    return {record.url for name in names[_MAX_REPOSITORIES:] for record, _ in wanted[name]}


class _Repository(NamedTuple):
    name: str
    branch: str
    """The default branch."""


async def _fetch_repository(name: str, context: RepairContext) -> _Repository | None:
    """Return the current name of a repository and its default branch."""
    api = context.endpoints.github_api
    reply = await _fetch_api(f"{api}/repos/{name}", context)
    if reply is not None and reply.status in (301, 302, 307, 308):  # a renamed one redirects to its number
        number = reply.headers.get("location", "").removeprefix(f"{api}/repositories/")
        valid = number.isascii() and number.isdigit()
        reply = await _fetch_api(f"{api}/repositories/{number}", context) if valid else None
    if reply is None or reply.status != 200:
        return None
    facts = read_json(reply.body)
    full_name, branch = facts.get("full_name"), facts.get("default_branch")
    if facts.get("private") is not False or not isinstance(full_name, str) or not isinstance(branch, str):
        return None
    if repository_of(f"https://github.com/{full_name}") != full_name:
        return None
    return _Repository(full_name, branch)


async def _fetch_api(url: str, context: RepairContext) -> Reply | None:
    return await get(context.fetch, Request(url, headers=authorization(context.endpoints, context.token)))


# ------------------------------------------------------------------------------------------------- https
async def _find_https(
    candidates: Iterable[LinkRecord], records: dict[str, LinkRecord], context: RepairContext
) -> None:
    by_host: dict[str, list[tuple[LinkRecord, str]]] = defaultdict(list)
    for record in candidates:
        secure = upgraded(record.url) if record.verdict in _FOUND else None
        host = urlsplit(secure).netloc.lower() if secure else ""
        # Hosts that are known to serve https are reported by link/insecure, without a request.
        if secure is not None and not serves_https(host):
            by_host[host].append((record, secure))

    async def find(record: LinkRecord, secure: str) -> bool:
        """Return whether the host serves https at all."""
        attempt = await context.follow(secure)
        if _is_found(attempt, secure):
            _add(records, record.url, https_replacement(record.url, attempt.end))
        return attempt.trouble is None and not attempt.certificate

    async def find_further(record: LinkRecord, secure: str) -> None:
        await find(record, secure)

    async def find_all(links: list[tuple[LinkRecord, str]]) -> None:
        if await find(*links[0]):
            await _gather(find_further(*link) for link in links[1:])

    await _gather(find_all(links) for links in by_host.values())


# ----------------------------------------------------------------------------------------------- archive
async def _find_snapshots(
    urls: Iterable[str],
    records: dict[str, LinkRecord],
    context: RepairContext,
    dates: Mapping[str, date],
    limit: int,
) -> set[str]:
    """Search snapshots of dead pages; return the URLs that are left to another run."""
    dead = [url for url in urls if records[url].verdict is Verdict.DEAD and not records[url].replacements]
    dead = [url for url in dead if is_public(url, context.private, context.endpoints)]
    for index, url in enumerate(dead[:limit]):
        try:
            snapshot = await find_snapshot(url, dates.get(url), context.fetch, context.endpoints)
        except BusyError:
            return set(dead[index:])
        if snapshot is not None:
            _add(records, url, snapshot_replacement(snapshot))
    return set(dead[limit:])
