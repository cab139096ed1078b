"""`shelfread export`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

import click

from shelfread.cli import options, output
from shelfread.exports.entry_formats import ENTRY_FORMATS

if TYPE_CHECKING:
    from shelfread.core.errors import UserError
    from shelfread.document.model import Document
    from shelfread.taxonomy.taxonomy import Taxonomy

Item = TypeVar("Item")

FORMATS = (*ENTRY_FORMATS, "skos")


@click.command
@options.paths
@options.output_format(
    FORMATS,
    help="A JSON array, an object on each line, references for other programs, a table, the taxonomy with its entries as "
    "Turtle (JSON-LD in a .jsonld file), or a Markdown list.  [default: json]",
)
@click.option(
    "--annotate", is_flag=True,
    help="Show each list with what was read of each line beside it, for people; '?' marks what is uncertain.",
)  # fmt: skip
@click.option("--papers", is_flag=True, help="Only papers, for citing.")
@options.settings
@click.option("--output-file", metavar="FILE", help="Write the entries to this file.")
@options.stdin_filename
@click.pass_context
def command(
    ctx: click.Context,
    /,
    form: str | None,
    annotate: bool,
    papers: bool,
    output_file: str | None,
    stdin_filename: str | None,
    **given: Any,
) -> None:
    """Export entries, in the order of the files: titles, authors, venues, years, identifiers, links.

    The keys of JSON are those of CSL-JSON where it has one; schema/entry.schema.json describes all of them. JSON has all
    that was read; docs/export.md says what each other format keeps.

    With --annotate, show how the lists were read: the source of each entry and its fields, what was taken for no
    entry and why, and what was not read.
    """
    from shelfread.cli.options import no_entries, read_stdin
    from shelfread.exports.cited_work import is_paper
    from shelfread.exports.shown_lists import export_documents, export_entries

    if papers and (annotate or form == "skos"):
        raise click.UsageError("--papers chooses entries: it goes with neither --annotate nor --format skos")
    if annotate and form not in (None, "markdown"):
        raise click.UsageError(f"--annotate makes Markdown: it cannot be combined with --format {form}")
    as_json = output_file is not None and output_file.endswith(".jsonld")
    output.refuse_output_file(output_file)
    errors: list[UserError] = []
    unsaved = read_stdin(given["paths"], stdin_filename)
    waiting = output.file_progress if output_file else output.streaming_progress
    documents = export_documents(
        **given, unsaved=unsaved, errors=errors, warn=output.print_error, waiting=waiting
    )
    is_empty, lists = _peek(documents)
    if is_empty and not given["paths"] and form == "skos":
        errors = [error for error in errors if error.path != "."]  # without lists there is still the taxonomy
    if is_empty and errors:
        pass  # what an earlier run wrote stays
    elif annotate:
        _annotate((document for document, _ in lists), output_file)
    elif form == "skos":
        output.write_lines(_taxonomy(lists, given, as_json), output_file)
    else:
        found = export_entries(lists)
        is_empty, entries = _peek(item for item in found if not papers or is_paper(item[0]))
        output.write_lines(ENTRY_FORMATS[form or "json"](entries), output_file)
        if is_empty:
            output.print_error("no papers found" if papers else no_entries(given["paths"]))
    ctx.exit(output.report_errors(errors))


def _peek(items: Iterator[Item]) -> tuple[bool, Iterator[Item]]:
    first = list(islice(items, 1))
    return not first, chain(first, items)


def _taxonomy(
    lists: Iterable[tuple[Document, Taxonomy]],
    given: Mapping[str, Any],
    as_json: bool,
) -> Iterator[str]:
    from shelfread.core.errors import need

    need("skos", "--format skos")
    from shelfread.exports.shown_lists import export_subjects
    from shelfread.exports.skos_entries import subjects_graph
    from shelfread.report.rendering import dumps
    from shelfread.taxonomy.skos.graph import json_ld, turtle

    taxonomies, entries = export_subjects(lists, given["taxonomy"], given["config"], given["isolated"])
    graph = subjects_graph(taxonomies, entries)
    return iter([dumps(json_ld(graph)) if as_json else turtle(graph).rstrip()])


def _annotate(documents: Iterable[Document], file: str | None) -> None:
    """Print the annotated lists, or write them to a file, without what an earlier run wrote to it."""
    from shelfread.exports.annotated import annotated
    from shelfread.report.rendering import TerminalStyle

    if file is None:
        output.print_lines(annotated(documents, output.terminal_style()))
        return
    target = os.path.realpath(file)
    others = (
        document
        for document in documents
        if document.source.path is None or os.path.realpath(document.source.path) != target
    )
    output.write_marked(annotated(others, TerminalStyle()), file, is_markdown=False)
