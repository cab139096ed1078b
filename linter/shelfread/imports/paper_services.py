"""Papers at arXiv, Crossref, DBLP and OpenAlex; each function raises ServiceError if its service does not answer.

arXiv: <https://info.arxiv.org/help/api/user-manual.html>, Crossref:
<https://www.crossref.org/documentation/retrieve-metadata/rest-api/>, DBLP:
<https://dblp.org/faq/How+to+use+the+dblp+search+API.html>, OpenAlex: <https://docs.openalex.org/how-to-use-the-api>.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import quote
from xml.etree.ElementTree import Element

from shelfread.core.patterns import lazy
from shelfread.imports.service import (
    answer,
    doi_of,
    json_of,
    list_of,
    mapping_of,
    text_of,
    texts_of,
    url_of,
    year_of,
)
from shelfread.index.answers import Work
from shelfread.links.exchange import Endpoints, Fetch, Request
from shelfread.links.registry import read_feed

ARXIV, CROSSREF, DBLP, OPENALEX = "arXiv", "Crossref", "DBLP", "OpenAlex"
ARXIV_BATCH = 100
CROSSREF_BATCH = 25  # DOIs in one request: its URL stays below the usual limits
_HITS = 5
_BYTES = 8 << 20

_ARXIV_ID = lazy(r"(?i)https?://(?:[a-z]+\.)?arxiv\.org/abs/(?P<id>[a-z0-9./-]{1,40}?)(?:v\d{1,4})?")
_CODE = lazy(r"(?i)https?://(?:www\.)?(?:github|gitlab)\.com/[\w.-]{1,60}/[\w.-]{1,100}")
_ACCEPTED = lazy(
    r"(?i)\b(?:accepted|to appear|published|presented|appear(?:s|ed|ing)|camera[- ]ready)\b[^.;\n]{0,40}?\b(?:at|in|by|to|for)\s+"
    r"(?P<venue>[^.;\n]{2,160})|^(?P<alone>[A-Z][\w&/ -]{1,60}\s?['’]?(?:20)?\d\d)\b"
)
YEAR = lazy(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CROSSREF_FIELDS = "DOI,title,subtitle,author,container-title,event,issued,type,URL"
_CROSSREF_PAPERS = frozenset(("proceedings-article", "journal-article", "book-chapter", "posted-content"))
_DBLP_PREPRINTS = frozenset(("corr", "arxiv"))
_DBLP_NUMBER = lazy(r" \d{4}$")  # behind the names of authors who share theirs
_OPENALEX_FIELDS = "doi,title,publication_year,type,primary_location,authorships"


async def fetch_preprints(
    ids: Sequence[str], fetch: Fetch, endpoints: Endpoints
) -> dict[str, tuple[Work, ...]]:
    """Return the works of some arXiv ids: the preprint, and what its authors say of its publication."""
    query = f"id_list={quote(','.join(ids), safe=',')}&max_results={len(ids)}"
    reply = await answer(ARXIV, Request(f"{endpoints.arxiv}/api/query?{query}", limit=_BYTES), fetch)
    feed = read_feed(reply.body)
    works: dict[str, tuple[Work, ...]] = {}
    for entry in feed.iterfind("{*}entry") if feed is not None else ():
        match = _ARXIV_ID.fullmatch(_first(entry, "id"))
        # An answer to somebody else's question is none.
        if match is not None and (id := match["id"].lower()) in ids:
            works[id] = tuple(_preprint(id, entry))
    return works


def _preprint(id: str, entry: Element) -> Iterator[Work]:
    comment, summary = text_of(_first(entry, "comment")), text_of(_first(entry, "summary"))
    code = _CODE.search(f"{comment} {summary}")
    preprint = Work(
        source=ARXIV,
        title=text_of(_first(entry, "title")),
        authors=tuple(text_of(name.text) for name in entry.iterfind("{*}author/{*}name")),
        is_preprint=True,
        year=year_of(_first(entry, "published")),
        arxiv=id,
        url=f"https://arxiv.org/abs/{id}",
        code=url_of(code[0].rstrip(".").removesuffix(".git")) if code else "",
        description=summary,
    )
    yield preprint
    doi = doi_of(_first(entry, "doi"))
    accepted = _ACCEPTED.search(comment)
    venue = text_of(_first(entry, "journal_ref")) or (
        accepted["venue"] or accepted["alone"] if accepted else ""
    )
    if venue or doi:
        years = set(YEAR.findall(venue))
        year = int(years.pop()) if len(years) == 1 else None
        yield preprint._replace(venue=venue, is_preprint=False, year=year, doi=doi, code="")


def _first(entry: Element, name: str) -> str:
    return entry.findtext(f"{{*}}{name}", "").strip()


async def fetch_published(
    dois: Sequence[str], fetch: Fetch, endpoints: Endpoints
) -> dict[str, tuple[Work, ...]]:
    """Return the works of some DOIs, in lower case, at Crossref."""
    # A comma in a DOI would part it.
    wanted = [doi for doi in dois if "," not in doi]
    if not wanted:
        return {}
    query = "filter=" + ",".join(f"doi:{quote(doi, safe='')}" for doi in wanted)
    works = await _crossref(f"{query}&rows={len(wanted)}", fetch, endpoints)
    return {work.doi: (work,) for work in works if work.doi in wanted}


async def search_crossref(title: str, fetch: Fetch, endpoints: Endpoints) -> tuple[Work, ...]:
    """Return works with a title like this one, the best first."""
    return await _crossref(
        f"query.bibliographic={quote(title[:300], safe='')}&rows={_HITS}", fetch, endpoints
    )


async def _crossref(query: str, fetch: Fetch, endpoints: Endpoints) -> tuple[Work, ...]:
    request = Request(f"{endpoints.crossref}/works?{query}&select={_CROSSREF_FIELDS}", limit=_BYTES)
    data = json_of(CROSSREF, await answer(CROSSREF, request, fetch))
    items = list_of(mapping_of(data.get("message")).get("items"))
    return tuple(filter(None, map(_crossref_work, map(mapping_of, items))))


def _crossref_work(data: Mapping[str, Any]) -> Work | None:
    title = next(map(text_of, list_of(data.get("title"))), "")
    if data.get("type") not in _CROSSREF_PAPERS or not title:
        return None
    subtitle = next(map(text_of, list_of(data.get("subtitle"))), "")
    names = (
        text_of(f"{text_of(author.get('given'))} {text_of(author.get('family'))}")
        or text_of(author.get("name"))
        for author in map(mapping_of, list_of(data.get("author")))
    )
    # Of a volume in a series the volume's name, not that of the series.
    venues = [*texts_of(data.get("container-title")), text_of(mapping_of(data.get("event")).get("name"))]
    date = next(iter(list_of(mapping_of(data.get("issued")).get("date-parts"))), None)
    return Work(
        source=CROSSREF,
        title=f"{title}: {subtitle}" if subtitle and subtitle not in title else title,
        authors=tuple(filter(None, names)),
        venue=next(filter(None, reversed(venues)), ""),
        is_preprint=data["type"] == "posted-content",
        year=year_of(next(iter(list_of(date)), None)),
        doi=doi_of(data.get("DOI")),
        url=url_of(data.get("URL")),
    )


async def search_dblp(title: str, fetch: Fetch, endpoints: Endpoints) -> tuple[Work, ...]:
    """Return works with the words of a title."""
    query = f"q={quote(title[:300], safe='')}&format=json&h={_HITS}"
    reply = await answer(DBLP, Request(f"{endpoints.dblp}/search/publ/api?{query}"), fetch)
    hits = mapping_of(mapping_of(json_of(DBLP, reply).get("result")).get("hits")).get("hit")
    works = (_dblp_work(mapping_of(mapping_of(hit).get("info"))) for hit in list_of(hits))
    return tuple(filter(None, works))


def _dblp_work(data: Mapping[str, Any]) -> Work | None:
    title = text_of(data.get("title")).removesuffix(".")
    if not title:
        return None
    venue = next(map(text_of, list_of(data.get("venue"))), "")
    authors = list_of(mapping_of(data.get("authors")).get("author"))
    names = texts_of([mapping_of(author).get("text") or author for author in authors])
    is_informal = "informal" in text_of(data.get("type")).lower()
    return Work(
        source=DBLP,
        title=title,
        authors=tuple(_DBLP_NUMBER.sub("", name) for name in names),
        venue=venue,
        is_preprint=is_informal or venue.lower() in _DBLP_PREPRINTS,
        year=year_of(data.get("year")),
        doi=doi_of(data.get("doi")),
        url=url_of(data.get("ee")),
    )


async def search_openalex(title: str, fetch: Fetch, endpoints: Endpoints, key: str) -> tuple[Work, ...]:
    """Return works with the words of a title."""
    words = "".join(char if char.isalnum() else " " for char in title[:300])
    query = f"filter=title.search:{quote(' '.join(words.split()), safe='')}&per-page={_HITS}&select={_OPENALEX_FIELDS}"
    suffix = f"&api_key={quote(key, safe='')}" if key else ""
    request = Request(f"{endpoints.openalex}/works?{query}{suffix}", limit=_BYTES)
    results = list_of(json_of(OPENALEX, await answer(OPENALEX, request, fetch)).get("results"))
    return tuple(filter(None, map(_openalex_work, map(mapping_of, results))))


def _openalex_work(data: Mapping[str, Any]) -> Work | None:
    title = text_of(data.get("title"))
    if not title:
        return None
    place = mapping_of(data.get("primary_location"))
    source = mapping_of(place.get("source"))
    authors = (mapping_of(item).get("author") for item in list_of(data.get("authorships")))
    return Work(
        source=OPENALEX,
        title=title,
        authors=tuple(texts_of([mapping_of(author).get("display_name") for author in authors])),
        venue=text_of(source.get("display_name")),
        is_preprint=data.get("type") == "preprint" or source.get("type") == "repository",
        year=year_of(data.get("publication_year")),
        doi=doi_of(data.get("doi")),
        url=url_of(place.get("landing_page_url")),
    )
