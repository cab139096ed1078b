"""Snapshots of dead pages at the Wayback Machine.

Its availability API has low limits and is often empty; `/web/TIME/URL` redirects to the nearest snapshot, or answers 404
if there is none.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import date
from ipaddress import ip_address
from urllib.parse import urljoin, urlsplit

from shelfread.core.diagnostics import Applicability
from shelfread.core.support.regex import lazy
from shelfread.index.network.link_record import Replacement
from shelfread.links.registries.endpoints import Endpoints
from shelfread.links.repair.url_compare import normalize
from shelfread.links.request import REDIRECTS, Fetch, FetchError, Reply, Request
from shelfread.taxonomy.hosts import host_of

_SNAPSHOT = lazy(
    r"/web/(?P<time>(?:199[6-9]|20\d\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])[0-2]\d[0-5]\d{3})/(?P<page>.+)",
    re.DOTALL,
)


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
