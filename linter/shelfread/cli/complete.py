"""`shelfread complete`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from shelfread.cli import options as shared
from shelfread.cli.options import names


@click.command
@shared.paths
@click.option("--fix", is_flag=True, help="Add what is missing to the lists: read the diff.")
@shared.diff
@click.option("--offline", is_flag=True, help="Use only what earlier runs found.")
@shared.deadline("Stop asking after this time, such as 90s, 10m or 1h.")
@shared.cache("Where answers are kept between runs.", "Do not read or write the cache.")
@click.option(
    "--select", multiple=True, callback=names, metavar="ID,...",
    help="Use only these rules, such as complete/published.",
)  # fmt: skip
@click.option("--ignore", multiple=True, callback=names, metavar="ID,...", help="Skip these rules.")
@shared.config
@shared.isolated
@shared.report_format
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
    Exit status: 0 nothing is missing, 1 something is, 2 no service answered, or
    an error in options, configuration or files, 130 interrupted.
    """
    from shelfread.cli import output, report
    from shelfread.cli.network import WORKS, chosen_cache, open_client, open_work_cache
    from shelfread.cli.progress import title_progress
    from shelfread.core.process import exit_status
    from shelfread.core.wording import counted
    from shelfread.engine.model import CheckOptions
    from shelfread.imports.complete_lists import CompleteOptions, complete
    from shelfread.imports.look_up import Network

    options = shared.pick(CheckOptions, given)
    if "-" in options.paths:
        raise click.UsageError("complete reads files only, not standard input")
    cache = chosen_cache(WORKS, given["cache_file"], given["no_cache"])
    output.refuse_output_file(options.output_file)
    with title_progress() as progress:
        network = Network(partial(open_work_cache, cache), progress, open_client)
        result = complete(shared.pick(CompleteOptions, given, check=options), network)
    report.report_errors(result.run)
    for note in result.notes:
        output.print_error(note)
    if result.interrupted:
        output.print_error("Interrupted. Run again to continue: what was found is kept")
        ctx.exit(exit_status())
    if given["offline"] and result.papers and result.unknown == result.papers:
        output.print_error(
            "no paper was looked up before, so nothing is compared: run once without --offline"
        )
        ctx.exit(2)
    if options.diff:
        failed = output.show_diff(result.run)
    else:
        report.report_skipped(result.projects)
        where = " in earlier answers" if given["offline"] else ""
        rest = f": nothing is known of {result.unknown:,}" if result.unknown else ""
        if result.papers or not result.run.errors:
            output.print_error(f"{counted(result.papers, 'paper')} looked up{where}{rest}")
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
    if result.run.errors or (result.notes and result.unknown == result.papers):  # nobody answered
        ctx.exit(2)
    ctx.exit(int(failed and not options.exit_zero))
