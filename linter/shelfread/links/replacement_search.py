"""Searches what can stand in place of a link: a moved page, a renamed repository, a snapshot of a dead page."""

from __future__ import annotations

import asyncio
import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime, timezone
from ipaddress import ip_address
from time import time
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from shelfread.core import git
from shelfread.core.diagnostics import Applicability
from shelfread.core.patterns import lazy
from shelfread.index.answers import FOUND, LinkRecord, Replacement, Verdict
from shelfread.links.exchange import (
    PERMANENT_REDIRECTS,
    REDIRECTS,
    Attempt,
    Endpoints,
    Fetch,
    FetchError,
    Follow,
    Reply,
    Request,
)
from shelfread.links.registry import get, read_json
from shelfread.links.replacements import (
    MOVED,
    BranchPath,
    https_replacement,
    is_same_page,
    normalize,
    on_branch,
    path_on_branch,
    redirect_replacement,
    upgraded,
    without_tracking,
)
from shelfread.links.repositories import authorization, repository_of
from shelfread.taxonomy.hosts import host_of, moved_page, serves_https

_SNAPSHOT = lazy(
    r"/web/(?P<time>(?:199[6-9]|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[0-2]\d[0-5]\d{3})/(?P<page>.+)",
    re.DOTALL,
)
_GIT_SECONDS = 20
_GIT_BYTES = 64 << 20
_COMMIT = lazy(rb"([0-9a-f]{40}(?:[0-9a-f]{24})?) \d+ (\d+)(?: \d+)?")


class BusyError(Exception):
    """The archive refuses or does not answer: no further request is made in this run."""


async def find_snapshot(url: str, day: date | None, fetch: Fetch, endpoints: Endpoints) -> Replacement | None:
    """Return the snapshot nearest to a day (None: the newest), which is unsafe until somebody looks at it; raises BusyError."""
    if normalize(url) is None:
        return None
    near = f"{day:%Y%m%d}" if day else "2"  # year 2...: the newest
    first = await _fetch(fetch, Request(f"{endpoints.wayback}/web/{near}/{url}"))
    if first.status not in REDIRECTS:
        return None
    time = _time(first, url, endpoints)
    if time is None:
        return None
    # A snapshot may show an error, or a redirect to one.
    second = await _fetch(fetch, Request(f"{endpoints.wayback}/web/{time}/{url}", "HEAD"))
    if second.status != 200:
        return None
    why = f"a snapshot of {time[:4]}-{time[4:6]}-{time[6:8]}"
    return Replacement("link/dead", f"https://web.archive.org/web/{time}/{url}", why, Applicability.UNSAFE)


def is_public(url: str, private: Collection[str], endpoints: Endpoints) -> bool:
    """Whether a URL may be sent to the archive: those of a private network must not."""
    name = host_of(url)
    if endpoints.wayback != Endpoints().wayback:
        return True  # an archive that the user has chosen
    if not name or any(name in (host, host.rpartition(":")[0]) for host in private):
        return False
    try:
        return ip_address(name).is_global
    except ValueError:
        return "." in name


async def _fetch(fetch: Fetch, request: Request) -> Reply:
    try:
        reply = await fetch(request)
    except FetchError as error:
        raise BusyError from error
    if reply.status in (403, 429) or reply.status >= 500:
        raise BusyError
    return reply


def _time(reply: Reply, url: str, endpoints: Endpoints) -> str | None:
    """The time of the snapshot to which a redirect leads; None if it leads elsewhere, or to another page."""
    try:
        location = urljoin(reply.url, reply.headers.get("location", ""))
        parts = urlsplit(location)
    except ValueError:
        return None
    own = urlsplit(endpoints.wayback)
    if (parts.scheme, parts.netloc) != (own.scheme, own.netloc) and parts.netloc != "web.archive.org":
        return None
    start = len(endpoints.wayback) if location.startswith(f"{endpoints.wayback}/") else location.find("/", 8)
    match = _SNAPSHOT.fullmatch(location[start:])
    if match is None:
        return None
    # The archive, or a proxy before it, may merge two slashes.
    page = normalize(re.sub(r"^(https?):/(?!/)", r"\1://", match["page"]))
    return match["time"] if page is not None and page == normalize(url) else None


def line_dates(path: str, lines: Collection[int]) -> dict[int, date]:
    """Return the day on which each committed line (from 1) was written; HEAD is blamed, as git would filter the work tree."""
    folder, name = os.path.split(os.path.abspath(path))
    try:
        with open(path, "rb") as stream:
            texts = [line.rstrip(b"\r") for line in stream.read().split(b"\n")]
    except OSError:
        return {}
    shallow = git.run(folder, "rev-parse", "--is-shallow-repository", seconds=_GIT_SECONDS)
    if shallow is None:
        return {}
    # Without --root commits without a parent count as unknown: in a shallow clone they are.
    root = () if shallow.strip() == b"true" else ("--root",)
    command = ("blame", "--porcelain", "--no-textconv", *root, "HEAD", "--", name)
    output = git.run(folder, *command, seconds=_GIT_SECONDS)
    if output is None or len(output) > _GIT_BYTES:
        return {}
    blamed = list(_blamed_lines(output))
    unique: dict[bytes, date | None] = {}
    for text, day in blamed:
        unique[text] = None if text in unique else day
    dates: dict[int, date] = {}
    for number in lines:
        if 0 < number <= len(texts):
            text = texts[number - 1]
            same = number <= len(blamed) and blamed[number - 1][0] == text
            day = blamed[number - 1][1] if same else unique.get(text)
            if day is not None:
                dates[number] = day
    return dates


