"""Papers at arXiv, a hundred a call: its API knows them, and it does not refuse robots.

<https://info.arxiv.org/help/api/user-manual.html>: `max_results` is 10 unless told; an unknown id has no entry,
and an id of a wrong form spoils the whole call (400, or an entry that tells the error).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.core.link_record import Record
from shelfread.core.support.regex import lazy
from shelfread.linkcheck.registries.atom import read_feed
from shelfread.linkcheck.registries.base import AGAIN, alive, ask_twice, dead, get, site_of
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.request import Fetch, Request

_HOSTS = frozenset("arxiv.org export.arxiv.org browse.arxiv.org".split())
_BATCH = 100
_BYTES = 4 << 20
"""A paper may have three thousand authors."""
# Not every paper has a page under /html/ or a file under /ps/: of those the web must be asked.
_PAGE = lazy(r"/(?:abs|pdf|format)/(?:arxiv:)?(?P<id>[^?#]+?)(?:\.pdf)?/?", re.IGNORECASE)
_ID = lazy(
    r"(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|(?P<archive>[a-z-]+)(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3})"
    r"(?:v(?P<version>[1-9]\d{0,2}))?",
    re.IGNORECASE,
)
_ENTRY = lazy(r"https?://(?:[a-z]+\.)?arxiv\.org/abs/(?P<id>.+?)(?:v(?P<version>\d{1,4}))?", re.IGNORECASE)
# The archives that had numbers of their own until 2007: of another name is no paper.
_ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs
    dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics
    plasm-ph q-alg q-bio quant-ph solv-int supr-con""".split()
)


class Arxiv(NamedTuple):
    """arXiv's API."""

    endpoints: Endpoints = Endpoints()
    again: float = AGAIN
    host: str = "arxiv.org"

    def claims(self, url: str) -> str | None:
        """The id of a paper, with its version where one is named: `1706.03762v2`, `cs/0112017`."""
        site = site_of(url)
        if site is None or site.host not in _HOSTS:
            return None
        page = _PAGE.fullmatch(unquote(site.path))
        match = _ID.fullmatch(page["id"]) if page else None
        if match is None or (match["archive"] and match["archive"].lower() not in _ARCHIVES):
            return None
        # `math.GT/0309136` is `math/0309136`.
        paper = re.sub(r"\.[a-z]{2}/", "/", match["id"].lower())
        return f"{paper}v{match['version']}" if match["version"] else paper

    async def ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        """Alive what has an entry; of a version later than the last nothing can be said."""

        async def ask(some: Sequence[str]) -> dict[str, Record | None]:
            found: dict[str, Record | None] = dict.fromkeys(some)
            for at in range(0, len(some), _BATCH):
                found.update(await self._ask(some[at : at + _BATCH], fetch, now))
            return found

        return await ask_twice(list(dict.fromkeys(keys)), ask, self.again)

    async def _ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        papers = list(dict.fromkeys(_split(key)[0] for key in keys))
        query = f"id_list={quote(','.join(papers), safe=',')}&max_results={len(papers)}"
        reply = await get(fetch, Request(f"{self.endpoints.arxiv}/api/query?{query}", limit=_BYTES))
        feed = read_feed(reply.body) if reply is not None and reply.status == 200 else None
        if feed is None or any("/api/errors" in entry for entry in feed.ids):
            return {}
        versions = {}
        for entry in feed.ids:
            if match := _ENTRY.fullmatch(entry):
                versions[match["id"].lower()] = int(match["version"] or 1)
        # A page that came out empty or short, as it does under load, is no proof.
        whole = feed.total == len(feed.ids) and (bool(versions) or len(papers) == 1)
        found: dict[str, Record | None] = {}
        for key in keys:
            paper, version = _split(key)
            url = f"https://arxiv.org/abs/{key}"
            if paper not in versions:
                reason = "arXiv has no such paper, asked twice"
                found[key] = dead(url, self.host, now, reason) if whole else None
            elif version <= versions[paper]:
                found[key] = alive(url, self.host, now, "arXiv has the paper")
        return found


def _split(key: str) -> tuple[str, int]:
    """A paper's id, and the version that is asked for; 0 where any will do."""
    match = _ID.fullmatch(key)
    return (match["id"], int(match["version"] or 0)) if match else (key, 0)
