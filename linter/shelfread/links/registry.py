"""Registries that know what exists, so that no page is asked: YouTube, DOIs and arXiv."""

from __future__ import annotations

import asyncio
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, NamedTuple
from urllib.parse import parse_qs, quote, unquote, urlsplit
from xml.etree import ElementTree as ET

from shelfread.core.patterns import lazy
from shelfread.document.identity import identify
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.exchange import Endpoints, Fetch, FetchError, Reply, Request, link_words
from shelfread.taxonomy.hosts import DOI, DOI_PUBLISHERS, DOI_RESOLVERS

CONFIRM_SECONDS = 5.0  # seconds before a registry is asked a second time for what it does not know
_BATCH = 16  # keys that are looked up together; how many requests run at the same time is up to the client

Lookup = dict[str, LinkRecord | None]  # the records by key; None where the registry does not know the state


class Registry(ABC):
    """One service, which confirms after some seconds; links whose state it does not know are checked on the web."""

    host: ClassVar[str]  # the source of its records

    def __init__(self, endpoints: Endpoints, confirm_after: float = CONFIRM_SECONDS) -> None:
        self.endpoints = endpoints
        self._confirm_after = confirm_after

    @abstractmethod
    def claims(self, url: str) -> str | None:
        """Return the key of the thing at a URL; None if the URL does not belong to this registry."""

    async def look_up(self, keys: Sequence[str], fetch: Fetch, now: float) -> Lookup:
        """Return the records of keys, with the registry's own URL of each; what is missing counts as dead if it is missing twice."""
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
_VIDEO_ID = lazy(r"[A-Za-z0-9_-]{11}")
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
        return video if _VIDEO_ID.fullmatch(video) and video not in _NO_VIDEOS else None

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


_DOI = lazy(rf"{DOI}[^\x00-\x20\x7f]+")
# Before a DOI from the URL of a publisher's page: if it is unknown, it may have been misread.
_PUBLISHER = "page:"
_LONGEST = 1000  # characters of a URL with a DOI

_ARXIV_HOSTS = frozenset("arxiv.org export.arxiv.org browse.arxiv.org".split())
_PAPERS_AT_ONCE = 100
_FEED_BYTES = 4 << 20  # a paper may have three thousand authors
# Not every paper has a page under /html/ or a file under /ps/: these are checked on the web.
_PAGE = lazy(r"(?i)/(?:abs|pdf|format)/(?:arxiv:)?(?P<id>[^?#]+?)(?:\.pdf)?/?")
_ARXIV_ID = lazy(
    r"(?i)(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|(?P<archive>[a-z-]+)(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3})"
    r"(?:v(?P<version>[1-9]\d{0,2}))?"
)
_ENTRY = lazy(r"(?i)https?://(?:[a-z]+\.)?arxiv\.org/abs/(?P<id>.{1,100}?)(?:v(?P<version>\d{1,4}))?")
_ARCHIVES = link_words("arxiv_archives")
ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_MAX_DEPTH = 50


class Doi(Registry):
    """The registry of all DOIs. It never reports that a page of a publisher is dead.

    <https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation>: `responseCode` 1 is success,
    100 an unknown handle (HTTP 404).
    """

    host = "doi.org"

    def claims(self, url: str) -> str | None:
        """Return the DOI of a resolver's URL, or of a publisher's page (`page:10...`)."""
        site = site_of(url)
        if site is None or len(url) > _LONGEST:
            return None
        if site.host in DOI_RESOLVERS:
            try:
                doi = unquote(site.path.lstrip("/"), errors="strict")
            except UnicodeDecodeError:
                return None
            return doi.lower() if _DOI.fullmatch(doi) and not site.query else None
        if site.host in DOI_PUBLISHERS and (doi := identify(url).get("doi", "")) and _DOI.fullmatch(doi):
            return _PUBLISHER + doi.lower()
        return None

    async def _look_up_one(self, key: str, fetch: Fetch, now: float) -> LinkRecord | None:
        doi = key.removeprefix(_PUBLISHER)
        path = quote(doi, safe="/")
        reply = await get(fetch, Request(f"{self.endpoints.doi}/api/handles/{path}"))
        if reply is None:
            return None
        data = read_json(reply.body)
        code, handle = data.get("responseCode"), data.get("handle")
        if type(code) is not int or (isinstance(handle, str) and handle.lower() != doi):
            return None
        url = f"https://doi.org/{path}"
        if code == 1 and reply.status == 200:
            return self._alive(url, now, "doi.org knows the DOI")
        # A full stop or bracket at the end may belong to the sentence.
        if code == 100 and reply.status == 404 and key == doi and doi[-1] not in ".,;:)]'/":
            return self._dead(url, now, "doi.org does not know this DOI, checked twice")
        return None


