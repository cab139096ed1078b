"""What `links` does with its options: what does not go together, the report, the exit status."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import actions, output
from shelfread.cli import report as reporting
from shelfread.cli.inputs import refuse_two_configurations
from shelfread.cli.network import LINKS, chosen_cache, open_client
from shelfread.cli.options import pick
from shelfread.cli.progress import Progress
from shelfread.core.diagnostics import Severity
from shelfread.core.support.interrupts import exit_status
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.plurals import counted
from shelfread.index.answers import Trouble
from shelfread.links import link_check as engine
from shelfread.project.config import Config
from shelfread.report.links import summary as data
from shelfread.report.links.summary import LinkReport, is_unreached, with_urls
from shelfread.report.render_context import RenderContext
from shelfread.rulebook.metadata import SEVERITIES
from shelfread.rulebook.selection import BROKEN_LINK_RULES

if TYPE_CHECKING:
    from shelfread.links.cache.record_cache import RecordCache

_NO_NETWORK = "No network: links that do not answer cannot be checked"

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")

_WHOLE = ("text", "json", "markdown")
"""Formats that report links; the others report findings alone."""


_FOR_PEOPLE = ("text", "full", "concise", "markdown")


class ReportOptions(NamedTuple):
    """What is done with the findings of links, and what the network is asked with."""

    paths: tuple[str, ...]
    fix: bool
    unsafe_fixes: bool
    diff: bool
    offline: bool
    deadline: float | None
    cache_file: str | None
    no_cache: bool
    output_format: str | None
    output_file: str | None
    show_info: bool
    exit_zero: bool
    fail_on: str | None


def check_links(given: Mapping[str, Any]) -> int:
    """Do what the options of links say; return the exit status."""
    options = pick(ReportOptions, given)
    refuse_two_configurations(given)
    _refuse(options)
    cache = chosen_cache(LINKS, options.cache_file, options.no_cache)
    output.refuse_output_file(options.output_file)
    started_at = time()
    checked = pick(
        engine.LinkOptions,
        given,
        fix=options.fix or options.diff,
        write=options.fix and not options.diff,
        suggests=_is_for_programs(options),
    )
    fetching = engine.Fetching(lambda: _open_cache(cache), Progress, lambda settings: open_client(settings))
    result = engine.check_links(checked, fetching, reporting.report_skipped)
    report = LinkReport(
        run=result.run,
        records=result.records,
        occurrences=result.occurrences,
        ignored=result.ignored,
        expired=result.expired,
        reserved=result.reserved,
        stop_reason=_stop_reason(options, result),
        notes=result.notes,
        started_at=started_at,
        online=not options.offline,
        archives_searched=options.unsafe_fixes and not options.offline,
    )
    status = _conclude(options, report, [project.config for project in result.projects])
    if not options.offline and any(record.checked_at >= started_at for record in result.records.values()):
        _report_ignored_proxy()
    if report.stop_reason == _NO_NETWORK:
        output.print_error("no network: no link was checked")
        status = 2
    return exit_status() if result.interrupted else status


def _is_for_programs(options: ReportOptions) -> bool:
    """Return whether the report may become suggestions that somebody accepts with one click."""
    if options.output_format is None:
        return actions.is_workflow()
    return options.output_format not in _FOR_PEOPLE


def _report_ignored_proxy() -> None:
    """Say that requests went past a proxy: it would connect to addresses that nobody here could check."""
    names = [name for name in _PROXIES if os.environ.get(name) or os.environ.get(name.lower())]
    if names:
        output.print_error(
            f"{', '.join(names)} ignored: links sends its requests directly, to check each address"
        )


def _open_cache(path: Path | None) -> AbstractContextManager[RecordCache | None]:
    from shelfread.links.cache.record_cache import RecordCache

    return nullcontext() if path is None else RecordCache(path, output.print_error)


def _refuse(options: ReportOptions) -> None:
    """Raise UsageError for options that do not go together."""
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise click.UsageError("--unsafe-fixes needs --fix or --diff")
    if "-" in options.paths:
        raise click.UsageError("links reads files only, not standard input")


def _stop_reason(options: ReportOptions, result: engine.LinkResult) -> str:
    """Return why a run ended before all links were checked."""
    from shelfread.links.classify.verdicts import NO_NETWORK

    unreached = [record for record in result.records.values() if is_unreached(record)]
    if result.interrupted:
        done = len(result.records) - len(unreached)
        wanted = counted(result.wanted, "link")
        return f"Interrupted: {done:,} of {wanted} checked. Run again to continue"
    if any(record.reason == NO_NETWORK for record in unreached):
        return _NO_NETWORK
    late = [
        record for record in unreached if record.reason == Trouble.NOT_CHECKED.value
    ]  # else a host said no
    if options.deadline and late:
        return f"Deadline reached: {counted(len(late), 'link')} not checked. Run again to continue"
    return ""


def _conclude(options: ReportOptions, report: LinkReport, configs: Sequence[Config]) -> int:
    """Report, and return the exit status."""
    reporting.report_errors(report.run)
    reporting.report_left_alone(report.run)
    least = SEVERITIES[options.fail_on] if options.fail_on else None
    findings = [found for outcome in report.run.files for found in outcome.diagnostics]
    failed = any(
        found.severity >= least
        if least is not None
        else found.rule in BROKEN_LINK_RULES and found.severity >= Severity.WARNING
        for found in findings
    )
    if options.diff:
        failed = output.show_diff(report.run)
    else:
        _report(options, report, configs)
    if report.run.errors:
        return 2
    return int(failed and not options.exit_zero)


def _report(options: ReportOptions, report: LinkReport, configs: Sequence[Config]) -> None:
    info = options.show_info or options.fail_on == Severity.INFO.label
    context = reporting.render_context(
        info,
        configs,
        fix_command="shelfread links --fix",
        unsafe_fix_command="shelfread links --fix --unsafe-fixes",
    )
    form = options.output_format or "text"
    unchecked = data.unchecked(report)
    if report.stop_reason and form not in _WHOLE and options.output_file is None:
        output.print_error(report.stop_reason)
    elif unchecked and report.stop_reason != _NO_NETWORK:
        output.print_error(unchecked)  # whatever the format and the file: a workflow may act on it
    reporting.write_report(partial(_lines, report), context, form, options.output_file)
    if options.output_format is None and actions.is_workflow():
        reporting.annotate(with_urls(report), context, summary=_lines(report, context, "markdown"))


def _lines(report: LinkReport, context: RenderContext, form: str) -> Iterable[str]:
    if form in _WHOLE:
        return reporting.lines(report, context, form, "links")
    return reporting.lines(with_urls(report), context, form)
