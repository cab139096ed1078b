"""The options that check and fix share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from shelfread.rulebook.metadata import ONLINE, PRESETS, SEVERITIES

FORMATS = {
    "text": "text",
    "concise": "concise",
    "json": "json",
    "github": "github",
    "gitlab": "gitlab",
    "junit": "junit",
    "markdown": "markdown",
    "rdjson": "rdjson",
    "sarif": "sarif",
}
"""The formats of a report, each a module of `report/findings/`."""
PEOPLE = ("text", "concise", "statistics")
"""Reports of lines for people: fitted to the terminal."""
PRINTED = ("gitlab", "sarif")
"""Formats in which a finding has its fingerprint."""

Function = TypeVar("Function", bound=Callable[..., Any])


def names(ctx: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """`a,b c` and repeated options as one sequence of names."""
    return tuple(name for value in values for name in value.replace(",", " ").split())


paths = click.argument("paths", nargs=-1, metavar="[PATH]...")

config_from = click.option(
    "--config-from",
    metavar="REV",
    help="The configurations that this commit has, so that a change cannot relax them; 'auto': where the "
    "change began.",
)

_SHARED = (
    click.option("--unsafe-fixes", is_flag=True, help="Also fix what needs a person's yes: read the diff."),
    click.option("--diff", is_flag=True, help="Show what would be fixed and change nothing."),
    click.option(
        "--select", multiple=True, callback=names, metavar="ID,...",
        help="These rules or families (link/malformed, paper) instead of the presets'.",
    ),
    click.option(
        "--ignore", multiple=True, callback=names, metavar="ID,...", help="All but these rules or families."
    ),
    click.option(
        "--preset", "presets", multiple=True, callback=names, metavar="NAME,...",
        help=f"Instead of the detected ones: {', '.join(name for name in PRESETS if name != ONLINE)}.",
    ),
    click.option("--config", metavar="FILE", help="This configuration, not the nearest .shelfread.yaml."),
    config_from,
    click.option("--isolated", is_flag=True, help="Look for no configuration."),
    click.option("--taxonomy", metavar="NAME|FILE", help="The subjects that sections may have."),
    click.option(
        "--output-format", "output_format", metavar="FORMAT",
        help=f"One of {', '.join(FORMATS)}.  [default: text; in GitHub Actions also annotations and a summary]",
    ),
    click.option(
        "--output-file", metavar="FILE", help="Write the report there in FORMAT, and show it here as text."
    ),
    click.option(
        "--since", metavar="REV",
        help="Only what the changes since this commit brought about; 'auto': since the branch began.",
    ),
    click.option("--baseline", metavar="FILE", help="Leave out the findings that this file knows."),
    click.option("--write-baseline", metavar="FILE", help="Write the findings there, to be left out later."),
    click.option("--stdin-filename", metavar="NAME", help="The name of what '-' reads."),
    click.option("--statistics", is_flag=True, help="How often each rule spoke, instead of what it said."),
    click.option("--exit-zero", is_flag=True, help="0 also when there are findings."),
    click.option(
        "--fail-on", type=click.Choice(list(SEVERITIES)),
        help="The least severity that fails.  [default: warning]",
    ),
    click.option("--show-info", is_flag=True, help="Say also what is only for information."),
    click.option(
        "-j", "--jobs", type=click.IntRange(min=1), metavar="N",
        help="Work in N processes.  [default: as many as pay]",
    ),
    click.option("--no-cache", is_flag=True, help="No effect yet: nothing is cached."),
)  # fmt: skip


def shared(function: Function) -> Function:
    """All of them, in this order in the help."""
    for option in reversed(_SHARED):
        function = option(function)
    return function
