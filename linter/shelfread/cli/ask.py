"""What links does: find the links, ask for them, mend what is wanted, report."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, NamedTuple

import click

from shelfread.cli import output
from shelfread.cli.inputs import find
from shelfread.cli.perform import complain_of, merged, processes, write
from shelfread.cli.progress import Progress
from shelfread.config import Silence
from shelfread.diagnostic import Severity
from shelfread.document.read import read
from shelfread.errors import UserError
from shelfread.links.mentions import Mention, Targets, mentions, new_mentions, targets
from shelfread.project import Project
from shelfread.report.census import Census, counted, is_unreached
from shelfread.rule import SEVERITIES
from shelfread.run import Order, Reading, Run, conclude, read_project, report_files, run
from shelfread.selection import LOCAL, select_links
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.links.client import Client
    from shelfread.links.session import Found
    from shelfread.links.settings import Settings
    from shelfread.since import Past

FATAL = ("link/dead", *LOCAL)
"""What is proven to lead nowhere: only this fails a run."""


class LinksWish(NamedTuple):
    """The options of links."""

    paths: tuple[str, ...]
    mend: bool
    unsafe_fixes: bool
    diff: bool
    offline: bool
    since: str | None
    deadline: float | None
    soft_404: bool
    cache_file: str | None
    no_cache: bool
    allow_private: tuple[str, ...]
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    config: str | None
    isolated: bool
    output_format: str
    output_file: str | None
    show_info: bool
    exit_zero: bool
    fail_on: str | None
    jobs: int | None


class _List(NamedTuple):
    """A project on its way: what is to be done with it, what was read, which links are to be asked."""

    project: Project
    order: Order
    reading: Reading
    mentions: Mapping[str, Sequence[Mention]]
    silent: Mapping[str, Silence]
    over: Mapping[str, Silence]


def perform(wish: LinksWish) -> int:
    """Do what the options say; the exit status."""
    _refuse(wish)
    began = time()
    projects, errors = find(wish.paths, wish.config, wish.isolated, {})
    orders = [_order(wish, project) for project in projects]
    if wish.offline:
        runs = [
            run(order, wish.jobs or processes(project))
            for project, order in zip(projects, orders, strict=True)
        ]
        census = Census(_mended(wish, runs, errors), {}, {}, began=began, asked=False)
        return _conclude(wish, census)
    lists = [_read(wish, project, order) for project, order in zip(projects, orders, strict=True)]
    wanted = targets(
        (one for each in lists for found in each.mentions.values() for one in found), wish.allow_private
    )
    silent = {url for each in lists for url in each.silent}
    found = _look_up(
        wish, wanted._replace(urls=tuple(url for url in wanted.urls if url not in silent)), lists
    )
    runs = []
    for each in lists:
        order = each.order._replace(web=found.records)
        outcomes = report_files(order, each.reading, each.reading.facts)
        runs.append(_since(order, conclude(order, each.reading, outcomes)))
    whole = _mended(wish, runs, errors)
    census = Census(
        whole,
        found.records,
        _mentions_now(whole, lists),
        {url: one for each in lists for url, one in each.silent.items()},
        {url: one for each in lists for url, one in each.over.items()},
        wanted.reserved,
        _cut(wish, found, len(wanted.urls)),
        began,
    )
    status = _conclude(wish, census)
    return 130 if found.interrupted else status


def _refuse(wish: LinksWish) -> None:
    """Options that do not go together."""
    if wish.config and wish.isolated:
        raise click.UsageError("--config names a configuration, --isolated forbids any")
    if wish.unsafe_fixes and not (wish.mend or wish.diff):
        raise click.UsageError("--unsafe-fixes says which fixes are made: give --fix or --diff with it")
    if wish.cache_file and wish.no_cache:
        raise click.UsageError("--cache-file names a cache, --no-cache forbids any")
    if "-" in wish.paths:
        raise click.UsageError("links reads files: standard input has no place to come back to")


def _order(wish: LinksWish, project: Project) -> Order:
    config = project.config
    return Order(
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


def _past(wish: LinksWish, project: Project) -> Past | None:
    if not wish.since or not (project.reported or project.others):
        return None
    from shelfread.since import look_back

    return look_back(project, wish.since, {})


def _since(order: Order, one: Run) -> Run:
    return one if order.past is None else one._replace(since=order.past.name)


def _read(wish: LinksWish, project: Project, order: Order) -> _List:
    from shelfread.links.silence import expired, silenced

    reading = read_project(order)
    found: dict[str, Sequence[Mention]] = {
        path: mentions(document) for path, document in reading.documents.items()
    }
    if order.past is not None:
        found = new_mentions(order.past, found, order.taxonomy.vocabulary)
    silent: dict[str, Silence] = {}
    over: dict[str, Silence] = {}
    silences, today = project.config.links.silence, date.today()
    for url in dict.fromkeys(one.key for some in found.values() for one in some) if silences else ():
        one = silenced(url, silences, today)
        if one is not None:
            silent[url] = one
        elif (former := expired(url, silences, today)) is not None:
            over[url] = former
    return _List(project, order, reading, found, silent, over)


def open_client(settings: Settings) -> Client:
    """What makes the requests."""
    from shelfread.links.client import Client

    return Client(settings)


def _look_up(wish: LinksWish, wanted: Targets, lists: Sequence[_List]) -> Found:
    from shelfread.links.cache import Cache, default_path
    from shelfread.links.endpoints import Endpoints, read_endpoints
    from shelfread.links.session import Means, look_up
    from shelfread.links.settings import Settings

    endpoints = read_endpoints()
    # Whoever sets the environment means these servers to be asked, wherever they are.
    own = {url.partition("//")[2] for url in endpoints if url not in Endpoints()}
    settings = Settings(deadline=wish.deadline, allow_private=frozenset((*wish.allow_private, *own)))

    def dates(urls: Collection[str]) -> Mapping[str, date]:
        return _dates(urls, lists)

    path = Path(wish.cache_file) if wish.cache_file else default_path()
    with (
        nullcontext() if wish.no_cache else Cache.open(path, output.complain) as cache,
        Progress(wanted.urls) as progress,
    ):
        return look_up(
            wanted,
            Means(settings, endpoints, os.environ, cache, open_client, dates, progress.tell, wish.soft_404),
        )


def _dates(urls: Collection[str], lists: Sequence[_List]) -> dict[str, date]:
    """The days on which links were listed first, as far as git knows."""
    from shelfread.links.blame import dates

    wanted = set(urls)
    found: dict[str, date] = {}
    for each in lists:
        for path, some in each.mentions.items():
            source = each.reading.documents[path].source
            lines = {
                one.key: source.position(one.span.start)[0] for one in reversed(some) if one.key in wanted
            }
            days = dates(path, set(lines.values())) if lines else {}
            for url, line in lines.items():
                if line in days:
                    found[url] = min(found.get(url, days[line]), days[line])
    return found


def _mended(wish: LinksWish, runs: Sequence[Run], errors: Sequence[UserError]) -> Run:
    """All runs as one, their fixes written."""
    return merged([write(one, {}) if wish.mend and not wish.diff else one for one in runs], errors)


def _mentions_now(whole: Run, lists: Sequence[_List]) -> dict[str, Sequence[Mention]]:
    """The places of links in the texts as they are now."""
    found: dict[str, Sequence[Mention]] = {}
    for each in lists:
        for path, some in each.mentions.items():
            found[path] = some
    vocabularies = {path: each.order.taxonomy.vocabulary for each in lists for path in each.mentions}
    for outcome in whole.outcomes:
        if outcome.fixed and outcome.fixed.text == outcome.source.text and outcome.fixed.applied:
            found[outcome.path] = mentions(read(outcome.source, vocabularies[outcome.path]))
    return found


def _cut(wish: LinksWish, found: Found, wanted: int) -> str:
    from shelfread.links.look import NO_NETWORK

    unreached = [record for record in found.records.values() if is_unreached(record)]
    if found.interrupted:
        done = len(found.records) - len(unreached)
        return f"Interrupted: {done:,} of {counted(wanted, 'link')} looked at; a rerun goes on from there"
    if any(record.reason == NO_NETWORK for record in unreached):
        return "No network: of what does not answer nothing can be said"
    if wish.deadline and unreached:
        return f"The time was up: {counted(len(unreached), 'link')} not checked; a rerun goes on from there"
    return ""


def _conclude(wish: LinksWish, census: Census) -> int:
    """Report, and the exit status."""
    complain_of(census.run)
    least = SEVERITIES[wish.fail_on] if wish.fail_on else None
    findings = [one for outcome in census.run.outcomes for one in outcome.diagnostics]
    failed = any(
        one.severity >= least if least is not None else one.rule in FATAL and one.severity >= Severity.WARNING
        for one in findings
    )
    if wish.diff:
        failed = output.show_diff(census.run)
    else:
        _report(wish, census)
    if census.run.errors:
        return 2
    return int(failed and not wish.exit_zero)


def _locate() -> Callable[[str, int], str]:
    """Where GitHub shows a line of a file, as its workflows' variables say; elsewhere nothing is known."""
    from shelfread.project import git_root
    from shelfread.report.links_markdown import blob_url

    server, repository, commit = (
        os.environ.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA")
    )
    root = git_root(Path.cwd())

    def locate(path: str, line: int) -> str:
        inside = os.path.relpath(os.path.realpath(path), root or ".").replace(os.sep, "/")
        return blob_url(server, repository, commit, inside, line)

    return locate


def _report(wish: LinksWish, census: Census) -> None:
    info = wish.show_info or wish.fail_on == Severity.INFO.label
    least = Severity.INFO if info else Severity.WARNING
    if wish.output_format == "json":
        from shelfread.report.links_json import render as render_json

        output.write(render_json(census), wish.output_file)
    elif wish.output_format == "markdown":
        from shelfread.report.links_markdown import render as render_markdown

        output.write_utf8(render_markdown(census, _locate(), least), wish.output_file)
    else:
        from shelfread.report.links_text import render

        output.write(render(census, output.look(file=wish.output_file is not None), least), wish.output_file)
