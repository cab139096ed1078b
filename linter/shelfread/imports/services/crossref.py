"""Papers with a DOI at Crossref: <https://www.crossref.org/documentation/retrieve-metadata/rest-api/>."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote

from shelfread.imports.services.service import answer_json
from shelfread.imports.services.untrusted import doi_of, list_of, mapping_of, text_of, url_of, year_of
from shelfread.index.answers import Work
from shelfread.links.exchange import Fetch, Request
from shelfread.links.network_settings import Endpoints

NAME = "Crossref"
BATCH = 25
"""DOIs in one request: its URL stays below the usual limits."""
_HITS = 5
_BYTES = 8 << 20
_FIELDS = "DOI,title,subtitle,author,container-title,event,issued,type,URL"
_PAPERS = frozenset(("proceedings-article", "journal-article", "book-chapter", "posted-content"))


async def fetch_works(dois: Sequence[str], fetch: Fetch, endpoints: Endpoints) -> dict[str, tuple[Work, ...]]:
    """Return the works of some DOIs, in lower case. Raises ServiceError if Crossref does not answer."""
    # A comma in a DOI would part it.
    wanted = [doi for doi in dois if "," not in doi]
    if not wanted:
        return {}
    query = "filter=" + ",".join(f"doi:{quote(doi, safe='')}" for doi in wanted)
    works = await _fetch(f"{query}&rows={len(wanted)}", fetch, endpoints)
    return {work.doi: (work,) for work in works if work.doi in wanted}


async def search(title: str, fetch: Fetch, endpoints: Endpoints) -> tuple[Work, ...]:
    """Return works with a title like this one, the best first. Raises ServiceError if Crossref does not answer."""
    query = f"query.bibliographic={quote(title[:300], safe='')}&rows={_HITS}"
    return tuple(await _fetch(query, fetch, endpoints))


async def _fetch(query: str, fetch: Fetch, endpoints: Endpoints) -> list[Work]:
    request = Request(f"{endpoints.crossref}/works?{query}&select={_FIELDS}", limit=_BYTES)
    data = await answer_json(NAME, request, fetch)
    items = list_of(mapping_of(data.get("message")).get("items"))
    return list(filter(None, map(_work, items)))


def _work(item: object) -> Work | None:
    data = mapping_of(item)
    titles = list(map(text_of, list_of(data.get("title"))))
    if data.get("type") not in _PAPERS or not titles or not titles[0]:
        return None
    subtitle = next(iter(map(text_of, list_of(data.get("subtitle")))), "")
    title = f"{titles[0]}: {subtitle}" if subtitle and subtitle not in titles[0] else titles[0]
    parts = list_of(mapping_of(data.get("issued")).get("date-parts"))
    return Work(
        source=NAME,
        title=title,
        authors=tuple(filter(None, (_name(mapping_of(author)) for author in list_of(data.get("author"))))),
        venue=next(_venues(data), ""),
        is_preprint=data["type"] == "posted-content",
        year=year_of(next(iter(list_of(next(iter(parts), None))), None)),
        doi=doi_of(data.get("DOI")),
        url=url_of(data.get("URL")),
    )


def _name(author: Mapping[str, Any]) -> str:
    return text_of(f"{text_of(author.get('given'))} {text_of(author.get('family'))}") or text_of(
        author.get("name")
    )


def _venues(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the venue: of a volume in a series the volume's, not that of the series."""
    if event := text_of(mapping_of(data.get("event")).get("name")):
        yield event
    yield from reversed(list(filter(None, map(text_of, list_of(data.get("container-title"))))))
