"""`shelfread taxonomy export`."""

from __future__ import annotations

import click

from shelfread.cli import options, output

FORMATS = ("turtle", "json-ld")


@click.command
@click.argument("taxonomy", required=False, metavar="[NAME|FILE]")
@click.option(
    "--format", "form", type=click.Choice(FORMATS),
    help="[default: turtle; json-ld for an output file that ends in .jsonld]",
)  # fmt: skip
@click.option("--output-file", metavar="FILE", help="Write the taxonomy to this file.")
@options.config
@options.isolated
def command(
    taxonomy: str | None, form: str | None, output_file: str | None, config: str | None, isolated: bool
) -> None:
    """Write a taxonomy as SKOS, the configured one by default."""
    from shelfread.engine.export import export_taxonomy
    from shelfread.report.json_text import dumps
    from shelfread.taxonomy.skos import json_ld, turtle

    if form is None:
        form = "json-ld" if output_file and output_file.endswith(".jsonld") else "turtle"
    output.refuse_output_file(output_file, form)
    concepts = export_taxonomy(taxonomy, config, isolated)
    text = dumps(json_ld(concepts)) if form == "json-ld" else turtle(concepts).rstrip()
    output.write_lines([text], output_file)
