"""What `links` does: read the lists, fetch what their links lead to, report and fix in that light."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from shelfread.core.errors import UserError
from shelfread.core.link_record import LinkRecord
from shelfread.engine.check import count_jobs, merge_results, read_base
from shelfread.engine.model import RunRequest, RunResult
from shelfread.engine.run import finish_run, run
from shelfread.engine.save import save
from shelfread.engine.stages import Stages
from shelfread.linkcheck.extract import LinkOccurrence, Targets, new_occurrences, occurrences, targets
from shelfread.project.config import IgnoredUrl
from shelfread.project.files import Project
from shelfread.project.inputs import configurations, find_inputs
from shelfread.rulebook.selection import select_links
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.linkcheck.cache.store import Cache
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.model import Found
    from shelfread.linkcheck.settings import Settings


class LinkOptions(NamedTuple):
    """Which links are checked, and how."""

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
    unsafe_fixes: bool = False
    write: bool = False
    """Fixes are written to the files."""
    fingerprints: bool = False
    jobs: int | None = None


class LinkResult(NamedTuple):
    """What came of a run over links; URLs are without their fragments."""

    run: RunResult
    projects: Sequence[Project]
    records: Mapping[str, LinkRecord] = {}
    """What is known of each link."""
    occurrences: Mapping[str, Sequence[LinkOccurrence]] = {}
    """Where links stand, by file, in the texts as the run leaves them."""
    ignored: Mapping[str, IgnoredUrl] = {}
    """Links that the configuration ignores."""
    expired: Mapping[str, IgnoredUrl] = {}
    """Links that the configuration ignored until some day."""
    wanted: int = 0
    """How many links were to be checked."""
    reserved: int = 0
    interrupted: bool = False


class Fetching(NamedTuple):
    """What the network is asked with."""

    cache: Callable[[], AbstractContextManager[Cache | None]]
    progress: Callable[[Sequence[str]], AbstractContextManager[Callable[[LinkRecord], None]]]
    """Is given all URLs, and gives what hears of each record."""
    open_client: Callable[[Settings], Client]


def check_links(
    options: LinkOptions, fetching: Fetching, announce: Callable[[Sequence[Project]], None]
) -> LinkResult:
    """Return what came of the links of all projects; `announce` hears of the projects before they are read."""
    with configurations(options.config_from) as tree:
        projects, errors = find_inputs(options.paths, options.config, options.isolated, {}, tree)
        announce(projects)
        requests = [_request(options, project) for project in projects]
        if options.offline:
            return _check_offline(options, projects, requests, errors)
        lists = [_ListedProject.read(request) for request in requests]
        wanted = targets((link for each in lists for link in each.wanted), options.allow_private)
        found = _fetch(options, fetching, wanted, lists)
        runs = []
        for each in lists:
            records = {url: record for url, record in found.records.items() if url not in each.ignored}
            result = finish_run(each.stages, each.stages.loaded, link_records=records)
            runs.append(save(each.stages.request, result) if options.write else result)
        whole = merge_results(runs, errors)
        return LinkResult(
            run=whole,
            projects=projects,
            records=found.records,
            occurrences=_occurrences_now(whole, lists),
            ignored={url: entry for each in lists for url, entry in each.ignored.items()},
            expired={url: entry for each in lists for url, entry in each.expired.items()},
            wanted=len(wanted.urls),
            reserved=wanted.reserved,
            interrupted=found.interrupted,
        )


def _check_offline(
    options: LinkOptions,
    projects: Sequence[Project],
    requests: Sequence[RunRequest],
    errors: Sequence[UserError],
) -> LinkResult:
    runs = []
    for project, request in zip(projects, requests, strict=True):
        result = run(request, options.jobs or count_jobs(project))
        runs.append(save(request, result) if options.write else result)
    return LinkResult(merge_results(runs, errors), projects)


def _request(options: LinkOptions, project: Project) -> RunRequest:
    config = project.config
    files = project.reported or project.others
    return RunRequest(
        reported=project.reported,
        others=project.others,
        selection=select_links(config, options.select, options.ignore, options.offline),
        taxonomy=load(config.taxonomy),
        slugs=config.slugs,
        fix=options.fix,
        unsafe_fixes=options.unsafe_fixes,
        show_info=options.show_info,
        base=read_base(project, options.since, {}) if files else None,
        fingerprints=options.fingerprints,
    )


class _ListedProject(NamedTuple):
    """A project that was read, and its links sorted by what its configuration says of them."""

    stages: Stages
    occurrences: Mapping[str, Sequence[LinkOccurrence]]
    """All links, by file."""
    wanted: Sequence[LinkOccurrence]
    """The links that are to be checked."""
    ignored: Mapping[str, IgnoredUrl]
    expired: Mapping[str, IgnoredUrl]

    @classmethod
    def read(cls, request: RunRequest) -> _ListedProject:
        from shelfread.linkcheck.ignores import expired_ignore, matching_ignore

        stages = Stages(request)
        documents = stages.load().documents
        known: dict[str, Sequence[LinkOccurrence]] = {
            path: occurrences(document) for path, document in documents.items()
        }
        new = (
            known
            if request.base is None
            else new_occurrences(request.base, known, request.taxonomy.vocabulary)
        )
        wanted = [link for links in new.values() for link in links]
        entries, today = request.selection.config.ignored_urls, date.today()
        ignored: dict[str, IgnoredUrl] = {}
        over: dict[str, IgnoredUrl] = {}
        for url in dict.fromkeys(link.url for link in wanted) if entries else ():
            key = url.partition("#")[0]
            if (entry := matching_ignore(url, entries, today)) is not None:
                ignored[key] = entry
            elif (entry := expired_ignore(url, entries, today)) is not None:
                over[key] = entry
        return cls(stages, known, [link for link in wanted if link.key not in ignored], ignored, over)


def _fetch(
    options: LinkOptions, fetching: Fetching, wanted: Targets, lists: Sequence[_ListedProject]
) -> Found:
    from shelfread.linkcheck.model import LinkCheckContext
    from shelfread.linkcheck.registries.endpoints import Endpoints, read_endpoints
    from shelfread.linkcheck.run import check_links
    from shelfread.linkcheck.settings import Settings

    endpoints = read_endpoints()
    # Whoever sets the environment means these servers to be asked, wherever they are.
    own = {url.partition("//")[2] for url in endpoints if url not in Endpoints()}
    settings = Settings(
        deadline=options.deadline,
        network_probes=tuple(urlsplit(url).hostname or "" for url in endpoints),
        allow_private=frozenset((*options.allow_private, *own)),
    )
    with fetching.cache() as cache, fetching.progress(wanted.urls) as report:
        return check_links(
            wanted,
            LinkCheckContext(
                settings=settings,
                endpoints=endpoints,
                environ=os.environ,
                cache=cache,
                open_client=fetching.open_client,
                dates=lambda urls: _dates_of(urls, lists),
                report=report,
                soft_404=options.soft_404,
                fix=options.fix,
                archive=options.fix and options.unsafe_fixes,
            ),
        )


def _dates_of(urls: Collection[str], lists: Sequence[_ListedProject]) -> dict[str, date]:
    """Return the days on which links were listed first, as far as git knows."""
    from shelfread.linkcheck.repair.git_blame import line_dates

    wanted = set(urls)
    found: dict[str, date] = {}
    for each in lists:
        for path, links in each.occurrences.items():
            source = each.stages.loaded.documents[path].source
            lines = {
                link.key: source.position(link.span.start)[0]
                for link in reversed(links)
                if link.key in wanted
            }
            days = line_dates(path, set(lines.values())) if lines else {}
            for url, line in lines.items():
                if line in days:
                    found[url] = min(found.get(url, days[line]), days[line])
    return found


def _occurrences_now(
    whole: RunResult, lists: Sequence[_ListedProject]
) -> dict[str, Sequence[LinkOccurrence]]:
    """Return where links stand in the texts as the run leaves them."""
    found = {path: links for each in lists for path, links in each.occurrences.items()}
    documents = {path: document for each in lists for path, document in each.stages.loaded.documents.items()}
    for outcome in whole.files:
        if outcome.fixed and outcome.fixed.text == outcome.source.text and outcome.fixed.applied:
            found[outcome.path] = occurrences(documents[outcome.path])
    return found
