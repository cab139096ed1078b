"""Looks papers up: by their identifiers in batches, then by their titles, one by one; and what services are asked with."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from shelfread.imports.paper_services import (
    ARXIV,
    ARXIV_BATCH,
    CROSSREF,
    CROSSREF_BATCH,
    DBLP,
    OPENALEX,
    fetch_preprints,
    fetch_published,
    search_crossref,
    search_dblp,
    search_openalex,
)
from shelfread.imports.service import ServiceError, WorkCache
from shelfread.index.answers import Trouble, Work
from shelfread.links.exchange import Endpoints, Fetch, FetchError, Reply, Request, Settings, read_endpoints

if TYPE_CHECKING:
    from shelfread.links.client import Client

_ARXIV_DOI = "10.48550/"
_Answer = TypeVar("_Answer")
# Seconds between two requests to services that ask for patience.
_PAUSES = {"api.crossref.org": 1.0, "dblp.org": 1.0}
_Search: TypeAlias = "Callable[[str], Awaitable[tuple[Work, ...]]]"


class Paper(NamedTuple):
    """A paper to look up. Its keys are those of `document.identity.keys`."""

    title: str
    doi: str = ""
    arxiv: str = ""
    title_key: str = ""  # empty if the title is too short to be looked for

    @property
    def keys(self) -> tuple[str, ...]:
        doi, arxiv = f"doi:{self.doi}" if self.doi else "", f"arxiv:{self.arxiv}" if self.arxiv else ""
        return tuple(filter(None, (doi, arxiv, self.title_key)))


@dataclass(frozen=True)
class Services:
    """The services to ask, and how."""

    fetch: Fetch
    endpoints: Endpoints
    cache: WorkCache | None = None
    openalex_key: str = ""  # OpenAlex is asked only with a key, or at another endpoint than its own
    # receives how many titles of how many were looked for.
    report: Callable[[int, int], None] = lambda done, total: None
    # why a service is not asked any more, for people, by its name.
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def searches(self) -> Mapping[str, _Search]:
        """The functions that find papers by title, by the names of their services."""
        searches: dict[str, _Search] = {
            CROSSREF: lambda title: search_crossref(title, self.fetch, self.endpoints),
            DBLP: lambda title: search_dblp(title, self.fetch, self.endpoints),
        }
        if self.openalex_key or self.endpoints.openalex != Endpoints().openalex:
            key = self.openalex_key
            searches[OPENALEX] = lambda title: search_openalex(title, self.fetch, self.endpoints, key)
        return searches


async def look_up(
    papers: Sequence[Paper], services: Services, is_enough: Callable[[Sequence[Work]], bool]
) -> dict[str, tuple[Work, ...]]:
    """Return the works of papers by key, by title where those by identifier are not enough; a service that fails is asked no more."""
    works: dict[str, tuple[Work, ...]] = {}
    ids = (paper.arxiv for paper in papers)
    preprints = await _by_id(ARXIV, ARXIV_BATCH, fetch_preprints, ids, services)
    dois = [paper.doi for paper in papers] + [work.doi for known in preprints.values() for work in known]
    dois_of_papers = (doi for doi in dois if not doi.startswith(_ARXIV_DOI))
    published = await _by_id(CROSSREF, CROSSREF_BATCH, fetch_published, dois_of_papers, services)
    works.update((f"doi:{doi}", known) for doi, known in published.items())
    for id, known in preprints.items():
        works[f"arxiv:{id}"] = (*known, *(more for work in known for more in published.get(work.doi, ())))
    lacking = {
        paper.title_key: paper
        for paper in papers
        if paper.title_key and not is_enough([work for key in paper.keys for work in works.get(key, ())])
    }
    return works | await _by_title(lacking, services)


async def _by_id(
    name: str,
    size: int,
    fetch_works: Callable[[Sequence[str], Fetch, Endpoints], Awaitable[dict[str, tuple[Work, ...]]]],
    ids: Iterable[str],
    services: Services,
) -> dict[str, tuple[Work, ...]]:
    """Return what a service knows of some ids, from the cache where it is new enough."""
    wanted = list(dict.fromkeys(filter(None, ids)))
    now = time.time()
    known = services.cache.get(name, wanted, now) if services.cache else {}
    missing = [id for id in wanted if id not in known]
    for start in range(0, len(missing), size):
        batch = missing[start : start + size]
        try:
            works = await fetch_works(batch, services.fetch, services.endpoints)
        except ServiceError as error:
            services.failures[name] = str(error)
            break
        answers = {id: works.get(id, ()) for id in batch}
        known.update(answers)
        if services.cache:
            services.cache.put(name, answers, now)
    return known


async def _by_title(papers: Mapping[str, Paper], services: Services) -> dict[str, tuple[Work, ...]]:
    """Return what the services find by the titles of papers; each service at its own pace."""
    searches = services.searches
    done = 0

    async def ask(name: str, search: _Search) -> dict[str, tuple[Work, ...]]:
        nonlocal done
        now = time.time()
        known = services.cache.get(name, papers, now) if services.cache else {}
        for key, paper in papers.items():
            if key not in known and name not in services.failures:
                try:
                    known[key] = await search(paper.title)
                except ServiceError as error:
                    services.failures[name] = str(error)
                else:
                    if services.cache:
                        services.cache.put(name, {key: known[key]}, now)
            done += 1
            services.report(done // len(searches), len(papers))
        return known

    answers = await asyncio.gather(*(ask(name, search) for name, search in searches.items()))
    return {key: tuple(work for known in answers for work in known.get(key, ())) for key in papers}


# ------------------------------------------------------------------------------------- what services are asked with
class Network(NamedTuple):
    """What is needed to ask services."""

    cache: Callable[[], AbstractContextManager[WorkCache | None]]
    progress: Callable[[int, int], None]  # receives how many titles of how many were looked for
    open_client: Callable[[Settings], Client]


def ask_services(
    network: Network, ask: Callable[[Services], Awaitable[_Answer]], deadline: float | None = None
) -> tuple[_Answer, list[str]]:
    """Return what is found out from services in `deadline` seconds, and why some of them were not asked any more."""
    endpoints = read_endpoints()
    settings = Settings(
        deadline=deadline,
        pauses={**Settings().pauses, **_PAUSES},
        network_probes=endpoints.hosts,
        allow_private=endpoints.own,
    )
    failures: dict[str, str] = {}

    async def run() -> _Answer:
        with network.cache() as cache:
            async with network.open_client(settings) as client:
                key = os.environ.get("OPENALEX_API_KEY", "").strip()
                return await ask(Services(client.fetch, endpoints, cache, key, network.progress, failures))

    return asyncio.run(run()), list(failures.values())


def ask_cache(network: Network, ask: Callable[[Services], Awaitable[_Answer]]) -> _Answer:
    """Return what is found out from earlier answers alone."""

    async def refuse(request: Request) -> Reply:
        raise FetchError(Trouble.NOT_CHECKED)

    async def run() -> _Answer:
        with network.cache() as cache:
            return await ask(Services(refuse, Endpoints(), cache))

    return asyncio.run(run())
