"""Snapshots of dead pages at the Wayback Machine, near the day on which `git blame` says that the link was written.

The Machine's availability API has low limits and is often empty; `/web/TIME/URL` redirects to the nearest snapshot, or
answers 404 if there is none.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from datetime import date, datetime, timezone
from ipaddress import ip_address
from urllib.parse import urljoin, urlsplit

from shelfread.core import git
from shelfread.core.diagnostics import Applicability
from shelfread.core.patterns import lazy
from shelfread.index.answers import Replacement
from shelfread.links.exchange import REDIRECTS, Fetch, FetchError, Reply, Request
from shelfread.links.network_settings import Endpoints
from shelfread.links.replacements import normalize
from shelfread.taxonomy.hosts import host_of

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
    """Return the snapshot nearest to a day (None: the newest) if it can be shown; raises BusyError.

    It is unsafe: whether it shows the page takes a look.
    """
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
    """Return the day on which each line (counted from 1) was written; lines that are not committed are left out.

    HEAD is blamed instead of the file in the working tree, for which git would run filters that the repository
    configures. A line is matched by number and text, or by text alone if that is unique.
    """
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
