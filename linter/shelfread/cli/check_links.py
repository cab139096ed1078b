"""What `links` does with its options: what does not go together, the report, the exit status."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, NamedTuple

import click

from shelfread.cli import actions, output
from shelfread.cli.inputs import refuse_two_configurations
from shelfread.cli.options import PEOPLE, PRINTED
from shelfread.cli.progress import Progress
from shelfread.cli.report import annotate, lines, refuse_list, report_errors, report_skipped
from shelfread.core.diagnostics import Severity
from shelfread.core.support.plurals import counted
from shelfread.engine import check_links as engine
from shelfread.project.config import Config
from shelfread.report.context import RenderContext
from shelfread.report.links.summary import LinkReport, is_unreached, with_urls
from shelfread.rulebook.metadata import SEVERITIES
from shelfread.rulebook.selection import LOCAL_LINK_RULES, load_catalogue

if TYPE_CHECKING:
    from shelfread.core.link_record import LinkRecord
    from shelfread.linkcheck.cache.store import Cache
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.settings import Settings

FATAL = ("link/dead", *LOCAL_LINK_RULES)
"""What is proven to lead nowhere: only this fails a run."""


_NO_NETWORK = "No network: of what does not answer nothing can be said"

_WHOLE = ("text", "json", "markdown")
"""Formats that tell of links, and not of findings alone."""


class LinksOptions(NamedTuple):
    """The options of links."""

    paths: tuple[str, ...]
    fix: bool
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
    config_from: str | None
    isolated: bool
    output_format: str | None
    output_file: str | None
    show_info: bool
    exit_zero: bool
    fail_on: str | None
    jobs: int | None


def check_links(options: LinksOptions) -> int:
    """Do what the options say; return the exit status."""
    _refuse(options)
    started_at = time()
    result = engine.check_links(
        engine.LinkOptions(
            paths=options.paths,
            config=options.config,
            config_from=options.config_from,
            isolated=options.isolated,
            select=options.select,
            ignore=options.ignore,
            since=options.since,
            offline=options.offline,
            deadline=options.deadline,
            soft_404=options.soft_404,
            allow_private=options.allow_private,
            show_info=options.show_info,
            fix=options.fix or options.diff,
            unsafe_fixes=options.unsafe_fixes,
            write=options.fix and not options.diff,
            fingerprints=options.output_format in PRINTED,
            jobs=options.jobs,
        ),
        engine.Fetching(lambda: _open_cache(options), _progress, lambda settings: open_client(settings)),
        report_skipped,
    )
    report = LinkReport(
        run=result.run,
        records=result.records,
        occurrences=result.occurrences,
        ignored=result.ignored,
        expired=result.expired,
        reserved=result.reserved,
        stop_reason=_cut(options, result),
        started_at=started_at,
        online=not options.offline,
        archives_searched=options.unsafe_fixes and not options.offline,
    )
    status = _conclude(options, report, [project.config for project in result.projects])
    if report.stop_reason == _NO_NETWORK:
        output.print_error("no network: links were not asked")
        status = 2
    return 130 if result.interrupted else status


def open_client(settings: Settings) -> Client:
    """Return what makes the requests."""
    from shelfread.linkcheck.http.client import Client

    return Client(settings)


@contextmanager
def _open_cache(options: LinksOptions) -> Iterator[Cache | None]:
    from shelfread.linkcheck.cache.store import Cache, default_path

    if options.no_cache:
        yield None
        return
    path = Path(options.cache_file) if options.cache_file else default_path()
    with Cache.open(path, output.print_error) as cache:
        yield cache


@contextmanager
def _progress(urls: Sequence[str]) -> Iterator[Callable[[LinkRecord], None]]:
    with Progress(urls) as progress:
        yield progress.update


def _refuse(options: LinksOptions) -> None:
    """Raise UsageError for options that do not go together."""
    refuse_two_configurations(options.config, options.config_from, options.isolated)
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise click.UsageError("--unsafe-fixes says which fixes are made: give --fix or --diff with it")
    if options.cache_file and options.no_cache:
        raise click.UsageError("--cache-file names a cache, --no-cache forbids any")
    if "-" in options.paths:
        raise click.UsageError("links reads files: standard input has no place to come back to")


def _cut(options: LinksOptions, result: engine.LinkResult) -> str:
    """Return why a run ended before all links were checked."""
    from shelfread.linkcheck.classify.judge import NO_NETWORK

    unreached = [record for record in result.records.values() if is_unreached(record)]
    if result.interrupted:
        done = len(result.records) - len(unreached)
        wanted = counted(result.wanted, "link")
        return f"Interrupted: {done:,} of {wanted} looked at; a rerun goes on from there"
    if any(record.reason == NO_NETWORK for record in unreached):
        return _NO_NETWORK
    if options.deadline and unreached:
        return f"The time was up: {counted(len(unreached), 'link')} not checked; a rerun goes on from there"
    return ""


def _conclude(options: LinksOptions, report: LinkReport, configs: Sequence[Config]) -> int:
    """Report, and return the exit status."""
    report_errors(report.run)
    least = SEVERITIES[options.fail_on] if options.fail_on else None
    findings = [found for outcome in report.run.files for found in outcome.diagnostics]
    failed = any(
        found.severity >= least
        if least is not None
        else found.rule in FATAL and found.severity >= Severity.WARNING
        for found in findings
    )
    if options.diff:
        failed = output.show_diff(report.run)
    else:
        _report(options, report, configs)
    if report.run.errors:
        return 2
    return int(failed and not options.exit_zero)


def _report(options: LinksOptions, report: LinkReport, configs: Sequence[Config]) -> None:
    info = options.show_info or options.fail_on == Severity.INFO.label
    context = RenderContext(
        output.terminal_style(),
        Severity.INFO if info else Severity.WARNING,
        actions.checkout_root(),
        actions.line_url(),
        lambda: {id: card for config in configs for id, card in load_catalogue(config).items()},
        "shelfread links --fix",
    )
    form = options.output_format or "text"
    if options.output_file is not None:
        refuse_list(report.run, options.output_file)
        output.write_lines(
            _lines(report, form, context._replace(style=output.terminal_style(file=True))),
            options.output_file,
        )
        form = "text"
    if report.stop_reason and form not in _WHOLE:
        output.print_error(report.stop_reason)
    write = output.print_lines if form in PEOPLE else output.write_lines
    write(_lines(report, form, context))
    if options.output_format is None and actions.is_workflow():
        annotate(with_urls(report), context, summary=_lines(report, "markdown", context))


def _lines(report: LinkReport, form: str, context: RenderContext) -> Iterable[str]:
    if form in _WHOLE:
        return lines(report, context, form, "links")
    return lines(with_urls(report), context, form)
