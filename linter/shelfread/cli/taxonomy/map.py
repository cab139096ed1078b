"""`shelfread taxonomy map`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options, output
from shelfread.core.errors import UserError


@click.command
@options.paths
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True
)
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    form: str,
    **settings: Any,
) -> None:
    """Show which concepts each heading of lists names, and how sure that is.

    \b
    label   the heading is a label of the concept
    words   the heading is read by its words: 'Quantization of LLMs'
    near    it names no concept: the nearest ones are shown
    none    it names no concept, and none is near

    Headings that name no subject, such as years, venues and contents, are only counted; --format json has them. If no
    taxonomy is configured, the bundled one that knows the most headings is used.
    """
    from shelfread.mapping.lists import read_lists
    from shelfread.mapping.mapping import map_headings
    from shelfread.report.json_text import dumps
    from shelfread.report.taxonomy import json, markdown, text

    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    found = map_headings(lists)
    if form == "json":
        output.write_lines([dumps(json.mapping(found))])
    elif form == "markdown":
        output.write_lines(markdown.mapping(found))
    else:
        output.print_lines(text.mapping(found, output.terminal_style()))
    ctx.exit(output.report_errors(errors))
