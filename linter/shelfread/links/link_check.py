"""The command `links`: read the lists, check their links, run the rules about links, write the fixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import TYPE_CHECKING

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.engine.batch import Batch
from shelfread.engine.check import count_jobs, merge_results, read_base
from shelfread.engine.model import CheckOptions, RunRequest, RunResult
from shelfread.engine.run import finish_run, run
from shelfread.engine.save import save
from shelfread.index.answers import Answers, LinkRecord
from shelfread.links.occurrences import LinkOccurrence, Targets, new_occurrences, occurrences, targets
from shelfread.project.config import IgnoredUrl
from shelfread.project.files import Project
from shelfread.project.inputs import configurations, find_inputs
from shelfread.rulebook.selection import select_links
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.links.cache.record_cache import RecordCache
    from shelfread.links.http.client import Client
    from shelfread.links.model import Found
    from shelfread.links.network_settings import Settings


class LinkOptions(NamedTuple):
    """The options of `links`."""

    paths: Sequence[str]
    config: str | None = None
    config_from: str | None = None
    isolated: bool = False
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    since: str | None = None
    offline: bool = False
    deadline: float | None = None
    """Seconds."""
    soft_404: bool = False
    allow_private: Sequence[str] = ()
    show_info: bool = False
    fix: bool = False
    suggests: bool = False
    """Whether fixes are reported in a form that programs apply."""
    unsafe_fixes: bool = False
    write: bool = False
    """Whether fixes are written to the files."""
    output_format: str | None = None
    jobs: int | None = None


class LinkResult(NamedTuple):
    """The result of a run over links; URLs are without their fragments."""

    run: RunResult
    projects: Sequence[Project]
    records: Mapping[str, LinkRecord] = {}
    """The record of each link."""
    occurrences: Mapping[str, Sequence[LinkOccurrence]] = {}
    """All links by file, in the texts after the run."""
    ignored: Mapping[str, IgnoredUrl] = {}
    """Links that the configuration ignores."""
    expired: Mapping[str, IgnoredUrl] = {}
    """Links that the configuration ignored until some day."""
    wanted: int = 0
    """The number of links to check."""
    reserved: int = 0
    interrupted: bool = False
    notes: Sequence[str] = ()
    """What made the run slower than it could be, for people."""


class Fetching(NamedTuple):
    """What is needed to check links over the network."""

    cache: Callable[[], AbstractContextManager[RecordCache | None]]
    progress: Callable[[Sequence[str]], AbstractContextManager[Callable[[LinkRecord], None]]]
    """Receives all URLs; returns a callback that receives each record."""
    open_client: Callable[[Settings], Client]


def check_links(
    options: LinkOptions, fetching: Fetching, announce: Callable[[Sequence[Project]], None]
) -> LinkResult:
    """Return the result for the links of all projects; `announce` receives the projects before they are read."""
    with configurations(options.config_from) as tree:
        projects, errors = find_inputs(options.paths, options.config, options.isolated, {}, tree)
        announce(projects)
        requests = [_request(options, project) for project in projects]
        if options.offline:
            jobs = [options.jobs or count_jobs(project) for project in projects]
            runs = [_save(options, result) for result in map(run, requests, jobs)]
            return LinkResult(merge_results(runs, errors), projects)
        loaded = [_ProjectLinks.read(request) for request in requests]
        wanted = targets((link for links in loaded for link in links.wanted), options.allow_private)
        found = _fetch(options, fetching, wanted, loaded)
        runs = []
        for links in loaded:
            records = {url: record for url, record in found.records.items() if url not in links.ignored}
            result = finish_run(links.batch, answers=Answers(links=records))
            runs.append(_save(options, result))
        merged = merge_results(runs, errors)
        return LinkResult(
            run=merged,
            projects=projects,
            records=found.records,
            occurrences=_final_occurrences(merged, loaded),
            ignored={url: entry for links in loaded for url, entry in links.ignored.items()},
            expired={url: entry for links in loaded for url, entry in links.expired.items()},
            wanted=len(wanted.urls),
            reserved=wanted.reserved,
            interrupted=found.interrupted,
            notes=found.notes,
        )


def _save(options: LinkOptions, result: RunResult) -> RunResult:
    return save(result) if options.write else result


def _request(options: LinkOptions, project: Project) -> RunRequest:
    config = project.config
    files = project.reported or project.others
    return RunRequest(
        reported=project.reported,
        others=project.others,
        selection=select_links(config, options.select, options.ignore, options.offline),
        taxonomy=load(config.taxonomy),
        slugs=config.slugs,
        options=CheckOptions(
            fix=options.fix,
            unsafe_fixes=options.unsafe_fixes,
            show_info=options.show_info,
            output_format=options.output_format,
        ),
        base=read_base(project, options.since, {}) if files else None,
    )


class _ProjectLinks(NamedTuple):
    """The links of a loaded project: those to check, and those that its configuration ignores."""

    batch: Batch
    occurrences: Mapping[str, Sequence[LinkOccurrence]]
    """All links, by file."""
    wanted: Sequence[LinkOccurrence]
    """The links to check."""
    ignored: Mapping[str, IgnoredUrl]
    expired: Mapping[str, IgnoredUrl]

    @classmethod
    def read(cls, request: RunRequest) -> _ProjectLinks:
        from shelfread.links.occurrences import expired_ignore, matching_ignore

        batch = Batch(request)
        documents = batch.loaded.documents
        found: dict[str, Sequence[LinkOccurrence]]
        new = found = {path: occurrences(document) for path, document in documents.items()}
        if request.base is not None:
            new = new_occurrences(request.base, found, request.taxonomy.vocabulary)
        wanted = [link for links in new.values() for link in links]
        entries, today = request.selection.config.ignored_urls, date.today()
        ignored: dict[str, IgnoredUrl] = {}
        expired: dict[str, IgnoredUrl] = {}
        for url in dict.fromkeys(link.url for link in wanted) if entries else ():
            key = url.partition("#")[0]
            if (entry := matching_ignore(url, entries, today)) is not None:
                ignored[key] = entry
            elif (entry := expired_ignore(url, entries, today)) is not None:
                expired[key] = entry
        return cls(batch, found, [link for link in wanted if link.key not in ignored], ignored, expired)


def _fetch(
    options: LinkOptions, fetching: Fetching, wanted: Targets, loaded: Sequence[_ProjectLinks]
) -> Found:
    from shelfread.links.model import LinkCheckContext
    from shelfread.links.network_settings import Settings, read_endpoints
    from shelfread.links.run import check_links

    endpoints = read_endpoints()
    settings = Settings(
        deadline=options.deadline,
        network_probes=endpoints.hosts,
        allow_private=endpoints.own.union(options.allow_private),
    )
    if contact := _repository(os.environ):
        settings = settings._replace(contact=contact)
    with fetching.cache() as cache, fetching.progress(wanted.urls) as report:
        return check_links(
            wanted,
            LinkCheckContext(
                settings=settings,
                endpoints=endpoints,
                environ=os.environ,
                cache=cache,
                open_client=fetching.open_client,
                dates=lambda urls: _first_listed(urls, loaded),
                report=report,
                soft_404=options.soft_404,
                fix=options.fix or options.suggests,
                archive=options.fix and options.unsafe_fixes,
            ),
        )


def _repository(environ: Mapping[str, str]) -> str:
    """Return the URL of the repository whose workflow runs: there hosts learn who sends the requests."""
    server, name = environ.get("GITHUB_SERVER_URL", ""), environ.get("GITHUB_REPOSITORY", "")
    url = f"{server}/{name}"
    plain = url.isascii() and url.isprintable() and not set(url) & set(' ();<>"\\')
    return url if plain and name and server.startswith("https://") else ""


def _first_listed(urls: Collection[str], loaded: Sequence[_ProjectLinks]) -> dict[str, date]:
    """Return the days on which links were first listed, as far as git knows."""
    from shelfread.links.repair.snapshots import line_dates

    wanted = set(urls)
    found: dict[str, date] = {}
    for project in loaded:
        for path, links in project.occurrences.items():
            source = project.batch.loaded.documents[path].source
            starts = {link.key: link.span.start for link in reversed(links) if link.key in wanted}
            lines = {url: source.position(start)[0] for url, start in starts.items()}
            days = line_dates(path, set(lines.values())) if lines else {}
            for url, line in lines.items():
                if line in days:
                    found[url] = min(found.get(url, days[line]), days[line])
    return found


def _final_occurrences(
    run: RunResult, loaded: Sequence[_ProjectLinks]
) -> dict[str, Sequence[LinkOccurrence]]:
    found = dict(pair for project in loaded for pair in project.occurrences.items())
    documents = dict(pair for project in loaded for pair in project.batch.loaded.documents.items())
    for file in run.files:
        if file.fixed and file.fixed.text == file.source.text and file.fixed.applied:
            found[file.path] = occurrences(documents[file.path])
    return found
