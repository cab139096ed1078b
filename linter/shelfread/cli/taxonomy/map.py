"""`shelfread taxonomy map`."""

from __future__ import annotations

import click

from shelfread.cli import options, output
from shelfread.core.errors import UserError


@click.command
@options.paths
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "json"]), default="text", show_default=True
)
@options.taxonomy
@options.config
@options.isolated
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    form: str,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
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
    from shelfread.engine.taxonomy.lists import read_lists
    from shelfread.engine.taxonomy.mapping import map_headings
    from shelfread.report.json_text import dumps
    from shelfread.report.taxonomy import json, markdown, text

    errors: list[UserError] = []
    lists = read_lists(paths, taxonomy=taxonomy, config=config, isolated=isolated, errors=errors)
    found = map_headings(lists)
    if form == "json":
        output.write_lines([dumps(json.mapping(found))])
    elif form == "markdown":
        output.write_lines(markdown.mapping(found))
    else:
        output.print_lines(text.mapping(found, output.terminal_style()))
    for error in errors:
        output.print_error(str(error))
    ctx.exit(2 if errors else 0)
