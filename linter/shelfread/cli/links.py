"""`shelfread links`, and the check of links that `complete` makes too."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options as shared
from shelfread.cli import output
from shelfread.cli import report as reporting
from shelfread.cli.network import LINKS, chosen_cache, link_progress, open_client
from shelfread.cli.options import names, pick, refuse_two_configurations
from shelfread.core.diagnostics import Severity
from shelfread.core.process import exit_status
from shelfread.engine.model import CheckOptions
from shelfread.links.link_check import LinkNetwork, LinkOptions, LinkReport, check_links
from shelfread.report.link_summary import has_checked_nothing, unchecked, with_urls
from shelfread.report.rendering import RenderContext
from shelfread.rulebook.metadata import SEVERITIES
from shelfread.rulebook.selection import BROKEN_LINK_RULES, LOCAL_LINK_RULES

if TYPE_CHECKING:
    from shelfread.links.record_cache import RecordCache

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_WHOLE = ("text", "json", "markdown")  # formats that report links; the others report findings alone
_FOR_PEOPLE = ("text", "full", "concise", "markdown")


def run_links(given: Mapping[str, Any]) -> int:
    """Do what the options of links say; return the exit status."""
    options = pick(CheckOptions, given)
    refuse_two_configurations(given)
    if options.unsafe_fixes and not options.fixes:
        raise click.UsageError("--unsafe-fixes needs --fix or --diff")
    if "-" in options.paths:
        raise click.UsageError("links reads files only, not standard input")
    cache = chosen_cache(LINKS, given["cache_file"], given["no_cache"])
    output.refuse_output_file(options.output_file)
    form = options.output_format
    # A report for programs may become suggestions that somebody accepts with one click.
    suggests = output.is_workflow() if form is None else form not in _FOR_PEOPLE
    network = LinkNetwork(
        lambda: _open_cache(cache),
        link_progress,
        lambda settings: open_client(settings),
        output.file_progress,
    )
    report = check_links(
        pick(LinkOptions, given, check=options, suggests=suggests), network, reporting.report_skipped
    )
    status = _conclude(options, report)
    if report.online and any(record.checked_at >= report.started_at for record in report.records.values()):
        _report_ignored_proxy()
    if report.has_no_network:
        output.print_error("no network: no link was checked")
        status = 2
    elif has_checked_nothing(report):
        output.print_error("no link was checked: all are of private networks")
        status = 2
    return exit_status() if report.interrupted else status


def _report_ignored_proxy() -> None:
    """Say that requests went past a proxy: it would connect to addresses that nobody here could check."""
    names = [name for name in _PROXIES if os.environ.get(name) or os.environ.get(name.lower())]
    if names:
        output.print_error(
            f"{', '.join(names)} ignored: links sends its requests directly, to check each address"
        )


def _open_cache(path: Path | None) -> AbstractContextManager[RecordCache | None]:
    from shelfread.links.record_cache import RecordCache

    return nullcontext() if path is None else RecordCache(path, output.print_error)


def _conclude(options: CheckOptions, report: LinkReport) -> int:
    reporting.report_errors(report.run)
    reporting.report_left_alone(report.run)
    least = SEVERITIES[options.fail_on] if options.fail_on else None
    failed = any(
        finding.severity >= least
        if least is not None
        else finding.rule in {*BROKEN_LINK_RULES, *LOCAL_LINK_RULES} and finding.severity >= Severity.WARNING
        for file in report.run.files
        for finding in file.diagnostics
    )
    if options.diff:
        failed = output.show_diff(report.run) or failed
    else:
        _report(options, report)
    if report.run.errors:
        return 2
    return int(failed and not options.exit_zero)


def _report(options: CheckOptions, report: LinkReport) -> None:
    context = reporting.render_context(
        options.shows_info,
        [project.config for project in report.projects],
        fix_command="shelfread links --fix",
        unsafe_fix_command="shelfread links --fix --unsafe-fixes",
    )
    form = options.output_format or "text"
    if form in _FOR_PEOPLE and report.run.errors and not report.run.files:
        return
    note = unchecked(report)
    if report.stop_reason and form not in _WHOLE and options.output_file is None:
        output.print_error(report.stop_reason)
    elif note and not report.has_no_network:
        output.print_error(note)  # whatever the format and the file: a workflow may act on it
    reporting.write_report(partial(_lines, report), context, form, options.output_file)
    if options.output_format is None and output.is_workflow():
        reporting.annotate(with_urls(report), context, summary=_lines(report, context, "markdown"))


def _lines(report: LinkReport, context: RenderContext, form: str) -> Iterable[str]:
    if form in _WHOLE:
        return reporting.lines(report, context, form, "links")
    return reporting.lines(with_urls(report), context, form)


@click.command
@shared.paths
@click.option("--fix", is_flag=True, help="Replace the URLs of links that have moved.")
@click.option(
    "--unsafe-fixes", is_flag=True,
    help="Include fixes that need a review, such as archived snapshots of dead pages.",
)  # fmt: skip
@shared.diff
@click.option("--offline", is_flag=True, help="Check only files and anchors of the project.")
@click.option(
    "--since", metavar="REV",
    help="Check only links added or changed since this commit; 'auto' is where the branch began.",
)  # fmt: skip
@shared.deadline("Stop after this time, such as 90s, 10m or 1h; the other links are reported as not checked.")
@shared.cache("Where results are cached between runs.", "Do not read or write the cache.")
@click.option(
    "--allow-private", multiple=True, callback=names, metavar="HOST[:PORT],...",
    help="Allow requests to these hosts of a private network.",
)  # fmt: skip
@shared.selection("link/dead,link/moved")
@shared.config
@shared.config_from
@shared.isolated
@shared.report_format
@shared.output_file
@shared.show_info
@shared.exit_zero
@click.option(
    "--fail-on", type=click.Choice(list(SEVERITIES)),
    help="Exit with status 1 for findings of at least this severity.  [default: only for dead links]",
)  # fmt: skip
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="The number of processes with --offline."
)
@click.pass_context
def links_command(ctx: click.Context, /, **options: Any) -> None:
    """Find links that are dead or have moved.

    PATH is a file or a folder of Markdown files; the default is the current folder. Only dead links, and missing
    files and anchors of the project, fail the run. A link is dead only if there is proof: pages that refuse robots
    or time out are reported, but do not fail it, however often they do. Results are cached for days; an interrupted
    run continues where it stopped. If some links could not be checked, the report begins with their number, and
    standard error has it too.

    Requests to private networks are refused. DOIs, arXiv papers and GitHub repositories are looked up in their
    registries; if GITHUB_TOKEN or GH_TOKEN is set, repositories are looked up in batches (the token is sent to
    api.github.com only).

    \b
    Exit status: 0 no dead links, 1 dead links, 130 interrupted,
    2 an error in options, configuration or files, no network, or only links
    of private networks, which are refused.
    """
    ctx.exit(run_links(options))
