"""`shelfread export`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options, output

if TYPE_CHECKING:
    from shelfread.document.model import Document

FORMATS = ("json", "jsonl", "skos", "markdown")


@click.command
@options.paths
@click.option(
    "--format", "form", type=click.Choice(FORMATS),
    help="A JSON array, an object on each line, the taxonomy as Turtle (JSON-LD in a .jsonld file), or with "
    "--annotate Markdown.  [default: json]",
)  # fmt: skip
@click.option(
    "--annotate", is_flag=True,
    help="Show each list with what was read of each line beside it, for people; '?' marks what is uncertain.",
)  # fmt: skip
@options.taxonomy
@options.config
@options.isolated
@click.option("--output-file", metavar="FILE", help="Write the entries to this file.")
@options.stdin_filename
@click.pass_context
def command(
    ctx: click.Context,
    /,
    form: str | None,
    annotate: bool,
    output_file: str | None,
    stdin_filename: str | None,
    **given: Any,
) -> None:
    """Export entries as JSON, in the order of the files: titles, venues, years, identifiers, links.

    Keys are those of CSL-JSON where it has one; schema/entry.schema.json describes all of them.

    With --annotate, show how the lists were read: the source of each entry and its fields, what was taken for no
    entry and why, and the lines whose links were not read.
    """
    from shelfread.cli.inputs import read_stdin
    from shelfread.core.errors import UserError
    from shelfread.engine.export import export_documents, export_entries
    from shelfread.report.json_text import dumps

    if annotate and form not in (None, "markdown"):
        raise click.UsageError(f"--annotate makes Markdown: it cannot be combined with --format {form}")
    if form == "markdown" and not annotate:
        raise click.UsageError(
            "entries alone cannot be written as Markdown: add --annotate to see how the lists were read"
        )
    as_json = output_file is not None and output_file.endswith(".jsonld")
    output.refuse_output_file(output_file, _written(form, annotate, as_json))
    if form == "skos":
        from shelfread.cli.taxonomy.export import exported
        from shelfread.engine.taxonomies import export_taxonomy

        concepts = export_taxonomy(given["taxonomy"], given["config"], given["isolated"])
        output.write_lines([exported(concepts, "json-ld" if as_json else "turtle")], output_file)
        return
    errors: list[UserError] = []
    lists = export_documents(**given, unsaved=read_stdin(given["paths"], stdin_filename), errors=errors)
    if annotate:
        _annotate((document for document, _ in lists), output_file)
    elif form == "jsonl":
        output.write_lines((dumps(entry, indent=None) for entry in export_entries(lists)), output_file)
    else:
        output.write_lines([dumps(list(export_entries(lists)))], output_file)
    for error in errors:
        output.print_error(str(error))
    ctx.exit(2 if errors else 0)


def _written(form: str | None, annotate: bool, as_json: bool) -> str:
    """Return the name of what is written: two of the formats have two."""
    if form == "skos":
        return "json-ld" if as_json else "turtle"
    return "markdown" if annotate else form if form == "jsonl" else "entries"


def _annotate(documents: Iterable[Document], file: str | None) -> None:
    """Print the annotated lists, or write them to a file."""
    from shelfread.report.entries.annotated import render
    from shelfread.report.terminal import TerminalStyle

    if file is None:
        output.print_lines(render(documents, output.terminal_style()))
    else:
        output.write_lines(render(_without(documents, file), TerminalStyle()), file)


def _without(documents: Iterable[Document], file: str) -> Iterator[Document]:
    """Yield lists, but not what an earlier run wrote to `file`."""
    target = os.path.realpath(file)
    for document in documents:
        if document.source.path is None or os.path.realpath(document.source.path) != target:
            yield document
