"""What links does: find the links, ask for them, mend what is wanted, report."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from time import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import click

from shelfread.cli import output
from shelfread.cli.inputs import configurations, find, refuse_two_configurations
from shelfread.cli.listed import Listed, dates_of, mentions_now, read_lists
from shelfread.cli.options import PRINTED
from shelfread.cli.progress import Progress
from shelfread.cli.runs import merged, processes, say_left, with_prints, write
from shelfread.cli.tell import LinksOptions, conclude_run
from shelfread.core.errors import UserError
from shelfread.core.support.plurals import counted
from shelfread.engine.run import Run, RunRequest, conclude, report_files, run
from shelfread.linkcheck.extract import Targets, targets
from shelfread.project.config_at_revision import ConfigTree
from shelfread.project.files import Project
from shelfread.report.links.summary import LinkReport, is_unreached
from shelfread.rulebook.selection import select_links
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.run import Found
    from shelfread.linkcheck.settings import Settings
    from shelfread.project.history import BaseRevision

_NO_NETWORK = "No network: of what does not answer nothing can be said"


def perform(wish: LinksOptions) -> int:
    """Do what the options say; the exit status."""
    _refuse(wish)
    with configurations(wish.config_from) as tree:
        return _perform(wish, tree)


def _perform(wish: LinksOptions, tree: ConfigTree | None) -> int:
    began = time()
    projects, errors = find(wish.paths, wish.config, wish.isolated, {}, tree)
    say_left(projects)
    orders = [_order(wish, project) for project in projects]
    configs = [project.config for project in projects]
    if wish.offline:
        runs = [
            run(order, wish.jobs or processes(project))
            for project, order in zip(projects, orders, strict=True)
        ]
        report = LinkReport(_mended(wish, orders, runs, errors), {}, {}, started_at=began, online=False)
        return conclude_run(wish, report, configs)
    lists = [read_lists(order) for order in orders]
    wanted = targets((one for each in lists for one in each.wanted), wish.allow_private)
    found = _look_up(wish, wanted, lists)
    runs = []
    for each in lists:
        web = {url: record for url, record in found.records.items() if url not in each.silent}
        order = each.order._replace(web=web)
        outcomes = report_files(order, each.reading, each.reading.facts)
        runs.append(_since(order, conclude(order, each.reading, outcomes)))
    whole = _mended(wish, orders, runs, errors)
    report = LinkReport(
        whole,
        found.records,
        mentions_now(whole, lists),
        {url: one for each in lists for url, one in each.silent.items()},
        {url: one for each in lists for url, one in each.over.items()},
        wanted.reserved,
        _cut(wish, found, len(wanted.urls)),
        began,
        archives_searched=wish.unsafe_fixes,
    )
    status = conclude_run(wish, report, configs)
    if report.stop_reason == _NO_NETWORK:
        output.print_error("no network: links were not asked")
        status = 2
    return 130 if found.interrupted else status


def _refuse(wish: LinksOptions) -> None:
    """Options that do not go together."""
    refuse_two_configurations(wish.config, wish.config_from, wish.isolated)
    if wish.unsafe_fixes and not (wish.mend or wish.diff):
        raise click.UsageError("--unsafe-fixes says which fixes are made: give --fix or --diff with it")
    if wish.cache_file and wish.no_cache:
        raise click.UsageError("--cache-file names a cache, --no-cache forbids any")
    if "-" in wish.paths:
        raise click.UsageError("links reads files: standard input has no place to come back to")


def _order(wish: LinksOptions, project: Project) -> RunRequest:
    config = project.config
    return RunRequest(
        project.reported,
        project.others,
        select_links(config, wish.select, wish.ignore, wish.offline),
        load(config.taxonomy),
        config.slugs,
        wish.mend or wish.diff,
        wish.unsafe_fixes,
        wish.show_info,
        past=_past(wish, project),
    )


def _past(wish: LinksOptions, project: Project) -> BaseRevision | None:
    if not wish.since or not (project.reported or project.others):
        return None
    from shelfread.project.history import look_back

    return look_back(project, wish.since, {})


def _since(order: RunRequest, one: Run) -> Run:
    return one if order.past is None else one._replace(since=order.past.name)


def open_client(settings: Settings) -> Client:
    """What makes the requests."""
    from shelfread.linkcheck.http.client import Client

    return Client(settings)


def _look_up(wish: LinksOptions, wanted: Targets, lists: Sequence[Listed]) -> Found:
    from shelfread.linkcheck.cache.store import Cache, default_path
    from shelfread.linkcheck.registries.endpoints import Endpoints, read_endpoints
    from shelfread.linkcheck.run import LinkCheckContext, look_up
    from shelfread.linkcheck.settings import Settings

    endpoints = read_endpoints()
    # Whoever sets the environment means these servers to be asked, wherever they are.
    own = {url.partition("//")[2] for url in endpoints if url not in Endpoints()}
    settings = Settings(
        deadline=wish.deadline,
        controls=tuple(urlsplit(url).hostname or "" for url in endpoints),
        allow_private=frozenset((*wish.allow_private, *own)),
    )
    mend = wish.mend or wish.diff

    def dates(urls: Collection[str]) -> Mapping[str, date]:
        return dates_of(urls, lists)

    path = Path(wish.cache_file) if wish.cache_file else default_path()
    with (
        nullcontext() if wish.no_cache else Cache.open(path, output.print_error) as cache,
        Progress(wanted.urls) as progress,
    ):
        return look_up(
            wanted,
            LinkCheckContext(
                *(settings, endpoints, os.environ, cache, open_client, dates, progress.update),
                *(wish.soft_404, mend, mend and wish.unsafe_fixes),
            ),
        )


def _mended(
    wish: LinksOptions, orders: Sequence[RunRequest], runs: list[Run], errors: Sequence[UserError]
) -> Run:
    """All runs as one, their fixes written."""
    if wish.mend and not wish.diff:
        runs = [write(one, {}) for one in runs]
    if wish.output_format in PRINTED:
        runs = [with_prints(one, order.taxonomy.vocabulary) for one, order in zip(runs, orders, strict=True)]
    return merged(runs, errors)


def _cut(wish: LinksOptions, found: Found, wanted: int) -> str:
    from shelfread.linkcheck.classify.judge import NO_NETWORK

    unreached = [record for record in found.records.values() if is_unreached(record)]
    if found.interrupted:
        done = len(found.records) - len(unreached)
        return f"Interrupted: {done:,} of {counted(wanted, 'link')} looked at; a rerun goes on from there"
    if any(record.reason == NO_NETWORK for record in unreached):
        return _NO_NETWORK
    if wish.deadline and unreached:
        return f"The time was up: {counted(len(unreached), 'link')} not checked; a rerun goes on from there"
    return ""
