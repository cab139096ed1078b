"""Finds one work by what a person names: a DOI, an arXiv id, a repository, a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html.parser import HTMLParser

from shelfread.document.identity import fold_title, title_key
from shelfread.imports.imported_entry import given_first
from shelfread.imports.look_up import Paper, Services, look_up
from shelfread.imports.paper_services import YEAR, fetch_preprints, fetch_published
from shelfread.imports.service import ServiceError, answer, doi_of, json_of, text_of, url_of, year_of
from shelfread.index.answers import Work, is_published
from shelfread.links.attempts import decode_page
from shelfread.links.exchange import REDIRECTS, Fetch, FetchError, Reply, Request
from shelfread.links.repositories import authorization
from shelfread.links.wire_url import redirected

_GITHUB = "GitHub"
_MOST_REDIRECTS = 10
_MARKUP = ("text/html", "application/xhtml+xml")
_VENUES = ("citation_conference_title", "citation_journal_title", "citation_inbook_title")


async def find_works(
    identifiers: Mapping[str, str], url: str, services: Services, token: str
) -> Sequence[Work]:
    """Return what is known of the thing with these identifiers at a URL, the best source first; none if nothing is.

    A paper's title is then looked for, unless it is known where it was published. Raises ServiceError if the service that
    knows the identifier does not answer.
    """
    fetch, endpoints = services.fetch, services.endpoints
    works: Sequence[Work]
    if doi := identifiers.get("doi", "").lower():
        works = (await fetch_published([doi], fetch, endpoints)).get(doi, ())
    elif id := identifiers.get("arxiv", "").lower():
        works = await _preprint(id, services)
    elif name := identifiers.get("github"):
        return await _repository(name, services, token)
    else:
        works = await _page(url, fetch)
        if not any(work.authors or work.doi for work in works):
            return works  # no paper
    return [*works, *await _published(works, services)]


async def _preprint(id: str, services: Services) -> list[Work]:
    works = (await fetch_preprints([id], services.fetch, services.endpoints)).get(id, ())
    dois = [work.doi for work in works if work.doi]
    try:
        published = await fetch_published(dois, services.fetch, services.endpoints)
    except ServiceError:
        published = {}
    return [*works, *(work for doi in dois for work in published.get(doi, ()))]


async def _published(works: Sequence[Work], services: Services) -> list[Work]:
    """Return the works with the title and an author of these, if they do not tell where the paper was published."""
    if not works or is_published(works):
        return []
    title = fold_title(works[0].title)
    key = title_key(title)
    if key is None:
        return []
    similar = await look_up([Paper(works[0].title, title_key=key)], services, lambda known: False)
    authors = _words_of_authors(works[0])
    return [
        work
        for work in similar.get(key, ())
        if fold_title(work.title) == title and not authors.isdisjoint(_words_of_authors(work))
    ]


def _words_of_authors(work: Work) -> set[str]:
    return {word for author in work.authors for word in fold_title(author).split()}


async def _repository(name: str, services: Services, token: str) -> list[Work]:
    """Return the repository `owner/name`: <https://docs.github.com/en/rest/repos/repos#get-a-repository>."""
    headers = {"Accept": "application/vnd.github+json", **authorization(services.endpoints, token)}
    request = Request(f"{services.endpoints.github_api}/repos/{name}", headers=headers)
    reply = await answer(_GITHUB, request, services.fetch, missing=404)
    if reply.status == 404:
        return []
    data = json_of(_GITHUB, reply)
    title, url = text_of(data.get("name")), url_of(data.get("html_url"))
    if text_of(data.get("full_name")).lower() != name.lower() or not title or not url:
        raise ServiceError(_GITHUB, f"answered with another repository than {name}")
    return [Work(_GITHUB, title, url=url, code=url, description=text_of(data.get("description")))]


# ------------------------------------------------------------------------------------------------------------- a page
async def _page(url: str, fetch: Fetch) -> list[Work]:
    """Return what a page says of itself: the `citation_*` tags of publishers, Open Graph, its title."""
    reply = await _follow(url, fetch)
    content_type = reply.headers.get("content-type", "")
    if not content_type.lower().startswith(_MARKUP):
        return []
    head = _Head()
    head.feed(decode_page(reply.body, content_type))
    cited = head.first("citation_title")
    title = cited or head.first("og:title") or text_of(head.title)
    if not title:
        return []
    work = Work(
        source=_host(url),
        title=title,
        url=url,
        doi=doi_of(head.first("citation_doi")),
        description=head.first("og:description") or head.first("description"),
    )
    if not cited:
        return [work]
    year = YEAR.search(head.first("citation_publication_date") or head.first("citation_date"))
    return [
        work._replace(
            authors=tuple(map(given_first, head.values.get("citation_author", ()))),
            venue=next(filter(None, map(head.first, _VENUES)), ""),
            year=year_of(year[0]) if year else None,
        )
    ]


def _host(url: str) -> str:
    return url.partition("://")[2].partition("/")[0]


async def _follow(url: str, fetch: Fetch) -> Reply:
    """Return the last reply of a chain of redirects; raises ServiceError if there is none."""
    current = url
    for _ in range(_MOST_REDIRECTS):
        try:
            reply = await fetch(Request(current))
            if reply.status == 200:
                return reply
            location = reply.headers.get("location", "")
            if reply.status not in REDIRECTS or not location:
                raise ServiceError(_host(url), f"answered {reply.status}")
            current = redirected(current, location)
        except FetchError as error:
            raise ServiceError(_host(url), f"does not answer: {error}") from None
    raise ServiceError(_host(url), "redirects too often")


class _Head(HTMLParser):
    """The title and the meta tags of a page; the body is not read."""

    def __init__(self) -> None:
        super().__init__()
        self.title = ""
        self.values: dict[str, list[str]] = {}
        self._in_title = self._is_done = False

    def first(self, name: str) -> str:
        """Return the first value of a meta tag; empty if there is none."""
        return next(iter(self.values.get(name, ())), "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in reversed(attrs)}
        self._in_title = tag == "title" and not self.title and not self._is_done
        if tag == "body":
            self._is_done = True
        elif tag == "meta" and not self._is_done and (value := text_of(given.get("content"))):
            name = (given.get("name") or given.get("property") or "").lower()
            self.values.setdefault(name, []).append(value)

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
