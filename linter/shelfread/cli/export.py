"""`shelfread export`."""

from __future__ import annotations

import json

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
        output.write_utf8((json.dumps(entry, ensure_ascii=False) for entry in entries), output_file)
    else:
        output.write_utf8([json.dumps(list(entries), ensure_ascii=False, indent=2)], output_file)
    for error in errors:
        output.complain(str(error))
    ctx.exit(2 if errors else 0)