def _blamed_lines(output: bytes) -> Iterator[tuple[bytes, date | None]]:
    """The lines of a blame in order, each with its day; a commit is described only before its first line."""
    days: dict[bytes, date | None] = {}
    commit = b""
    for line in output.split(b"\n"):
        if line.startswith(b"\t"):
            yield line[1:].rstrip(b"\r"), days.get(commit)
        elif match := _COMMIT.fullmatch(line):
            commit = match[1]
        elif line.startswith(b"author-time "):
            days[commit] = _day(line[12:])
        elif line == b"boundary":
            days[commit] = None


def _day(seconds: bytes) -> date | None:
    try:
        return datetime.fromtimestamp(int(seconds[:12]), timezone.utc).date()
    except (ValueError, OverflowError, OSError):
        return None


DEAD = "link/dead"
# Repositories whose default branch is looked up in a run: without a token GitHub allows 60 requests an hour.
_MAX_REPOSITORIES = 30
_MOST_SNAPSHOTS = 50  # dead links for which a snapshot is searched in a run


class RepairContext(NamedTuple):
    """What is needed to search replacements."""

    follow: Follow
    fetch: Fetch
    endpoints: Endpoints = Endpoints()
    token: str = ""  # for GitHub
    # hosts, `HOST` or `HOST:PORT`, of a private network: their URLs are not sent to the archive.
    private: frozenset[str] = frozenset()


async def find_replacements(
    records: dict[str, LinkRecord],
    context: RepairContext,
    *,
    urls: Collection[str] | None = None,
    archive: bool = False,
    dates: Mapping[str, date] | None = None,
) -> None:
    """Add replacements to the records of `urls` (None: all), each as it is found.

    What was found when the run's time is up stays. Only records for which the search was complete get
    `repairs_checked_at`. `archive` searches snapshots of dead pages, near the day in `dates`. Fragments belong to the
    links and are no part of a replacement.
    """
    new = [records[url] for url in (records if urls is None else urls) if url in records]
    search = _ReplacementSearch(records, context)
    for record in new:
        search.add(record, redirect_replacement(record))
    await search.without_tracking(new)
    await search.renamed_repositories(new)
    await search.moved_pages(search.without_replacement(new))
    later = await search.default_branches([record for record in new if record.verdict is Verdict.DEAD])
    await search.https(search.without_replacement(new))
    if archive:
        later |= await search.snapshots(search.without_replacement(new), dates or {})
    now = time()
    for record in new:
        if record.url not in later:
            records[record.url] = records[record.url]._replace(repairs_checked_at=now)


