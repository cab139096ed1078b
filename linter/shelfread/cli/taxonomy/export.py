"""`shelfread taxonomy export`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from shelfread.cli import options, output

if TYPE_CHECKING:
    from shelfread.taxonomy.taxonomy import Taxonomy

FORMATS = ("turtle", "json-ld", "yaml")


@click.command
@click.argument("taxonomy", required=False, metavar="[NAME|FILE]")
@click.option(
    "--format", "form", type=click.Choice(FORMATS),
    help="[default: by the end of the output file's name, else turtle]",
)  # fmt: skip
@click.option("--output-file", metavar="FILE", help="Write the taxonomy to this file.")
@options.config
@options.isolated
def command(
    taxonomy: str | None, form: str | None, output_file: str | None, config: str | None, isolated: bool
) -> None:
    """Write a taxonomy as SKOS, in Turtle or JSON-LD, or as YAML; the configured one by default.

    What it extends is included, so that the file stands on its own.
    """
    from shelfread.mapping.named_taxonomies import export_taxonomy

    form = form or _by_suffix(output_file or "")
    output.refuse_output_file(output_file)
    output.write_lines([exported(export_taxonomy(taxonomy, config, isolated), form)], output_file)


def exported(taxonomy: Taxonomy, form: str) -> str:
    """Return a taxonomy in a format. Raises ConfigError if that needs an extra."""
    if form == "yaml":
        from shelfread.taxonomy.yaml_text import exported_text

        return exported_text(taxonomy).rstrip()
    from shelfread.core.extras import need

    need("skos", f"--format {form}")
    from shelfread.report.json_text import dumps
    from shelfread.taxonomy.skos.graph import json_ld, taxonomy_graph, turtle

    graph = taxonomy_graph(taxonomy)
    return turtle(graph).rstrip() if form == "turtle" else dumps(json_ld(graph))


def _by_suffix(file: str) -> str:
    if file.endswith((".yaml", ".yml")):
        return "yaml"
    return "json-ld" if file.endswith((".jsonld", ".json")) else "turtle"
