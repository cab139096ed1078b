"""`shelfread export`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from shelfread.cli import options, output


@click.command
@options.paths
@click.option(
    "--format", "form", type=click.Choice(["json", "jsonl"]), default="json", show_default=True,
    help="A JSON array, or an object on each line.",
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
    from shelfread.core.errors import UserError
    from shelfread.report.json_text import dumps

    errors: list[UserError] = []
    entries = _entries(paths, taxonomy, config, isolated, stdin_filename, errors)
    if form == "jsonl":
        output.write_lines((dumps(entry, indent=None) for entry in entries), output_file)
    else:
        output.write_lines([dumps(list(entries))], output_file)
    for error in errors:
        output.print_error(str(error))
    ctx.exit(2 if errors else 0)


def _entries(
    paths: tuple[str, ...],
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
    stdin_filename: str | None,
    errors: list[Any],
) -> Iterator[dict[str, Any]]:
    from shelfread.cli.inputs import find, read_stdin
    from shelfread.core.errors import UserError
    from shelfread.document.export import entry_data
    from shelfread.engine.run import read_document
    from shelfread.project.exclusions import GENERATED
    from shelfread.taxonomy.load import load

    unsaved = read_stdin(paths, stdin_filename)
    projects, wrong = find(paths, config, isolated, unsaved)
    errors += wrong
    for project in projects:
        subjects = load(taxonomy or project.config.taxonomy)
        generated = (
            file.path for file in project.left if file.why == GENERATED
        )  # can be read, but not fixed
        for path in sorted((*project.reported, *generated)):
            try:
                document = read_document(path, subjects.vocabulary, unsaved.get(path))
            except UserError as error:
                errors.append(error)
                continue
            for entry in document.entries:
                yield entry_data(entry, document, subjects)
