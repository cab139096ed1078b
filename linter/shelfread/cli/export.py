"""`shelfread export`."""

from __future__ import annotations

import click

from shelfread.cli import options, output


@click.command
@options.paths
@click.option(
    "--format", "form", type=click.Choice(["json", "jsonl", "skos"]), default="json", show_default=True,
    help="A JSON array, an object on each line, or the taxonomy as Turtle (JSON-LD in a .jsonld file).",
)  # fmt: skip
@options.taxonomy
@options.config
@options.isolated
@click.option("--output-file", metavar="FILE", help="Write the entries to this file.")
@options.stdin_filename
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
    """Export entries as JSON, in the order of the files: titles, venues, years, identifiers, links.

    Keys are those of CSL-JSON where it has one; schema/entry.schema.json describes all of them.
    """
    from shelfread.cli.inputs import read_stdin
    from shelfread.core.errors import UserError
    from shelfread.engine.export import export_entries
    from shelfread.report.json_text import dumps

    if form == "skos":
        from shelfread.engine.export import export_taxonomy
        from shelfread.taxonomy.skos import json_ld, turtle

        concepts = export_taxonomy(taxonomy, config, isolated)
        as_json = output_file is not None and output_file.endswith(".jsonld")
        output.write_lines([dumps(json_ld(concepts)) if as_json else turtle(concepts).rstrip()], output_file)
        return
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
