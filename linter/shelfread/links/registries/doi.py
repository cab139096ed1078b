"""DOIs, looked up at the proxy of the Handle System.

<https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation>: `responseCode` 1 is
success, 100 an unknown handle (HTTP 404).
"""

from __future__ import annotations

from urllib.parse import quote, unquote

from shelfread.core.support.regex import lazy
from shelfread.document.identity import identify
from shelfread.index.network.link_record import LinkRecord
from shelfread.links.registries.base import Registry, get, read_json, site_of
from shelfread.links.request import Fetch, Request
from shelfread.taxonomy.hosts import DOI_PUBLISHERS, DOI_RESOLVERS

_DOI = lazy(r"10\.\d{4,9}(?:\.\d+)*/[^\x00-\x20\x7f]+")
_PAGE = "page:"
"""Before a DOI from the URL of a publisher's page: if it is unknown, it may have been misread."""
_LONGEST = 1000
"""Characters of a URL with a DOI."""


class Doi(Registry):
    """The registry of all DOIs. It never reports that a page of a publisher is dead."""

    host = "doi.org"

    def claims(self, url: str) -> str | None:
        """Return the DOI of a resolver's URL, or of a publisher's page (`page:10...`)."""
        site = site_of(url)
        if site is None or len(url) > _LONGEST:
            return None
        if site.host in DOI_RESOLVERS:
            doi = _unquoted(site.path.lstrip("/"))
            return doi.lower() if _DOI.fullmatch(doi) and not site.query else None
        if site.host in DOI_PUBLISHERS and (doi := identify(url).get("doi", "")) and _DOI.fullmatch(doi):
            return _PAGE + doi.lower()
        return None

    async def _look_up_one(self, key: str, fetch: Fetch, now: float) -> LinkRecord | None:
        doi = key.removeprefix(_PAGE)
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


def _unquoted(path: str) -> str:
    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError:
        return ""
