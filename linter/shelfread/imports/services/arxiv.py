"""Papers at arXiv, a hundred in one request: <https://info.arxiv.org/help/api/user-manual.html>."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote
from xml.etree.ElementTree import Element

from shelfread.core.support.regex import lazy
from shelfread.imports.services.service import answer
from shelfread.imports.services.untrusted import doi_of, text_of, url_of, year_of
from shelfread.index.answers import Work
from shelfread.links.exchange import Fetch, Request
from shelfread.links.network_settings import Endpoints
from shelfread.links.registries.papers import read_feed

NAME = "arXiv"
BATCH = 100
_BYTES = 8 << 20
_ID = lazy(r"(?i)https?://(?:[a-z]+\.)?arxiv\.org/abs/(?P<id>[a-z0-9./-]{1,40}?)(?:v\d{1,4})?")
_CODE = lazy(r"(?i)https?://(?:www\.)?(?:github|gitlab)\.com/[\w.-]{1,60}/[\w.-]{1,100}")
_ACCEPTED = lazy(
    r"(?i)\b(?:accepted|to appear|published|presented|appear(?:s|ed|ing)|camera[- ]ready)\b[^.;\n]{0,40}?\b(?:at|in|by|to|for)\s+"
    r"(?P<venue>[^.;\n]{2,160})|^(?P<alone>[A-Z][\w&/ -]{1,60}\s?['’]?(?:20)?\d\d)\b"
)


async def fetch_works(ids: Sequence[str], fetch: Fetch, endpoints: Endpoints) -> dict[str, tuple[Work, ...]]:
    """Return the works of some ids: the preprint, and what its authors say of its publication.

    Raises ServiceError if arXiv does not answer.
    """
    query = f"id_list={quote(','.join(ids), safe=',')}&max_results={len(ids)}"
    reply = await answer(NAME, Request(f"{endpoints.arxiv}/api/query?{query}", limit=_BYTES), fetch)
    feed = read_feed(reply.body)
    found: dict[str, tuple[Work, ...]] = {}
    for entry in feed.iterfind("{*}entry") if feed is not None else ():
        match = _ID.fullmatch(_first(entry, "id"))
        # An answer to somebody else's question is none.
        if match is not None and (id := match["id"].lower()) in ids:
            found[id] = tuple(_works(id, entry))
    return found


def _works(id: str, entry: Element) -> Iterator[Work]:
    comment = text_of(_first(entry, "comment"))
    links = _CODE.search(f"{comment} {text_of(_first(entry, 'summary'))}")
    preprint = Work(
        source=NAME,
        title=text_of(_first(entry, "title")),
        authors=tuple(text_of(name.text) for name in entry.iterfind("{*}author/{*}name")),
        is_preprint=True,
        year=year_of(_first(entry, "published")),
        arxiv=id,
        url=f"https://arxiv.org/abs/{id}",
        code=url_of(links[0].rstrip(".").removesuffix(".git")) if links else "",
        description=text_of(_first(entry, "summary")),
    )
    yield preprint
    doi = doi_of(_first(entry, "doi"))
    accepted = _ACCEPTED.search(comment)
    venue = text_of(_first(entry, "journal_ref")) or (
        accepted["venue"] or accepted["alone"] if accepted else ""
    )
    if venue or doi:
        year = _year_in(venue)
        yield preprint._replace(venue=venue, is_preprint=False, year=year, doi=doi, code="")


_YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _year_in(venue: str) -> int | None:
    years = {int(match[0]) for match in _YEAR.finditer(venue)}
    return years.pop() if len(years) == 1 else None


def _first(entry: Element, place: str) -> str:
    return entry.findtext(f"{{*}}{place}", "").strip()
