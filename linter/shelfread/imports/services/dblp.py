"""Papers of computer science at DBLP: <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>."""

from __future__ import annotations

from urllib.parse import quote

from shelfread.core.support.regex import lazy
from shelfread.imports.services.service import answer_json
from shelfread.imports.services.untrusted import doi_of, list_of, mapping_of, text_of, url_of, year_of
from shelfread.index.answers import Work
from shelfread.links.exchange import Fetch, Request
from shelfread.links.network_settings import Endpoints

NAME = "DBLP"
_HITS = 5
_PREPRINTS = frozenset(("corr", "arxiv"))
_NUMBER = lazy(r" \d{4}$")
"""Behind the names of authors who share theirs."""


async def search(title: str, fetch: Fetch, endpoints: Endpoints) -> tuple[Work, ...]:
    """Return works with the words of a title. Raises ServiceError if DBLP does not answer."""
    query = f"q={quote(title[:300], safe='')}&format=json&h={_HITS}"
    data = await answer_json(NAME, Request(f"{endpoints.dblp}/search/publ/api?{query}"), fetch)
    hits = mapping_of(mapping_of(data.get("result")).get("hits")).get("hit")
    return tuple(work for hit in list_of(hits) if (work := _work(mapping_of(hit).get("info"))))


def _work(info: object) -> Work | None:
    data = mapping_of(info)
    title = text_of(data.get("title")).removesuffix(".")
    if not title:
        return None
    venue = next(iter(map(text_of, list_of(data.get("venue")))), "")
    authors = list_of(mapping_of(data.get("authors")).get("author"))
    names = (text_of(mapping_of(author).get("text") or author) for author in authors)
    is_informal = "informal" in text_of(data.get("type")).lower()
    return Work(
        source=NAME,
        title=title,
        authors=tuple(_NUMBER.sub("", name) for name in names if name),
        venue=venue,
        is_preprint=is_informal or venue.lower() in _PREPRINTS,
        year=year_of(data.get("year")),
        doi=doi_of(data.get("doi")),
        url=url_of(data.get("ee")),
    )
