"""`shelfread import`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import inserted_entries, options, output

_KINDS = ("markdown", "copied-page", "scholar", "references", "bibtex", "ris", "csl-json", "csv", "ids")


@click.command
@click.argument("file", default="-", metavar="[FILE]")
@click.option(
    "--from",
    "kind",
    type=click.Choice(_KINDS),
    help="What the input is.  [default: recognised from its text]",
)
@inserted_entries.insertion
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    file: str,
    kind: str | None,
    form: str | None,
    into: str | None,
    section: str | None,
    new_section: str | None,
    as_diff: bool,
    output_file: str | None,
    **given: Any,
) -> None:
    """Read citations as entries: BibTeX, RIS, CSL-JSON, CSV, reference lists, search results, copied pages, DOIs.

    FILE is '-' or left out for standard input. What it was recognised as is said on standard error.

    The exit status is 1 if parts of the input could not be read or inserted; they are named, and all others are
    given.
    """
    from shelfread.imports.import_entries import import_entries

    inserted_entries.refuse_contradictions(into, (section, new_section, as_diff), form, as_diff, output_file)
    found = import_entries(file, kind, **given)
    is_whole = found.is_whole
    vocabulary = found.taxonomy.vocabulary
    if into is not None:
        from shelfread.imports.insert_into import insert_into

        result = insert_into(into, found.entries, section, new_section, found.chosen, **given)
        output.print_error(found.summary)
        is_whole = is_whole and not result.left_out and not result.undecided
        if as_diff:
            output.show_change(into, result.source, result.text)
        else:
            inserted_entries.write_list(result)
        inserted_entries.report_entries(
            into, result, lambda entry: f"{entry['path']}:{entry['line']}", is_written=not as_diff
        )
        inserted_entries.write_rest(result, vocabulary, output_file)
    else:
        output.print_error(found.summary)
        inserted_entries.print_entries(found.entries, form, vocabulary, output_file)
    for line in found.unread:
        output.print_error(line)
    ctx.exit(0 if is_whole else 1)
