"""`shelfread export`."""

from __future__ import annotations

import click

from shelfread.cli import output
from shelfread.cli.options import paths


@click.command(short_help="Entries as data.")
@paths
@click.option(
    "--format", "form", type=click.Choice(["json", "jsonl"]), default="json", show_default=True,
    help="An array, or one entry a line.",
)  # fmt: skip
@click.option("--taxonomy", metavar="NAME|FILE", help="The subjects that 'concept' names.")
@click.option("--config", metavar="FILE", help="This configuration instead of the nearest .shelfread.yaml.")
@click.option("--isolated", is_flag=True, help="Look for no configuration.")
@click.option("--output-file", metavar="FILE", help="Write the entries there.")
@click.option("--stdin-filename", metavar="NAME", help="What '-' is called.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    form: str,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
    output_file: str | None,
    stdin_filename: str | None,
) -> None:
    """The entries of lists as data, in document order: titles, venues, years, identifiers, links.

    Terms are those of CSL-JSON where it has one; schema/entry.schema.json describes them.
    """
    from shelfread.cli.inputs import read_stdin
    from shelfread.core.errors import UserError
    from shelfread.engine.export import export_entries
    from shelfread.report.json_text import dumps

    errors: list[UserError] = []
    entries = export_entries(
        paths,
        taxonomy=taxonomy,
        config=config,
        isolated=isolated,
        unsaved=read_stdin(paths, stdin_filename),
        errors=errors,
    )
    if form == "jsonl":
        output.write_lines((dumps(entry, indent=None) for entry in entries), output_file)
    else:
        output.write_lines([dumps(list(entries))], output_file)
    for error in errors:
        output.print_error(str(error))
    ctx.exit(2 if errors else 0)
