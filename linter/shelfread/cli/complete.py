"""`shelfread complete`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options as shared
from shelfread.cli.options import FORMATS, names
from shelfread.core.support.named_tuple import NamedTuple

if TYPE_CHECKING:
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.settings import Settings
    from shelfread.metadata.cache import WorkCache


class _Options(NamedTuple):
    paths: tuple[str, ...]
    fix: bool
    diff: bool
    cache_file: str | None
    no_cache: bool
    output_format: str | None
    output_file: str | None
    exit_zero: bool
    show_info: bool


@click.command
@shared.paths
@click.option("--fix", is_flag=True, help="Add what is missing to the lists: read the diff.")
@shared.diff
@click.option("--offline", is_flag=True, help="Use only what earlier runs found.")
@shared.deadline("Stop asking after this time, such as 90s, 10m or 1h.")
@click.option(
    "--cache-file", metavar="FILE",
    help="Where answers are kept between runs.  [default: in the user's cache folder]",
)  # fmt: skip
@click.option("--no-cache", is_flag=True, help="Do not read or write the cache.")
@click.option(
    "--select", multiple=True, callback=names, metavar="ID,...",
    help="Use only these rules, such as complete/published.",
)  # fmt: skip
@click.option("--ignore", multiple=True, callback=names, metavar="ID,...", help="Skip these rules.")
@shared.config
@shared.isolated
@click.option("--output-format", type=click.Choice(FORMATS), metavar="FORMAT", help=shared.output_format_help)
@shared.output_file
@shared.show_info
@shared.exit_zero
@click.pass_context
def command(ctx: click.Context, /, **given: Any) -> None:
    """Find what papers lack or have outgrown: the venue of a published preprint, years, DOIs, code.

    arXiv, Crossref and DBLP are asked, and OpenAlex if OPENALEX_API_KEY is set: by identifier in batches, by title one by
    one, at the pace that they ask for. Answers are kept for a month. Where sources differ, all are shown and none is
    chosen.

    \b
    Exit status: 0 nothing is missing, 1 something is, 2 an error in options, configuration or files,
    130 interrupted.
    """
    from shelfread.cli import output, report
    from shelfread.core.support.interrupts import exit_status
    from shelfread.core.support.plurals import counted
    from shelfread.engine.complete import CompleteOptions, Network, complete

    options = shared.pick(_Options, given)
    if "-" in options.paths:
        raise click.UsageError("complete reads files only, not standard input")
    if options.cache_file and options.no_cache:
        raise click.UsageError("--cache-file and --no-cache exclude each other")
    output.refuse_output_file(options.output_file, options.output_format or "text")
    wanted = shared.pick(
        CompleteOptions,
        given,
        fix=options.fix or options.diff,
        write=options.fix and not options.diff,
        fingerprints=options.output_format in shared.PRINTED,
    )
    network = Network(
        partial(open_work_cache, options.cache_file, options.no_cache), _show_progress(), open_client
    )
    result = complete(wanted, network)
    _show_progress()(0, 0)
    report.report_errors(result.run)
    for note in result.notes:
        output.print_error(note)
    if result.interrupted:
        output.print_error("Interrupted. Run again to continue: what was found is kept")
        ctx.exit(exit_status())
    if options.diff:
        failed = output.show_diff(result.run)
    else:
        report.report_skipped(result.projects)
        output.print_error(f"{counted(result.papers, 'paper')} looked up")
        context = report.render_context(
            options.show_info,
            [project.config for project in result.projects],
            fix_command="shelfread complete --fix",
            unsafe_fix_command="shelfread complete --fix",
        )
        form = options.output_format or "text"
        report.write_report(partial(report.lines, result.run), context, form, options.output_file)
        failed = any(
            found.severity >= context.min_severity for file in result.run.files for found in file.diagnostics
        )
    if result.run.errors:
        ctx.exit(2)
    ctx.exit(int(failed and not options.exit_zero))


def open_work_cache(file: str | None, no_cache: bool) -> AbstractContextManager[WorkCache | None]:
    """Return the cache in a file, by default that in the user's cache folder."""
    from shelfread.cli.output import print_error
    from shelfread.metadata.cache import WorkCache, default_path

    if no_cache:
        return nullcontext()
    return WorkCache(Path(file) if file else default_path(), print_error)


def open_client(settings: Settings) -> Client:
    """Return what makes the requests."""
    from shelfread.linkcheck.http.client import Client

    return Client(settings)


def _show_progress() -> Callable[[int, int], None]:
    """Return what shows on a terminal how many titles were looked for; it clears the line when all are done."""
    if not sys.stderr.isatty() or os.environ.get("CI"):
        return lambda done, total: None

    def show(done: int, total: int) -> None:
        line = f"shelfread: {done:,} of {total:,} titles looked for" if done < total else ""
        click.echo(f"\r\033[K{line}", err=True, nl=False)

    return show
