"""The command `links`: collect the URLs of the lists, find a record of each, run the rules about links, write the fixes."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date
from time import time
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.wording import counted
from shelfread.engine.batch import Batch
from shelfread.engine.check import Waiting, configurations, count_jobs, merge_results, read_base
from shelfread.engine.load_save import save
from shelfread.engine.model import CheckOptions, RunRequest, RunResult, request_of
from shelfread.engine.run import finish_run, run
from shelfread.index.answers import Answers, LinkRecord, Trouble
from shelfread.links.occurrences import (
    LinkOccurrence,
    LinkTargets,
    expired_ignore,
    link_targets,
    matching_ignore,
    new_occurrences,
    occurrences,
)
from shelfread.links.verdicts import NO_NETWORK
from shelfread.project.config import IgnoredUrl
from shelfread.project.files import Project, find_inputs
from shelfread.rulebook.selection import select_of_command

if TYPE_CHECKING:
    from shelfread.links.client import Client
    from shelfread.links.exchange import Settings
    from shelfread.links.record_cache import RecordCache


class LinkOptions(NamedTuple):
    """The options of `links`, as on the command line: those of `check`, and what there is about the network."""

    check: CheckOptions
    offline: bool
    deadline: float | None  # seconds
    allow_private: Sequence[str]
    suggests: bool  # whether fixes are reported in a form that programs apply


class LinkReport(NamedTuple):
    """What a run over links found; URLs are without their fragments."""

    run: RunResult
    projects: Sequence[Project]
    started_at: float  # seconds since the epoch
    online: bool  # whether web links were checked, if only in the cache
    archives_searched: bool  # whether snapshots of dead pages were searched for
    # by URL, in the order of the lists; of an interrupted run those that it came to.
    records: Mapping[str, LinkRecord] = {}
    occurrences: Mapping[str, Sequence[LinkOccurrence]] = {}  # all links by file, in the texts after the run
    ignored: Mapping[str, IgnoredUrl] = {}  # URLs that the configuration ignores
    expired: Mapping[str, IgnoredUrl] = {}  # URLs that the configuration ignored until a day that has passed
    reserved: int = 0  # the number of URLs on hosts that nobody can register, such as example.org
    interrupted: bool = False
    # why the run ended before all URLs were checked: interrupted, no network, deadline reached.
    stop_reason: str = ""
    notes: Sequence[str] = ()  # what made the run slower than it could be, for people

    @property
    def has_no_network(self) -> bool:
        """Whether the run ended because this machine has no network."""
        return self.stop_reason == _NO_NETWORK


_NO_NETWORK = "No network: links that do not answer cannot be checked"


class LinkNetwork(NamedTuple):
    """What is needed to check links over the network."""

    cache: Callable[[], AbstractContextManager[RecordCache | None]]
    # receives all URLs; returns a callback that receives each record.
    progress: Callable[[Sequence[str]], AbstractContextManager[Callable[[LinkRecord], None]]]
    open_client: Callable[[Settings], Client]
    reading: Waiting  # shows how many of the files are read


def check_links(
    options: LinkOptions, network: LinkNetwork, announce: Callable[[Sequence[Project]], None]
) -> LinkReport:
    """Return the report on the links of all projects; `announce` receives the projects before they are read."""
    started_at = time()
    check = options.check
    with configurations(check.config_from) as tree:
        projects, errors = find_inputs(check.paths, check.config, check.isolated, {}, tree)
        announce(projects)
        requests = [_request(options, project) for project in projects]
        if options.offline:
            jobs = [check.jobs or count_jobs(project) for project in projects]
            merged = merge_results([_saved(check, result) for result in map(run, requests, jobs)], errors)
            return LinkReport(merged, projects, started_at, online=False, archives_searched=False)
        files = sum(len(request.reported) + len(request.others) for request in requests)
        with network.reading(files) as count:
            collected = [_ProjectLinks.read(request, count) for request in requests]
        wanted = link_targets((link for links in collected for link in links.wanted), options.allow_private)
        records, interrupted, notes = _find_records(options, network, wanted, collected)
        runs = []
        for links in collected:
            answers = Answers(
                links={url: record for url, record in records.items() if url not in links.ignored}
            )
            runs.append(_saved(check, finish_run(links.batch, answers=answers)))
        merged = merge_results(runs, errors)
        return LinkReport(
            run=merged,
            projects=projects,
            started_at=started_at,
            online=True,
            archives_searched=check.unsafe_fixes,
            records=records,
            occurrences=_final_occurrences(merged, collected),
            ignored={url: entry for links in collected for url, entry in links.ignored.items()},
            expired={url: entry for links in collected for url, entry in links.expired.items()},
            reserved=wanted.reserved,
            interrupted=interrupted,
            stop_reason=_stop_reason(options, records, len(wanted.urls), interrupted),
            notes=notes,
        )


def _saved(options: CheckOptions, result: RunResult) -> RunResult:
    return save(result) if options.writes else result


def _request(options: LinkOptions, project: Project) -> RunRequest:
    check, config = options.check, project.config
    selection = select_of_command("links", config, check.select, check.ignore, options.offline)
    has_files = project.reported or project.others
    return request_of(project, selection, check, read_base(project, check.since, {}) if has_files else None)


class _ProjectLinks(NamedTuple):
    """The links of a loaded project: those to check, and those that its configuration ignores."""

    batch: Batch
    occurrences: Mapping[str, Sequence[LinkOccurrence]]  # all links, by file
    wanted: Sequence[LinkOccurrence]  # the links to check
    ignored: Mapping[str, IgnoredUrl]
    expired: Mapping[str, IgnoredUrl]

    @classmethod
    def read(cls, request: RunRequest, count: Callable[[int], None]) -> _ProjectLinks:
        batch = Batch(request, count=count)
        documents = batch.loaded.documents
        links: dict[str, Sequence[LinkOccurrence]]
        new = links = {path: occurrences(document) for path, document in documents.items()}
        if request.base is not None:
            new = new_occurrences(request.base, links, request.taxonomy.vocabulary)
        wanted = [link for of_file in new.values() for link in of_file]
        entries, today = request.selection.config.ignored_urls, date.today()
        ignored: dict[str, IgnoredUrl] = {}
        expired: dict[str, IgnoredUrl] = {}
        for url in dict.fromkeys(link.url for link in wanted) if entries else ():
            key = url.partition("#")[0]
            if (entry := matching_ignore(url, entries, today)) is not None:
                ignored[key] = entry
            elif (entry := expired_ignore(url, entries, today)) is not None:
                expired[key] = entry
        return cls(batch, links, [link for link in wanted if link.key not in ignored], ignored, expired)


def _find_records(
    options: LinkOptions, network: LinkNetwork, wanted: LinkTargets, collected: Sequence[_ProjectLinks]
) -> tuple[dict[str, LinkRecord], bool, Sequence[str]]:
    """Return the record of each URL, whether Ctrl-C ended the run, and notes: from the cache what is fresh there."""
    from shelfread.links.exchange import Settings, read_endpoints
    from shelfread.links.record_cache import lacks_repairs, usable_records

    endpoints = read_endpoints()
    settings = Settings(
        deadline=options.deadline,
        network_probes=endpoints.hosts,
        allow_private=endpoints.own.union(options.allow_private),
    )
    if contact := _repository():
        settings = settings._replace(contact=contact)
    # Fixes that are written, shown as a diff or suggested to a program, which may apply them, are confirmed in this run.
    fix = options.check.fixes or options.suggests
    with network.cache() as cache, network.progress(wanted.urls) as report:
        known = cache.get(wanted.urls) if cache else {}
        records = usable_records(known.values(), wanted.anchors, fix, time())
        for url in records:
            report(known[url])
        is_complete = len(records) == len(wanted.urls) and not any(map(lacks_repairs, records.values()))
        interrupted, notes = False, list[str]()
        if not is_complete:
            # It imports aiohttp, which a rerun seldom needs.
            from shelfread.links.online_check import OnlineCheck

            check = OnlineCheck(
                settings=settings,
                endpoints=endpoints,
                cache=cache,
                open_client=network.open_client,
                dates=lambda urls: _first_listed(urls, collected),
                report=report,
                archive=options.check.fixes and options.check.unsafe_fixes,
            )
            interrupted, notes = check.check(wanted, known, records)
    # In the order of the lists, not of the answers.
    return {url: records[url] for url in wanted.urls if url in records}, interrupted, notes


def _stop_reason(
    options: LinkOptions, records: Mapping[str, LinkRecord], total: int, interrupted: bool
) -> str:
    unreached = [record for record in records.values() if record.is_unreached]
    if interrupted:
        done = len(records) - len(unreached)
        return f"Interrupted: {done:,} of {counted(total, 'link')} checked. Run again to continue"
    if any(record.reason == NO_NETWORK for record in unreached):
        return _NO_NETWORK
    late = sum(record.reason == Trouble.NOT_CHECKED.value for record in unreached)  # else a host said no
    if options.deadline and late:
        return f"Deadline reached: {counted(late, 'link')} not checked. Run again to continue"
    return ""


def _repository() -> str:
    """Return the URL of the repository whose workflow runs: there hosts learn who sends the requests."""
    server, name = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    url = f"{server}/{name}"
    plain = url.isascii() and url.isprintable() and not set(url) & set(' ();<>"\\')
    return url if plain and name and server.startswith("https://") else ""


def _first_listed(urls: Collection[str], collected: Sequence[_ProjectLinks]) -> dict[str, date]:
    from shelfread.links.replacement_search import line_dates

    wanted = set(urls)
    first: dict[str, date] = {}
    for project in collected:
        for path, links in project.occurrences.items():
            source = project.batch.loaded.documents[path].source
            starts = {link.key: link.span.start for link in reversed(links) if link.key in wanted}
            lines = {url: source.position(start)[0] for url, start in starts.items()}
            days = line_dates(path, set(lines.values())) if lines else {}
            for url, line in lines.items():
                if line in days:
                    first[url] = min(first.get(url, days[line]), days[line])
    return first


def _final_occurrences(
    run: RunResult, collected: Sequence[_ProjectLinks]
) -> dict[str, Sequence[LinkOccurrence]]:
    links = dict(pair for project in collected for pair in project.occurrences.items())
    documents = dict(pair for project in collected for pair in project.batch.loaded.documents.items())
    for file in run.files:
        if file.fixed and file.fixed.text == file.source.text and file.fixed.applied:
            links[file.path] = occurrences(documents[file.path])
    return links
