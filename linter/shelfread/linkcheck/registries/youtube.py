"""Videos at YouTube: the page is there for every number, the picture only for videos that are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import parse_qs

from shelfread.core.link_record import Record
from shelfread.core.support.regex import lazy
from shelfread.linkcheck.registries.base import AGAIN, alive, ask_each, ask_twice, dead, get, site_of
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.request import Fetch, Request

_HOSTS = frozenset("youtube.com m.youtube.com music.youtube.com youtube-nocookie.com youtu.be".split())
_ID = lazy(r"[A-Za-z0-9_-]{11}")
_FOLDERS = frozenset(("embed", "shorts", "live", "v"))
# As embedded: a player for a list, whatever the number's form.
_NO_VIDEOS = frozenset(("videoseries", "live_stream"))


class YouTube(NamedTuple):
    """Single videos; of playlists and channels it knows nothing."""

    endpoints: Endpoints = Endpoints()
    again: float = AGAIN
    host: str = "youtube.com"

    def claims(self, url: str) -> str | None:
        """The number of a video."""
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

    async def ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        """Alive what has a picture, dead what has none."""

        async def ask(key: str) -> Record | None:
            return await self._ask(key, fetch, now)

        return await ask_twice(keys, lambda some: ask_each(some, ask), self.again)

    async def _ask(self, key: str, fetch: Fetch, now: float) -> Record | None:
        reply = await get(fetch, Request(f"{self.endpoints.youtube}/vi/{key}/0.jpg", "HEAD"))
        kind = reply.headers.get("content-type", "") if reply else ""
        url = f"https://www.youtube.com/watch?v={key}"
        if reply is None:
            return None
        if reply.status == 200 and kind.startswith("image/"):  # a page would be somebody else's
            return alive(url, self.host, now, "YouTube has a picture of the video")
        if reply.status == 404:
            return dead(url, self.host, now, "YouTube has no such video, asked twice")
        return None
