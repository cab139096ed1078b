"""DOIs, as the proxy of the Handle System knows them.

<https://www.doi.org/the-identifier/resources/factsheets/doi-resolution-documentation>: `responseCode` 1 is
success, 100 an unknown handle (HTTP 404).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.core.hosts import DOI_PUBLISHERS, DOI_RESOLVERS
from shelfread.core.link_record import Record
from shelfread.core.support.regex import lazy
from shelfread.document.identity.identifiers import identify
from shelfread.linkcheck.registries.base import (
    AGAIN,
    alive,
    ask_each,
    ask_twice,
    dead,
    get,
    read_json,
    site_of,
)
from shelfread.linkcheck.registries.endpoints import Endpoints
from shelfread.linkcheck.request import Fetch, Request

_DOI = lazy(r"10\.\d{4,9}(?:\.\d+)*/[^\x00-\x20\x7f]+")
_PAGE = "page:"
"""Before a DOI that was read out of a publisher's address: what is not known there may be misread."""
_MOST = 1000
"""Letters of a DOI that is asked for."""


class Doi(NamedTuple):
    """The registry of all DOIs, whoever registered them."""

    endpoints: Endpoints = Endpoints()
    again: float = AGAIN
    host: str = "doi.org"

    def claims(self, url: str) -> str | None:
        """The DOI of a resolver's address, or of a publisher's page (`page:10...`)."""
        site = site_of(url)
        if site is None or len(url) > _MOST:
            return None
        if site.host in DOI_RESOLVERS:
            doi = unquote(site.path.lstrip("/"), errors="strict") if _is_utf8(site.path) else ""
            return doi.lower() if _DOI.fullmatch(doi) and not site.query else None
        if site.host in DOI_PUBLISHERS and (doi := identify(url).get("doi", "")) and _DOI.fullmatch(doi):
            return _PAGE + doi.lower()
        return None

    async def ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        """Alive what the registry knows. Of publishers' pages it never says that they are dead."""

        async def ask(key: str) -> Record | None:
            return await self._ask(key, fetch, now)

        return await ask_twice(keys, lambda some: ask_each(some, ask), self.again)

    async def _ask(self, key: str, fetch: Fetch, now: float) -> Record | None:
        doi = key.removeprefix(_PAGE)
        path = quote(doi, safe="/")
        reply = await get(fetch, Request(f"{self.endpoints.doi}/api/handles/{path}"))
        if reply is None:
            return None
        said = read_json(reply.body)
        code, handle = said.get("responseCode"), said.get("handle")
        if type(code) is not int or (isinstance(handle, str) and handle.lower() != doi):
            return None
        url = f"https://doi.org/{path}"
        if code == 1 and reply.status == 200:
            return alive(url, self.host, now, "doi.org knows the DOI")
        # A full stop or bracket at the end may be the sentence's.
        if code == 100 and reply.status == 404 and key == doi and doi[-1] not in ".,;:)]'/":
            return dead(url, self.host, now, "doi.org does not know this DOI, asked twice")
        return None


def _is_utf8(path: str) -> bool:
    try:
        unquote(path, errors="strict")
    except UnicodeDecodeError:
        return False
    return True
