"""Videos at YouTube: every id has a page, but only existing videos have a picture."""

from __future__ import annotations

from urllib.parse import parse_qs

from shelfread.core.patterns import lazy
from shelfread.index.answers import LinkRecord
from shelfread.links.exchange import Fetch, Request
from shelfread.links.registries.registry import Registry, get, site_of

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
