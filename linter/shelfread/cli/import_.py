"""`shelfread import`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options, output
from shelfread.cli.entry_formats import ENTRY_FORMATS, entry_lines, written_name

if TYPE_CHECKING:
    from shelfread.engine.insert.into import IntoResult

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
    "--format", "form", type=click.Choice(ENTRY_FORMATS),
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
@options.taxonomy
@options.config
@options.isolated
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
    from shelfread.engine.import_entries import import_entries, printable_entry

    if into is None and (section is not None or as_diff):
        raise click.UsageError("--section and --diff need --into LIST.md")
    if into is not None and (form is not None or output_file is not None):
        raise click.UsageError(
            "--into writes to the list: it cannot be combined with --format or --output-file"
        )
    output.refuse_output_file(output_file, written_name(form or "markdown"))
    found = import_entries(file, kind, **given)
    output.print_error(found.summary)
    problems = list(found.problems)
    entries = found.entries
    if into is not None:
        from shelfread.engine.insert.into import insert_into

        result = insert_into(into, entries, section, **given)
        problems += _write(into, result, as_diff)
    else:
        if form not in ("json", "jsonl"):
            entries = [printable_entry(entry) for entry in entries]
        vocabulary = found.taxonomy.vocabulary
        output.write_lines(
            entry_lines(((entry, vocabulary) for entry in entries), form or "markdown"), output_file
        )
    for line in problems:
        output.print_error(line)
    ctx.exit(1 if problems else 0)


def _write(path: str, result: IntoResult, as_diff: bool) -> list[str]:
    """Write a list, or show how it would change; return what was left out."""
    from shelfread.engine.save import write_text

    if as_diff:
        output.show_change(path, result.source, result.text)
    elif result.text != result.source.text and (remark := write_text(result.source, result.text)):
        output.print_error(remark)
    for line in _told(path, result, as_diff):
        output.print_error(line)
    return [
        f"{entry['path']}:{entry['line']}: left out: '{entry['title']}': {reason}"
        for entry, reason in result.left_out
    ]


def _told(path: str, result: IntoResult, as_diff: bool) -> Iterator[str]:
    """Yield where each entry is, and why."""
    for item in result.inserted:
        where = f"in '{item.section}', because {item.why}" if item.section else f"because {item.why}"
        yield f"{path}:{item.line}: {'would insert' if as_diff else 'inserted'} '{item.entry['title']}' {where}"
        yield from (f"{path}:{item.line}: note: {remark}" for remark in item.remarks)
    for entry, where in result.listed:
        yield f"{entry['path']}:{entry['line']}: skipped '{entry['title']}': {where} lists it"
