"""`shelfread links`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options as shared
from shelfread.cli.options import names
from shelfread.rulebook.metadata import SEVERITIES


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
@click.option(
    "--select", multiple=True, callback=names, metavar="ID,...",
    help="Use only these rules, such as link/dead,link/moved.",
)  # fmt: skip
@click.option("--ignore", multiple=True, callback=names, metavar="ID,...", help="Skip these rules.")
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
def command(ctx: click.Context, /, **options: Any) -> None:
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
    from shelfread.cli.check_links import run_links

    ctx.exit(run_links(options))
