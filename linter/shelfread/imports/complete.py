"""The command `complete`: read the lists, look their papers up, run the rules about what they lack."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from shelfread.checks.complete.sources import is_same
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.identity import fold_title, title_key
from shelfread.document.model import Document, Entry
from shelfread.engine.batch import Batch
from shelfread.engine.check import merge_results
from shelfread.engine.model import CheckOptions, RunRequest, RunResult
from shelfread.engine.run import finish_run
from shelfread.engine.save import save
from shelfread.imports.services.look_up import Paper, Services, look_up
from shelfread.imports.services.openalex import read_key
from shelfread.index.answers import Answers, Trouble, Work, is_published
from shelfread.links.exchange import FetchError, Reply, Request
from shelfread.links.network_settings import Endpoints, Settings, read_endpoints
from shelfread.project.files import Project
from shelfread.project.inputs import find_inputs
from shelfread.rulebook.selection import select_complete
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.imports.services.cache import WorkCache
    from shelfread.links.http.client import Client

_PAUSES = {"api.crossref.org": 1.0, "dblp.org": 1.0}
"""Seconds between two requests to services that ask for patience."""


class CompleteOptions(NamedTuple):
    """The options of `complete`."""

    paths: Sequence[str]
    config: str | None = None
    isolated: bool = False
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    offline: bool = False
    """Whether only the cache is asked."""
    deadline: float | None = None
    """Seconds."""
    fix: bool = False
    write: bool = False
    """Whether fixes are written to the files."""
    output_format: str | None = None


class CompleteResult(NamedTuple):
    """The result of a run, and what people should know of it."""

    run: RunResult
    projects: Sequence[Project]
    papers: int
    """How many were looked up."""
    unknown: int
    """Of how many nothing was found."""
    notes: Sequence[str] = ()
    interrupted: bool = False


class Network(NamedTuple):
    """What is needed to ask services."""

    cache: Callable[[], AbstractContextManager[WorkCache | None]]
    progress: Callable[[int, int], None]
    """Receives how many titles of how many were looked for."""
    open_client: Callable[[Settings], Client]


def complete(options: CompleteOptions, network: Network) -> CompleteResult:
    """Return what the lists lack, according to services, and the fixes if they are wanted."""
    projects, errors = find_inputs(options.paths, options.config, options.isolated, {})
    batches = [Batch(_request(options, project)) for project in projects]
    papers = {
        paper.keys: (paper, entry)
        for batch in batches
        for document in batch.loaded.documents.values()
        for paper, entry in _papers(document)
    }
    works, notes, interrupted = _look_up(options, network, [paper for paper, _ in papers.values()])
    unknown = sum(not _is_known(entry, keys, works) for keys, (_, entry) in papers.items())
    runs = []
    for batch in batches:
        result = finish_run(batch, answers=Answers(works=works))
        runs.append(save(result) if options.write else result)
    return CompleteResult(merge_results(runs, errors), projects, len(papers), unknown, notes, interrupted)


def _request(options: CompleteOptions, project: Project) -> RunRequest:
    config = project.config
    return RunRequest(
        reported=project.reported,
        others=project.others,
        selection=select_complete(config, options.select, options.ignore),
        taxonomy=load(config.taxonomy),
        slugs=config.slugs,
        options=CheckOptions(fix=options.fix, unsafe_fixes=options.fix, output_format=options.output_format),
    )


def _papers(document: Document) -> Iterator[tuple[Paper, Entry]]:
    """Yield the papers of a list that may lack something."""
    for entry in document.entries:
        if entry.kind == "paper":
            paper = paper_of(entry)
            if paper.keys:
                yield paper, entry


def _is_known(entry: Entry, keys: Iterable[str], works: Mapping[str, Sequence[Work]]) -> bool:
    """Return whether one of the works that were found is an entry's paper."""
    return any(
        is_same(entry, work, by_title=key.startswith("title:")) for key in keys for work in works.get(key, ())
    )


def paper_of(entry: Entry) -> Paper:
    """Return what an entry can be looked up by. A published paper is not looked for by its title."""
    known = entry.identifiers
    cited = entry.citation
    is_published = cited is not None and cited.venue is not None and cited.venue.kind != "preprint"
    key = title_key(fold_title(entry.title.value))
    return Paper(
        title=entry.title.value,
        doi=known.get("doi", "").lower(),
        arxiv=known.get("arxiv", "").lower(),
        title_key=key if key and not (is_published and entry.year is not None) else "",
    )


def _look_up(
    options: CompleteOptions, network: Network, papers: Sequence[Paper]
) -> tuple[Mapping[str, Sequence[Work]], list[str], bool]:
    """Return the works by key, notes for people, and whether Ctrl-C ended it."""
    with network.cache() as cache:
        if options.offline:
            return asyncio.run(_ask_nobody(papers, cache)), [], False
        return _ask(options, network, papers, cache)


async def _ask_nobody(papers: Sequence[Paper], cache: WorkCache | None) -> Mapping[str, Sequence[Work]]:
    async def refuse(request: Request) -> Reply:
        raise FetchError(Trouble.NOT_CHECKED)

    return await look_up(papers, Services(refuse, Endpoints(), cache), _is_published)


def _ask(
    options: CompleteOptions, network: Network, papers: Sequence[Paper], cache: WorkCache | None
) -> tuple[Mapping[str, Sequence[Work]], list[str], bool]:
    endpoints = read_endpoints()
    settings = service_settings(endpoints, options.deadline)
    failures: dict[str, str] = {}

    async def run() -> Mapping[str, Sequence[Work]]:
        async with network.open_client(settings) as client:
            services = Services(
                client.fetch,
                endpoints,
                cache,
                read_key(),
                network.progress,
                failures,
            )
            return await look_up(papers, services, _is_published)

    try:
        works = asyncio.run(run())
    except KeyboardInterrupt:
        return {}, [], True
    return (
        works,
        [f"{failure}: papers that only it knows are missing" for failure in failures.values()],
        False,
    )


def service_settings(endpoints: Endpoints, deadline: float | None) -> Settings:
    """Return the settings of requests to services; those that the environment names may be at private addresses."""
    return Settings(
        deadline=deadline,
        pauses={**Settings().pauses, **_PAUSES},
        network_probes=endpoints.hosts,
        allow_private=endpoints.own,
    )


def _is_published(paper: Paper, works: Iterable[Work]) -> bool:
    """Return whether it is known already where a paper was published."""
    return is_published(works)
