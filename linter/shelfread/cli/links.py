"""`shelfread links`."""

from __future__ import annotations

import re
from typing import Any

import click

from shelfread.cli.options import FORMATS, config_from, names, paths
from shelfread.core.support.regex import lazy
from shelfread.rulebook.metadata import SEVERITIES

_TIME = lazy(r"(?=\d)(?:(\d{1,4})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?", re.IGNORECASE)


def _seconds(ctx: click.Context, option: click.Parameter, value: str | None) -> float | None:
    """`90s`, `10m`, `1h30m` as seconds."""
    if value is None:
        return None
    match = _TIME.fullmatch(value.strip())
    seconds = (
        sum(int(part or 0) * unit for part, unit in zip(match.groups(), (3600, 60, 1), strict=True))
        if match
        else 0
    )
    if not seconds:
        raise click.BadParameter(f"a time such as 90s, 10m or 1h30m, not '{value}'")
    return float(seconds)


@click.command(short_help="Ask the web which links are dead, have moved, or lead astray.")
@paths
@click.option("--fix", is_flag=True, help="Write the new address of what is sure to have moved.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="Also what needs a person's yes, as archives' snapshots of dead links.",
)
@click.option("--diff", is_flag=True, help="Show what would be fixed and change nothing.")
@click.option(
    "--offline", is_flag=True, help="Only links within the project: files and anchors. Asks no network."
)
@click.option(
    "--since",
    metavar="REV",
    help="Only links that REV's version of the lists has not; 'auto': the base branch.",
)
@click.option(
    "--deadline",
    metavar="TIME",
    callback=_seconds,
    help="End after 90s, 10m, 1h; the rest is told as not checked.",
)
@click.option("--soft-404", is_flag=True, help="Also hold pages against one that their host cannot have.")
@click.option(
    "--cache-file",
    metavar="FILE",
    help="What earlier runs found, for CI to keep.  [default: the user's cache folder]",
)
@click.option("--no-cache", is_flag=True, help="Neither use nor keep what runs find.")
@click.option(
    "--allow-private",
    multiple=True,
    callback=names,
    metavar="HOST[:PORT],...",
    help="Hosts of a private network that may be asked.",
)
@click.option(
    "--select",
    multiple=True,
    callback=names,
    metavar="ID,...",
    help="Only these rules: link/dead,link/moved.",
)
@click.option("--ignore", multiple=True, callback=names, metavar="ID,...", help="All but these rules.")
@click.option("--config", metavar="FILE", help="This configuration, not the nearest .shelfread.yaml.")
@config_from
@click.option("--isolated", is_flag=True, help="Look for no configuration.")
@click.option(
    "--output-format",
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    help=f"One of {', '.join(FORMATS)}.  [default: text, in GitHub Actions with annotations and a summary]",
)
@click.option("--output-file", metavar="FILE", help="Write the report there.")
@click.option("--show-info", is_flag=True, help="Say also what is only for information.")
@click.option("--exit-zero", is_flag=True, help="0 also when links are dead.")
@click.option(
    "--fail-on",
    type=click.Choice(list(SEVERITIES)),
    help="Fail on every finding of that severity.  [default: on dead links]",
)
@click.option(
    "-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="With --offline: work in N processes."
)
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Ask the web what became of the links of lists: files, or folders of them; by default the current folder.

    A link is called dead only when that is proven, and nothing else fails the run but files and anchors of the
    project that are not there. What refuses robots or just timed out is told, and not held against the list.
    A run that was interrupted goes on where it stopped: what was found is kept for days.

    No private network is asked. DOIs, arXiv's papers and GitHub's repositories are asked for at their registries;
    with GITHUB_TOKEN or GH_TOKEN set, GitHub's in batches (the token goes to api.github.com alone).

    \b
    Exit status: 0 no link is dead, 1 some are, 130 interrupted,
    2 an error in options, configuration or files, or no network.
    """
    from shelfread.cli.check_links import LinksOptions, check_links

    ctx.exit(check_links(LinksOptions(**options)))
