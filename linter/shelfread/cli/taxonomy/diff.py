"""`shelfread taxonomy diff`."""

from __future__ import annotations

import click

from shelfread.cli import output


@click.command
@click.argument("base")
@click.argument("head")
@click.option(
    "--output-format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(base: str, head: str, form: str) -> None:
    """Show what differs between two taxonomies: concepts, labels, relations and definitions.

    BASE and HEAD are bundled names, files, or files of a commit: main:taxonomy.yaml. Concepts are the same if their ids
    are.

    \b
    shelfread taxonomy diff HEAD:taxonomy.yaml taxonomy.yaml
    """
    from shelfread.mapping.named_taxonomies import load_named
    from shelfread.report.taxonomy import difference
    from shelfread.taxonomy.taxonomy_difference import compare

    found = compare(load_named(base), load_named(head))
    if form == "json":
        output.write_lines([difference.as_json(found, base, head)])
    else:
        output.print_lines(difference.as_text(found, output.terminal_style()))
