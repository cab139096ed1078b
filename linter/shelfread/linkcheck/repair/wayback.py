"""Snapshots of pages that are gone, at the Wayback Machine.

Its availability API is limited hard and often empty; `/web/TIME/ADDRESS` answers with a redirect to the nearest
snapshot, or 404 where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from ipaddress import ip_address
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from shelfread.core.diagnostics import Applicability
from shelfread.core.hosts import host_of
from shelfread.core.link_record import Replacement
from shelfread.core.support.regex import lazy
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.repair.url_compare import take_apart
from shelfread.linkcheck.request import Fetch, FetchError, Reply, Request

_SNAPSHOT = lazy(
    r"/web/(?P<time>(?:199[6-9]|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[0-2]\d[0-5]\d{3})/(?P<page>.+)",
    re.DOTALL,
)
_REDIRECTS = (301, 302, 303, 307, 308)


class BusyError(Exception):
    """The archive refuses or does not answer: it is not to be asked again in this run."""


class Snapshot(NamedTuple):
    """A page as it was."""

    url: str
    day: str
    """YYYY-MM-DD."""


async def find_snapshot(url: str, when: date | None, fetch: Fetch, endpoints: Endpoints) -> Snapshot | None:
    """The snapshot nearest to a day, else the newest, if it can be shown; raises BusyError."""
    if take_apart(url) is None:
        return None
    day = f"{when:%Y%m%d}" if when else "2"  # the year 2...: the newest
    first = await _ask(fetch, Request(f"{endpoints.wayback}/web/{day}/{url}"))
    if first.status not in _REDIRECTS:
        return None
    time = _time(first, url, endpoints)
    if time is None:
        return None
    # A snapshot may be one of the error, or of the redirect to it.
    second = await _ask(fetch, Request(f"{endpoints.wayback}/web/{time}/{url}", "HEAD"))
    if second.status != 200:
        return None
    return Snapshot(f"https://web.archive.org/web/{time}/{url}", f"{time[:4]}-{time[4:6]}-{time[6:8]}")


def may_be_told(url: str, private: Collection[str], endpoints: Endpoints) -> bool:
    """Whether the archive may hear of an address: of a private network's it must not, nor has it any."""
    name = host_of(url)
    if endpoints.wayback != Endpoints().wayback:
        return True  # it is not the world that would hear of it
    if not name or any(name == one.rpartition(":")[0] or name == one for one in private):
        return False
    try:
        return ip_address(name).is_global
    except ValueError:
        return "." in name


def of_snapshot(snapshot: Snapshot) -> Replacement:
    """A snapshot as what may take the dead link's place: always for a person to say."""
    return Replacement("link/dead", snapshot.url, f"a snapshot of {snapshot.day}", Applicability.UNSAFE)


async def _ask(fetch: Fetch, request: Request) -> Reply:
    try:
        reply = await fetch(request)
    except FetchError as wrong:
        raise BusyError from wrong
    if reply.status in (403, 429) or reply.status >= 500:
        raise BusyError
    return reply


def _time(reply: Reply, url: str, endpoints: Endpoints) -> str | None:
    """The time of the snapshot that a redirect leads to; None where it leads elsewhere, or to another page."""
    try:
        location = urljoin(reply.url, reply.headers.get("location", ""))
        parts = urlsplit(location)
    except ValueError:
        return None
    own = urlsplit(endpoints.wayback)
    if (parts.scheme, parts.netloc) != (own.scheme, own.netloc) and parts.netloc != "web.archive.org":
        return None
    match = _SNAPSHOT.fullmatch(location[location.find("/", 8) :])
    if match is None:
        return None
    # The archive, or what stands before it, may make one slash of two.
    page = take_apart(re.sub(r"^(https?):/(?!/)", r"\1://", match["page"]))
    return match["time"] if page is not None and page == take_apart(url) else None
