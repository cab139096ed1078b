"""`shelfread import`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options, output
from shelfread.exports.entry_formats import ENTRY_FORMATS

_KINDS = ("markdown", "copied-page", "scholar", "references", "bibtex", "ris", "csl-json", "csv", "ids")


@click.command
@click.argument("file", default="-", metavar="[FILE]")
@click.option(
    "--from",
    "kind",
    type=click.Choice(_KINDS),
    help="What the input is.  [default: recognised from its text]",
)
@click.option(
    "--output-format", "--format", "form", type=click.Choice(tuple(ENTRY_FORMATS)),
    help="What is printed; JSON has all that was read, with the lines it came from.  [default: markdown]",
)  # fmt: skip
@click.option(
    "--into", metavar="LIST.md",
    help="Insert the entries into this list, in its own form and order, without those that it lists already.",
)  # fmt: skip
@click.option(
    "--section", metavar="HEADING",
    help="The section for --into, by its heading or its path (Training > Pipelines).  [default: that of the entry's "
    "own section, subject, venue or year]",
)  # fmt: skip
@click.option(
    "--diff", "as_diff", is_flag=True, help="Show what --into would change, without changing the list."
)
@options.settings
@click.option("--output-file", metavar="FILE", help="Write the entries to this file.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    kind: str | None,
    form: str | None,
    into: str | None,
    section: str | None,
    as_diff: bool,
    output_file: str | None,
    **given: Any,
) -> None:
    """Read citations as entries: BibTeX, RIS, CSL-JSON, CSV, reference lists, search results, copied pages, DOIs.

    FILE is '-' or left out for standard input. What it was recognised as is said on standard error.

    The exit status is 1 if parts of the input could not be read or inserted; they are named, and all others are
    given.
    """
    from shelfread.imports.import_entries import import_entries, printable_entry

    if into is None and (section is not None or as_diff):
        raise click.UsageError("--section and --diff need --into LIST.md")
    if into is not None and (form is not None or output_file is not None):
        raise click.UsageError(
            "--into writes to the list: it cannot be combined with --format or --output-file"
        )
    output.refuse_output_file(output_file)
    found = import_entries(file, kind, **given)
    output.print_error(found.summary)
    entries, left_out = found.entries, []
    if into is not None:
        from shelfread.cli import inserted_entries
        from shelfread.imports.insert.insert_into import insert_into

        result = insert_into(into, entries, section, **given)
        left_out = result.left_out
        if as_diff:
            output.show_change(into, result.source, result.text)
        else:
            inserted_entries.write_list(result)
        inserted_entries.report_entries(
            into, result, lambda entry: f"{entry['path']}:{entry['line']}", is_written=not as_diff
        )
    else:
        if form not in ("json", "jsonl"):
            entries = [printable_entry(entry) for entry in entries]
        vocabulary = found.taxonomy.vocabulary
        lines = ENTRY_FORMATS[form or "markdown"]((entry, vocabulary) for entry in entries)
        output.write_lines(lines, output_file)
    for line in found.problems:
        output.print_error(line)
    ctx.exit(1 if found.problems or left_out else 0)
