"""Works at OpenAlex, which wants a key: <https://docs.openalex.org/how-to-use-the-api>."""

from __future__ import annotations

import os
from collections.abc import Mapping
from urllib.parse import quote

from shelfread.imports.services.service import answer_json
from shelfread.imports.services.untrusted import doi_of, list_of, mapping_of, text_of, url_of, year_of
from shelfread.index.answers import Work
from shelfread.links.exchange import Fetch, Request
from shelfread.links.network_settings import Endpoints

NAME = "OpenAlex"
_HITS = 5
_BYTES = 8 << 20
_FIELDS = "doi,title,publication_year,type,primary_location,authorships"
_PREPRINT_HOSTS = frozenset(("repository",))


def read_key(environ: Mapping[str, str] = os.environ) -> str:
    """Return the key for OpenAlex from the environment; empty if there is none."""
    return environ.get("OPENALEX_API_KEY", "").strip()


async def search(title: str, fetch: Fetch, endpoints: Endpoints, key: str) -> tuple[Work, ...]:
    """Return works with the words of a title. Raises ServiceError if OpenAlex does not answer."""
    words = "".join(char if char.isalnum() else " " for char in title[:300])
    query = f"filter=title.search:{quote(' '.join(words.split()), safe='')}&per-page={_HITS}&select={_FIELDS}"
    suffix = f"&api_key={quote(key, safe='')}" if key else ""
    data = await answer_json(
        NAME, Request(f"{endpoints.openalex}/works?{query}{suffix}", limit=_BYTES), fetch
    )
    return tuple(work for item in list_of(data.get("results")) if (work := _work(item)))


def _work(item: object) -> Work | None:
    data = mapping_of(item)
    title = text_of(data.get("title"))
    if not title:
        return None
    place = mapping_of(data.get("primary_location"))
    source = mapping_of(place.get("source"))
    names = (
        mapping_of(mapping_of(each).get("author")).get("display_name")
        for each in list_of(data.get("authorships"))
    )
    return Work(
        source=NAME,
        title=title,
        authors=tuple(filter(None, map(text_of, names))),
        venue=text_of(source.get("display_name")),
        is_preprint=data.get("type") == "preprint" or source.get("type") in _PREPRINT_HOSTS,
        year=year_of(data.get("publication_year")),
        doi=doi_of(data.get("doi")),
        url=url_of(place.get("landing_page_url")),
    )
