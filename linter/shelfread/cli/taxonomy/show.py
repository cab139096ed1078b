"""`shelfread taxonomy show`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options, output
from shelfread.core.errors import UserError


@click.command
@options.paths
@click.option("--all", "whole", is_flag=True, help="Show the concepts without sections too.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    whole: bool,
    form: str,
    **settings: Any,
) -> None:
    """Show the tree of concepts, with the number of sections and entries that lists have of each.

    Concepts without sections are left out, unless a narrower one has some. Headings that the taxonomy does not know
    are listed at the end. If no taxonomy is configured, the bundled one that knows the most headings is used.
    """
    from shelfread.mapping.lists import read_lists
    from shelfread.mapping.tree import build_tree
    from shelfread.report.json_text import dumps
    from shelfread.report.taxonomy import json, text

    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    found = build_tree(lists, with_unused=whole)
    if form == "json":
        output.write_lines([dumps(json.tree(found))])
    else:
        output.print_lines(text.tree(found, output.terminal_style(), whole=whole))
    ctx.exit(output.report_errors(errors))
