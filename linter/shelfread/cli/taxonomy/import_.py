"""`shelfread taxonomy import`."""

from __future__ import annotations

import click

from shelfread.cli import output
from shelfread.mapping.named_taxonomies import SYNTAXES


@click.command
@click.argument("file")
@click.option(
    "--from", "syntax", type=click.Choice(list(dict.fromkeys(SYNTAXES.values()))),
    help="The syntax: Turtle, JSON-LD, RDF/XML or N-Triples.  [default: by the end of the file's name]",
)  # fmt: skip
@click.option("--output-file", metavar="FILE", help="Write the taxonomy to this file, which must not exist.")
def command(file: str, syntax: str | None, output_file: str | None) -> None:
    """Write a SKOS vocabulary as a taxonomy in YAML.

    Nothing is fetched. What a taxonomy has no place for is said in comments at its beginning.
    """
    from shelfread.mapping.named_taxonomies import import_taxonomy

    output.refuse_output_file(output_file, replace=False)
    output.write_lines([import_taxonomy(file, syntax).rstrip()], output_file)
