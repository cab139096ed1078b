"""What can take the place of a link: sought on the web, and offered only where it was found there."""

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
from shelfread.core.link_record import Answer, Record, Replacement, Verdict
from shelfread.core.publisher_moves import moved_page
from shelfread.linkcheck.registries.base import get, read_json
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.registries.github import authorization, repository_of
from shelfread.linkcheck.repair.github_branches import OnBranch, at_branch, on_branch
from shelfread.linkcheck.repair.redirects import MOVED, of_https, of_redirect, upgraded
from shelfread.linkcheck.repair.url_compare import same_spelling
from shelfread.linkcheck.repair.wayback import BusyError, find_snapshot, may_be_told, of_snapshot
from shelfread.linkcheck.request import Fetch, Follow, Reply, Request

DEAD = "link/dead"
_SEEN = (Verdict.ALIVE, Verdict.MOVED)
_AT_ONCE = 64
_REPOSITORIES = 30
"""So many repositories are asked for their default branch in a run: GitHub grants 60 such questions an hour."""
SNAPSHOTS = 50
"""So many dead links are looked for in the archive in a run."""


class RepairContext(NamedTuple):
    """What repairs are sought with."""

    follow: Follow
    fetch: Fetch
    endpoints: Endpoints = Endpoints()
    token: str = ""
    """GitHub's."""
    private: frozenset[str] = frozenset()
    """Hosts, `HOST` or `HOST:PORT`, of a private network: no archive is told of their pages."""


async def propose(
    records: dict[str, Record],
    means: RepairContext,
    *,
    asked: Collection[str] | None = None,
    archive: bool = False,
    dates: Mapping[str, date] | None = None,
    snapshots: int = SNAPSHOTS,
) -> dict[str, Record]:
    """The records with all that may take the place of their addresses; they are filled as it is found, so that
    what was found stays when the run's time is over. Those for which all was asked bear the time of it.

    `asked` are the addresses for which it is sought; None: all. `archive` looks for snapshots of what is dead,
    near the day that `dates` has for it. A fragment belongs to the link, and is no part of what is proposed.
    """
    found = records
    new = [found[url] for url in (records if asked is None else asked) if url in records]
    for record in new:
        _add(found, record.url, of_redirect(record))
    await _by_forms([one for one in new if not found[one.url].betters], found, means)
    later = await _by_branch([one for one in new if one.verdict is Verdict.DEAD], found, means)
    await _by_https([one for one in new if not found[one.url].betters], found, means)
    if archive:
        later |= await _by_archive([one.url for one in new], found, means, dates or {}, snapshots)
    now = time()
    for url in (one.url for one in new if one.url not in later):
        found[url] = found[url]._replace(sought_at=now)
    return found


def _add(found: dict[str, Record], url: str, better: Replacement | None) -> None:
    if better is not None and better.url != url:
        record = found[url]
        kept = tuple(one for one in record.betters if one.rule != better.rule)
        found[url] = record._replace(betters=(*kept, better))


async def _all(deeds: Iterable[Coroutine[object, object, None]]) -> None:
    """Some at a time: how many requests are under way is the client's to say."""
    waiting = iter(deeds)
    while some := list(islice(waiting, _AT_ONCE)):
        await asyncio.gather(*some)


def _is_there(answer: Answer, url: str) -> bool:
    """Whether a look found a page under this very address, and trusted it."""
    status = answer.status
    if status is None or not 200 <= status < 300 or answer.challenge or answer.certificate:
        return False
    return same_spelling(url, answer.end)


# ---------------------------------------------------------------------------------- addresses that hosts changed
async def _by_forms(records: Iterable[Record], found: dict[str, Record], means: RepairContext) -> None:
    async def look(record: Record, other: str) -> None:
        if _is_there(await means.follow(other), other):
            rule = DEAD if record.verdict is Verdict.DEAD else MOVED
            why = f"{urlsplit(other).hostname} has it there now".removeprefix("www.")
            _add(found, record.url, Replacement(rule, other, why, Applicability.SAFE))

    # What answers under the address that is written may stay as it is.
    await _all(
        look(record, other)
        for record in records
        if (record.verdict is not Verdict.ALIVE or len(record.hops) > 1)
        and record.verdict is not Verdict.UNSAFE
        if (other := moved_page(record.url)) is not None
    )


