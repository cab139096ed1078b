"""Papers at arXiv, a hundred in one request to its API, which does not refuse robots.

<https://info.arxiv.org/help/api/user-manual.html>: the default of `max_results` is 10; an unknown id has no entry,
and an invalid id makes the whole request fail (400, or an entry with the error).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote, unquote

from shelfread.core.support.regex import lazy
from shelfread.links.registries.atom import read_feed
from shelfread.links.registries.base import Found, Registry, get, site_of
from shelfread.links.request import Fetch, Request

_HOSTS = frozenset("arxiv.org export.arxiv.org browse.arxiv.org".split())
_BATCH = 100
_BYTES = 4 << 20
"""A paper may have three thousand authors."""
# Not every paper has a page under /html/ or a file under /ps/: these are checked on the web.
_PAGE = lazy(r"(?i)/(?:abs|pdf|format)/(?:arxiv:)?(?P<id>[^?#]+?)(?:\.pdf)?/?")
_ID = lazy(
    r"(?i)(?P<id>\d{2}(?:0[1-9]|1[0-2])\.\d{4,5}|(?P<archive>[a-z-]+)(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3})"
    r"(?:v(?P<version>[1-9]\d{0,2}))?"
)
_ENTRY = lazy(r"(?i)https?://(?:[a-z]+\.)?arxiv\.org/abs/(?P<id>.+?)(?:v(?P<version>\d{1,4}))?")
# The archives that had numbers of their own until 2007.
_ARCHIVES = frozenset(
    """acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs
    dg-ga funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics
    plasm-ph q-alg q-bio quant-ph solv-int supr-con""".split()
)


class Arxiv(Registry):
    """arXiv's API. Of a version later than the last one the state is not known."""

    host = "arxiv.org"

    def claims(self, url: str) -> str | None:
        """Return the id of a paper, with its version if there is one: `1706.03762v2`, `cs/0112017`."""
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

    async def _look_up(self, keys: Iterable[str], fetch: Fetch, now: float) -> Found:
        keys = list(dict.fromkeys(keys))
        found: Found = dict.fromkeys(keys)
        for start in range(0, len(keys), _BATCH):
            found.update(await self._look_up_batch(keys[start : start + _BATCH], fetch, now))
        return found

    async def _look_up_batch(self, keys: Sequence[str], fetch: Fetch, now: float) -> Found:
        papers = list(dict.fromkeys(_split(key)[0] for key in keys))
        query = f"id_list={quote(','.join(papers), safe=',')}&max_results={len(papers)}"
        reply = await get(fetch, Request(f"{self.endpoints.arxiv}/api/query?{query}", limit=_BYTES))
        feed = read_feed(reply.body) if reply is not None and reply.status == 200 else None
        if feed is None or any("/api/errors" in entry for entry in feed.ids):
            return {}
        matches = filter(None, map(_ENTRY.fullmatch, feed.ids))
        versions = {match["id"].lower(): int(match["version"] or 1) for match in matches}
        if not versions.keys() <= set(papers):  # the answer to somebody else's question
            return {}
        # Under load the feed is sometimes empty or too short: then it proves nothing.
        is_complete = feed.total == len(feed.ids) and (bool(versions) or len(papers) == 1)
        found: Found = {}
        for key in keys:
            paper, version = _split(key)
            url = f"https://arxiv.org/abs/{key}"
            if paper not in versions:
                reason = "arXiv has no such paper, checked twice"
                found[key] = self._dead(url, now, reason) if is_complete else None
            elif version <= versions[paper]:
                found[key] = self._alive(url, now, "arXiv has the paper")
        return found


def _split(key: str) -> tuple[str, int]:
    """The id of a paper and its version; 0 if there is none."""
    match = _ID.fullmatch(key)
    return (match["id"], int(match["version"] or 0)) if match else (key, 0)