class Arxiv(Registry):
    """arXiv's API, asked for a hundred papers in one request. Of a version later than the last one the state is not known.

    <https://info.arxiv.org/help/api/user-manual.html>: the default of `max_results` is 10; an unknown id has no entry,
    and an invalid id makes the whole request fail (400, or an entry with the error).
    """

    host = "arxiv.org"

    def claims(self, url: str) -> str | None:
        """Return the id of a paper, with its version if there is one: `1706.03762v2`, `cs/0112017`."""
        site = site_of(url)
        if site is None or site.host not in _ARXIV_HOSTS:
            return None
        page = _PAGE.fullmatch(unquote(site.path))
        match = _ARXIV_ID.fullmatch(page["id"]) if page else None
        if match is None or (match["archive"] and match["archive"].lower() not in _ARCHIVES):
            return None
        # `math.GT/0309136` is `math/0309136`.
        paper = re.sub(r"\.[a-z]{2}/", "/", match["id"].lower())
        return f"{paper}v{match['version']}" if match["version"] else paper

    async def _look_up(self, keys: Iterable[str], fetch: Fetch, now: float) -> Lookup:
        keys = list(dict.fromkeys(keys))
        records: Lookup = dict.fromkeys(keys)
        for start in range(0, len(keys), _PAPERS_AT_ONCE):
            records.update(await self._look_up_batch(keys[start : start + _PAPERS_AT_ONCE], fetch, now))
        return records

    async def _look_up_batch(self, keys: Sequence[str], fetch: Fetch, now: float) -> Lookup:
        papers = list(dict.fromkeys(_split(key)[0] for key in keys))
        query = f"id_list={quote(','.join(papers), safe=',')}&max_results={len(papers)}"
        reply = await get(fetch, Request(f"{self.endpoints.arxiv}/api/query?{query}", limit=_FEED_BYTES))
        feed = read_feed(reply.body) if reply is not None and reply.status == 200 else None
        if feed is None:
            return {}
        ids = [entry.findtext(f"{ATOM}id", "").strip() for entry in feed.findall(f"{ATOM}entry")]
        if any("/api/errors" in id for id in ids):
            return {}
        matches = filter(None, map(_ENTRY.fullmatch, ids))
        versions = {match["id"].lower(): int(match["version"] or 1) for match in matches}
        if not versions.keys() <= set(papers):  # the answer to somebody else's question
            return {}
        # Under load the feed is sometimes empty or too short: then it proves nothing.
        is_complete = feed.findtext(_TOTAL, "").strip() == str(len(ids)) and (
            bool(versions) or len(papers) == 1
        )
        records: Lookup = {}
        for key in keys:
            paper, version = _split(key)
            url = f"https://arxiv.org/abs/{key}"
            if paper not in versions:
                reason = "arXiv has no such paper, checked twice"
                records[key] = self._dead(url, now, reason) if is_complete else None
            elif version <= versions[paper]:
                records[key] = self._alive(url, now, "arXiv has the paper")
        return records


def _split(key: str) -> tuple[str, int]:
    match = _ARXIV_ID.fullmatch(key)
    return (match["id"], int(match["version"] or 0)) if match else (key, 0)


class _RefusingBuilder(ET.TreeBuilder):
    """Refuses what is nested too deeply, or has a document type, which may define entities that expand."""

    _depth = 0

    def start(self, tag: str, attrs: dict[str, str]) -> ET.Element:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise ValueError("nested too deeply")
        return super().start(tag, attrs)

    def end(self, tag: str) -> ET.Element:
        self._depth -= 1
        return super().end(tag)

    def doctype(self, *_: object) -> None:
        raise ValueError("a document type")


def read_feed(body: bytes) -> ET.Element | None:
    """Return an Atom feed from an untrusted body; None for anything else, also if it is incomplete."""
    try:
        feed = ET.fromstring(body, ET.XMLParser(target=_RefusingBuilder()))
    except (ET.ParseError, ValueError, LookupError):
        return None
    return feed if feed.tag == f"{ATOM}feed" else None
