"""Registries: services that know whether a thing exists, even if its page refuses robots."""

from __future__ import annotations

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple
from urllib.parse import parse_qs, urlsplit

from shelfread.core.patterns import lazy
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.exchange import Fetch, FetchError, Reply, Request
from shelfread.links.network_settings import Endpoints

CONFIRM_SECONDS = 5.0  # seconds before a registry is asked a second time for what it does not know
_BATCH = 16  # keys that are looked up together; how many requests run at the same time is up to the client

Lookup = dict[str, LinkRecord | None]  # the records by key; None where the registry does not know the state


class Registry(ABC):
    """One service. Links whose state it does not know are checked on the web.

    `confirm_after` is in seconds.
    """

    host: ClassVar[str]  # the source of its records

    def __init__(self, endpoints: Endpoints, confirm_after: float = CONFIRM_SECONDS) -> None:
        self.endpoints = endpoints
        self._confirm_after = confirm_after

    @abstractmethod
    def claims(self, url: str) -> str | None:
        """Return the key of the thing at a URL; None if the URL does not belong to this registry."""

    async def look_up(self, keys: Sequence[str], fetch: Fetch, now: float) -> Lookup:
        """Return the records of some keys. What is missing counts as dead if it is missing twice.

        The `url` of a record is the registry's own URL of the thing, not the written one.
        """
        records = await self._look_up(keys, fetch, now)
        dead = [
            key for key, record in records.items() if record is not None and record.verdict is Verdict.DEAD
        ]
        if dead:
            await asyncio.sleep(self._confirm_after)
            again = await self._look_up(dead, fetch, now)
            records.update((key, again.get(key)) for key in dead)
        return records

    async def _look_up(self, keys: Iterable[str], fetch: Fetch, now: float) -> Lookup:
        return await look_up_each(keys, lambda key: self._look_up_one(key, fetch, now))

    async def _look_up_one(self, key: str, fetch: Fetch, now: float) -> LinkRecord | None:
        """Return the record of one key; None if its state is not known."""
        raise NotImplementedError

    def _alive(self, url: str, now: float, reason: str) -> LinkRecord:
        return LinkRecord(url, Verdict.ALIVE, reason, source=self.host, checked_at=now)

    def _dead(self, url: str, now: float, reason: str) -> LinkRecord:
        return self._alive(url, now, reason)._replace(verdict=Verdict.DEAD, failures=1, first_failure=now)


class Site(NamedTuple):
    """The parts of an ordinary URL."""

    host: str  # in lower case, without `www.`
    path: str
    query: str


@lru_cache(16)  # each registry reads the same URL in turn
def site_of(url: str) -> Site | None:
    """Return the parts of a URL; None if it has a user, a port, or a scheme other than http and https."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    if not host or "@" in parts.netloc or usual is None or port not in (None, usual):
        return None
    return Site(host, parts.path, parts.query)


async def get(fetch: Fetch, request: Request) -> Reply | None:
    """Return the reply to a request; None if there is none."""
    try:
        return await fetch(request)
    except FetchError:
        return None


def read_json(body: bytes) -> Mapping[str, object]:
    """Return a JSON object; an empty one for anything else."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


async def look_up_each(keys: Iterable[str], look_up: Callable[[str], Awaitable[LinkRecord | None]]) -> Lookup:
    """Look up each key; after a batch without any answer the rest is skipped."""
    waiting = list(dict.fromkeys(keys))
    records: Lookup = dict.fromkeys(waiting)
    for start in range(0, len(waiting), _BATCH):
        batch = waiting[start : start + _BATCH]
        answers = await asyncio.gather(*map(look_up, batch))
        records.update(zip(batch, answers, strict=True))
        if not any(answers) and len(batch) > 1:
            break
    return records


_HOSTS = frozenset("youtube.com m.youtube.com music.youtube.com youtube-nocookie.com youtu.be".split())
_ID = lazy(r"[A-Za-z0-9_-]{11}")
_FOLDERS = frozenset(("embed", "shorts", "live", "v"))
# Players that are embedded under a path that looks like the id of a video.
_NO_VIDEOS = frozenset(("videoseries", "live_stream"))


class YouTube(Registry):
    """Single videos, not playlists and channels."""

    host = "youtube.com"

    def claims(self, url: str) -> str | None:
        """Return the id of a video."""
        site = site_of(url)
        if site is None or site.host not in _HOSTS:
            return None
        parts = site.path.strip("/").split("/")
        video = ""
        if site.host == "youtu.be":
            video = parts[0] if len(parts) == 1 else ""
        elif parts == ["watch"]:
            try:
                video = parse_qs(site.query, max_num_fields=50).get("v", [""])[0]
            except ValueError:
                return None
        elif len(parts) == 2 and parts[0] in _FOLDERS:
            video = parts[1]
        return video if _ID.fullmatch(video) and video not in _NO_VIDEOS else None

    async def _look_up_one(self, key: str, fetch: Fetch, now: float) -> LinkRecord | None:
        reply = await get(fetch, Request(f"{self.endpoints.youtube}/vi/{key}/0.jpg", "HEAD"))
        if reply is None:
            return None
        url = f"https://www.youtube.com/watch?v={key}"
        # HTML would come from another server, such as the login page of a hotel's network.
        if reply.status == 200 and reply.headers.get("content-type", "").startswith("image/"):
            return self._alive(url, now, "YouTube has a picture of the video")
        if reply.status == 404:
            return self._dead(url, now, "YouTube has no such video, checked twice")
        return None