# --------------------------------------------------------------------------------------------- default branches
async def _by_branch(records: Iterable[Record], found: dict[str, Record], means: RepairContext) -> set[str]:
    """Seeks, and tells the addresses for which it is left to another run."""
    wanted: dict[str, list[tuple[Record, OnBranch]]] = defaultdict(list)
    for record in records:
        place = on_branch(record.url)
        if place is not None:
            wanted[place.repository.lower()].append((record, place))

    async def look(repository: str) -> None:
        home = await _home(repository, means)
        if home is None:
            return
        for record, place in wanted[repository]:
            named = home.repository.lower() == repository
            path = at_branch(place, place.repository if named else home.repository, home.branch)
            if path is None:
                continue
            probe = means.endpoints.github + path
            if _is_there(await means.follow(probe), probe):
                owned = home.repository.partition("/")[0].lower() == repository.partition("/")[0]
                sure = Applicability.SAFE if owned else Applicability.UNSAFE
                why = f"the default branch is {home.branch}" if owned else f"now of {home.repository}"
                _add(found, record.url, Replacement(DEAD, "https://github.com" + path, why, sure))

    repositories = list(wanted)
    await _all(look(repository) for repository in repositories[:_REPOSITORIES])
    return {record.url for repository in repositories[_REPOSITORIES:] for record, _ in wanted[repository]}


class _Home(NamedTuple):
    repository: str
    branch: str


async def _home(repository: str, means: RepairContext) -> _Home | None:
    """What a repository is called, and its default branch; one that was renamed is asked for by its number."""
    api = means.endpoints.github_api
    reply = await _ask_api(f"{api}/repos/{repository}", means)
    if reply is not None and reply.status in (301, 302, 307, 308):
        number = reply.headers.get("location", "").removeprefix(f"{api}/repositories/")
        valid = number.isascii() and number.isdigit()
        reply = await _ask_api(f"{api}/repositories/{number}", means) if valid else None
    if reply is None or reply.status != 200:
        return None
    facts = read_json(reply.body)
    name, branch = facts.get("full_name"), facts.get("default_branch")
    if facts.get("private") is not False or not isinstance(name, str) or not isinstance(branch, str):
        return None
    if repository_of(f"https://github.com/{name}") != name:
        return None
    return _Home(name, branch)


async def _ask_api(url: str, means: RepairContext) -> Reply | None:
    return await get(means.fetch, Request(url, headers=authorization(means.endpoints, means.token)))


# --------------------------------------------------------------------------------------------------------- https
async def _by_https(records: Iterable[Record], found: dict[str, Record], means: RepairContext) -> None:
    hosts: dict[str, list[tuple[Record, str]]] = defaultdict(list)
    for record in records:
        secure = upgraded(record.url) if record.verdict in _SEEN else None
        host = urlsplit(secure).netloc.lower() if secure else ""
        # Of hosts that are known to serve it link/insecure speaks, without a request.
        if secure is not None and not serves_https(host):
            hosts[host].append((record, secure))

    async def look(record: Record, secure: str) -> bool:
        """Whether the host speaks https at all."""
        answer = await means.follow(secure)
        if _is_there(answer, secure):
            _add(found, record.url, of_https(record.url, answer.end))
        return answer.trouble is None and not answer.certificate

    async def look_again(record: Record, secure: str) -> None:
        await look(record, secure)

    async def look_all(links: list[tuple[Record, str]]) -> None:
        if await look(*links[0]):
            await _all(look_again(*link) for link in links[1:])

    await _all(look_all(links) for links in hosts.values())


# ------------------------------------------------------------------------------------------------------- archive
async def _by_archive(
    urls: Iterable[str], found: dict[str, Record], means: RepairContext, dates: Mapping[str, date], most: int
) -> set[str]:
    """Seeks, and tells the addresses for which it is left to another run."""
    gone = [url for url in urls if found[url].verdict is Verdict.DEAD and not found[url].betters]
    gone = [url for url in gone if may_be_told(url, means.private, means.endpoints)]
    for at, url in enumerate(gone[:most]):
        try:
            snapshot = await find_snapshot(url, dates.get(url), means.fetch, means.endpoints)
        except BusyError:
            return set(gone[at:])
        if snapshot is not None:
            _add(found, url, of_snapshot(snapshot))
    return set(gone[most:])
