"""Finds one work by what a person names: a DOI, an arXiv id, a repository, a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shelfread.document.identity import fold_title, title_key
from shelfread.imports.services import arxiv, crossref, github
from shelfread.imports.services.look_up import Paper, Services, look_up
from shelfread.imports.services.service import ServiceError
from shelfread.imports.services.web_page import fetch_page
from shelfread.index.answers import Work, is_published
from shelfread.links.exchange import Fetch
from shelfread.links.network_settings import Endpoints


async def find_works(identifiers: Mapping[str, str], url: str, services: Services, token: str) -> list[Work]:
    """Return what is known of the thing with these identifiers at a URL, the best source first; none if nothing is.

    A paper's title is then looked for, unless it is known where it was published. Raises ServiceError if the service that
    knows the identifier does not answer.
    """
    fetch, endpoints = services.fetch, services.endpoints
    if doi := identifiers.get("doi", "").lower():
        works = list((await crossref.fetch_works([doi], fetch, endpoints)).get(doi, ()))
    elif id := identifiers.get("arxiv", "").lower():
        works = await _preprint(id, fetch, endpoints)
    elif repository := identifiers.get("github"):
        found = await github.fetch_repository(repository, fetch, endpoints, token)
        return [found] if found is not None else []
    else:
        page = await fetch_page(url, fetch)
        works = [page] if page is not None else []
        if page is None or not (page.authors or page.doi):
            return works  # no paper
    return [*works, *await _published(works, services)]


async def _preprint(id: str, fetch: Fetch, endpoints: Endpoints) -> list[Work]:
    works = (await arxiv.fetch_works([id], fetch, endpoints)).get(id, ())
    dois = [work.doi for work in works if work.doi]
    try:
        published = await crossref.fetch_works(dois, fetch, endpoints)
    except ServiceError:
        published = {}
    return [*works, *(work for doi in dois for work in published.get(doi, ()))]


async def _published(works: Sequence[Work], services: Services) -> list[Work]:
    """Return the works with the title of these, if they do not tell where the paper was published."""
    if not works or is_published(works):
        return []
    title = works[0].title
    key = title_key(fold_title(title))
    if key is None:
        return []
    found = await look_up([Paper(title, title_key=key)], services, lambda paper, known: False)
    authors = {word for author in works[0].authors for word in fold_title(author).split()}
    return [
        work
        for work in found.get(key, ())
        if fold_title(work.title) == fold_title(title)
        and not authors.isdisjoint(word for author in work.authors for word in fold_title(author).split())
    ]
