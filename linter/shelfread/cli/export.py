"""`shelfread export`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
        generated = (one.path for one in project.left if one.why == GENERATED)  # to be read, if not mended
        for path in sorted((*project.reported, *generated)):
            try:
                document = read_document(path, subjects.vocabulary, unsaved.get(path))
            except UserError as error:
                errors.append(error)
                continue
            for entry in document.entries:
                yield entry_data(entry, document, subjects)