class _ReplacementSearch(NamedTuple):
    """Searches that add what they find to `records`; some return the URLs that are left to another run."""

    records: dict[str, LinkRecord]
    context: RepairContext

    def add(self, record: LinkRecord, replacement: Replacement | None) -> None:
        if replacement is not None and replacement.url != record.url:
            current = self.records[record.url]
            others = tuple(other for other in current.replacements if other.rule != replacement.rule)
            self.records[record.url] = current._replace(replacements=(*others, replacement))

    def without_replacement(self, records: Iterable[LinkRecord]) -> list[LinkRecord]:
        return [record for record in records if not self.records[record.url].replacements]

    async def without_tracking(self, candidates: Iterable[LinkRecord]) -> None:
        """Request the ends of redirects without the tracking that the redirects added: none is written unrequested."""

        async def find(record: LinkRecord, replacement: Replacement, url: str) -> None:
            attempt = await self.context.follow(url)
            if len(attempt.hops) == 1 and _is_found(attempt, url):
                replacement = replacement._replace(url=url)
            else:
                replacement = replacement._replace(applicability=Applicability.UNSAFE)
            self.add(record, replacement)

        await asyncio.gather(
            *(
                find(record, replacement, url)
                for record in candidates
                for replacement in self.records[record.url].replacements
                if (url := without_tracking(replacement.url, record.url)) != replacement.url
            )
        )

    async def renamed_repositories(self, candidates: Iterable[LinkRecord]) -> None:
        """Request repositories that GitHub's API calls renamed: what their pages do not confirm is a suggestion."""

        async def find(record: LinkRecord, replacement: Replacement) -> None:
            written, end = (
                self.context.endpoints.github + url.partition("github.com")[2]
                for url in (record.url, replacement.url)
            )
            attempt = await self.context.follow(written)
            is_permanent = all(hop.status in PERMANENT_REDIRECTS for hop in attempt.hops[:-1])
            if not is_permanent or attempt.end != end or not _is_found(attempt, end):
                self.add(record, replacement._replace(applicability=Applicability.UNSAFE))

        await asyncio.gather(
            *(
                find(record, replacement)
                for record in candidates
                if record.source != "web"
                for replacement in self.records[record.url].replacements
            )
        )

    async def moved_pages(self, candidates: Iterable[LinkRecord]) -> None:
        """Search pages where their hosts are known to have moved them."""

        async def find(record: LinkRecord, url: str) -> None:
            if _is_found(await self.context.follow(url), url):
                rule = DEAD if record.verdict is Verdict.DEAD else MOVED
                why = f"{urlsplit(url).hostname} has moved the page".removeprefix("www.")
                self.add(record, Replacement(rule, url, why, Applicability.SAFE))

        # A page that answers at the written URL is not replaced.
        await asyncio.gather(
            *(
                find(record, url)
                for record in candidates
                if (record.verdict is not Verdict.ALIVE or len(record.hops) > 1)
                and record.verdict is not Verdict.UNSAFE
                if (url := moved_page(record.url)) is not None
            )
        )

    async def default_branches(self, candidates: Iterable[LinkRecord]) -> set[str]:
        """Search dead files on the default branches of their repositories."""
        by_repository: dict[str, list[tuple[LinkRecord, BranchPath]]] = defaultdict(list)
        for record in candidates:
            if (branch_path := on_branch(record.url)) is not None:
                by_repository[branch_path.repository.lower()].append((record, branch_path))

        async def find(name: str) -> None:
            repository = await _fetch_repository(name, self.context)
            if repository is None:
                return
            for record, branch_path in by_repository[name]:
                same_name = repository.name.lower() == name
                current_name = branch_path.repository if same_name else repository.name
                path = path_on_branch(branch_path, current_name, repository.branch)
                url = f"{self.context.endpoints.github}{path}"
                if path is not None and _is_found(await self.context.follow(url), url):
                    why, applicability = f"the default branch is {repository.branch}", Applicability.SAFE
                    if repository.name.partition("/")[0].lower() != name.partition("/")[0]:
                        why, applicability = f"now at {repository.name}", Applicability.UNSAFE
                    self.add(record, Replacement(DEAD, "https://github.com" + path, why, applicability))

        names = list(by_repository)
        await asyncio.gather(*(find(name) for name in names[:_MAX_REPOSITORIES]))
        return {record.url for name in names[_MAX_REPOSITORIES:] for record, _ in by_repository[name]}

    async def https(self, candidates: Iterable[LinkRecord]) -> None:
        """Search pages of `http:` URLs by https."""
        by_host: dict[str, list[tuple[LinkRecord, str]]] = defaultdict(list)
        for record in candidates:
            secure = upgraded(record.url) if record.verdict in FOUND else None
            host = urlsplit(secure).netloc.lower() if secure else ""
            # Hosts that are known to serve https are reported by link/insecure, without a request.
            if secure is not None and not serves_https(host):
                by_host[host].append((record, secure))

        async def find(record: LinkRecord, secure: str) -> bool:
            """Return whether the host serves https at all."""
            attempt = await self.context.follow(secure)
            if _is_found(attempt, secure):
                self.add(record, https_replacement(record.url, attempt.end))
            return attempt.trouble is None and not attempt.certificate

        async def find_all(links: list[tuple[LinkRecord, str]]) -> None:
            if await find(*links[0]):
                await asyncio.gather(*(find(*link) for link in links[1:]))

        await asyncio.gather(*(find_all(links) for links in by_host.values()))

    async def snapshots(self, candidates: Iterable[LinkRecord], dates: Mapping[str, date]) -> set[str]:
        """Search snapshots of dead pages."""
        context = self.context
        dead = [
            record
            for record in candidates
            if record.verdict is Verdict.DEAD and is_public(record.url, context.private, context.endpoints)
        ]
        for index, record in enumerate(dead[:_MOST_SNAPSHOTS]):
            try:
                near = dates.get(record.url)
                self.add(record, await find_snapshot(record.url, near, context.fetch, context.endpoints))
            except BusyError:
                return {record.url for record in dead[index:]}
        return {record.url for record in dead[_MOST_SNAPSHOTS:]}


def _is_found(attempt: Attempt, url: str) -> bool:
    """Whether there is a page at this very URL, with a valid certificate."""
    valid = 200 <= (attempt.status or 0) < 300 and not attempt.challenge and not attempt.certificate
    return valid and is_same_page(url, attempt.end)


class _Repository(NamedTuple):
    name: str
    branch: str  # the default branch


async def _fetch_repository(name: str, context: RepairContext) -> _Repository | None:
    api = context.endpoints.github_api
    reply = await _fetch_api(f"{api}/repos/{name}", context)
    if reply is not None and reply.status in REDIRECTS:  # a renamed one redirects to its number
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
