"""`shelfread import`, and the entries that it and `shelfread add` print or insert."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options, output
from shelfread.core.wording import counted
from shelfread.exports.entry_formats import ENTRY_FORMATS

if TYPE_CHECKING:
    from shelfread.imports.imported_entry import ImportedEntry
    from shelfread.imports.insert_into import IntoResult
    from shelfread.taxonomy.vocabulary import Vocabulary


_OPTIONS = (
    options.output_format(
        tuple(ENTRY_FORMATS),
        help="What is printed; JSON has all that was read, with the lines it came from.  [default: markdown]",
    ),
    click.option(
        "--into", metavar="LIST.md",
        help="Insert the entries into this list, in its own form and order, without those that it lists already.",
    ),
    click.option(
        "--section", metavar="HEADING",
        help="The section for --into, by its heading or its path (Training > Pipelines).  [default: that of the entry's "
        "own section, subject, venue, year or words, if that is sure]",
    ),
    click.option(
        "--new-section", metavar="HEADING",
        help="Open a section in the list for the entries, below --section if that is given.",
    ),
    click.option(
        "--diff", "as_diff", is_flag=True, help="Show what --into would change, without changing the list."
    ),
    click.option(
        "--output-file", metavar="FILE",
        help="Write the entries to this file; with --into those whose section is not sure, to choose it there.",
    ),
)  # fmt: skip


def insertion(function: options.Function) -> options.Function:
    """Add the options that say where entries go."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def refuse_contradictions(
    into: str | None,
    only_with_into: Sequence[object],
    form: str | None,
    as_diff: bool,
    output_file: str | None,
) -> None:
    """Raise an error for options that do not go together, and for an output file that is no output."""
    if into is None and any(only_with_into):
        raise click.UsageError("--section, --new-section, --yes and --diff need --into LIST.md")
    if into is not None and form is not None:
        raise click.UsageError("--into writes to the list: it cannot be combined with --format")
    if as_diff and output_file is not None:
        raise click.UsageError("--diff writes no file: it cannot be combined with --output-file")
    output.refuse_output_file(output_file)


def print_entries(
    entries: Sequence[ImportedEntry], form: str | None, vocabulary: Vocabulary, file: str | None
) -> None:
    """Print entries in a format, or write them to a file."""
    from shelfread.imports.import_entries import commented_entry, printable_entry

    if form in (None, "markdown"):
        entries = [commented_entry(entry) for entry in entries]
    elif form not in ("json", "jsonl"):
        entries = [printable_entry(entry) for entry in entries]
    output.write_lines(ENTRY_FORMATS[form or "markdown"]((entry, vocabulary) for entry in entries), file)


def write_list(result: IntoResult) -> None:
    """Write the list, if it changes. Raises InputError if it cannot be written."""
    from shelfread.core.file_writing import remove_leftovers
    from shelfread.engine.load_save import write_text

    remove_leftovers([Path(result.source.path or "").parent])
    if result.text != result.source.text and (remark := write_text(result.source, result.text)):
        output.print_error(remark)


def write_rest(result: IntoResult, vocabulary: Vocabulary, file: str | None) -> None:
    """Write the entries that were left out to a file in which their sections can be chosen, or say how to."""
    from shelfread.imports.import_entries import UNDECIDED, commented_entry

    rest = [
        commented_entry(each.entry, f"section: {' | '.join(each.sections)}{UNDECIDED}")
        for each in result.undecided
    ]
    rest += [commented_entry(entry, f"left out: {why}") for entry, why in result.left_out if entry["title"]]
    if not rest:
        return
    if file is None:
        if result.undecided:
            output.print_error(
                "to choose their sections: --output-file FILE writes these entries with the likeliest ones, "
                "--section or --new-section names one for all"
            )
        return
    first, *lines = ENTRY_FORMATS["markdown"]((entry, vocabulary) for entry in rest)
    todo = "<!-- Leave one section of each entry, or write another one; then import this file as before. -->"
    output.write_lines([first, todo, *lines], file)
    entries = counted(len(rest), "entry", "entries")
    output.print_error(f"{file}: {entries}: leave one section of each, and import it again")


def report_entries(
    path: str, result: IntoResult, origin: Callable[[ImportedEntry], str], *, is_written: bool
) -> None:
    """Say where each entry is and why; `origin` returns the place that an entry comes from, for people."""
    from shelfread.report.findings_text import generated_lines

    for line in _lines(path, result, origin, "inserted" if is_written else "would insert"):
        output.print_error(line)
    if result.inserted:
        for line in generated_lines({path: result.generated}, "when it is made anew, this is lost"):
            output.print_error(line)


def _lines(path: str, result: IntoResult, origin: Callable[[ImportedEntry], str], verb: str) -> Iterator[str]:
    new = {}
    for item in result.inserted:
        new[f"{item.entry['path']}:{item.entry['line']}"] = origin(item.entry)
        where = f"in '{item.section}', because {item.why}" if item.section else f"because {item.why}"
        yield f"{path}:{item.line}: {verb} '{item.entry['title']}' {where}"
        yield from (f"{path}:{item.line}: note: {remark}" for remark in item.remarks)
    for entry, where in result.listed:
        reason = f"it is the same as {new[where]}" if where in new else f"{where} lists it"
        yield f"{origin(entry)}: skipped{_title(entry)}: {reason}"
    for entry, reason in result.left_out:
        hint = "" if entry["title"] else ": 'shelfread add', without --offline, looks it up"
        yield f"{origin(entry)}: left out{_title(entry)}: {reason}{hint}"
    for entry, reason, sections in result.undecided:
        likely = f": {', '.join(sections)}" if sections else ""
        yield f"{origin(entry)}: left out{_title(entry)}: {reason}{likely}"


def _title(entry: ImportedEntry) -> str:
    return f" '{entry['title']}'" if entry["title"] else ""


_KINDS = ("markdown", "copied-page", "scholar", "references", "bibtex", "ris", "csl-json", "csv", "ids")


@click.command
@click.argument("file", default="-", metavar="[FILE]")
@click.option(
    "--from",
    "kind",
    type=click.Choice(_KINDS),
    help="What the input is.  [default: recognised from its text]",
)
@insertion
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

    refuse_contradictions(into, (section, new_section, as_diff), form, as_diff, output_file)
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
            write_list(result)
        report_entries(into, result, lambda entry: f"{entry['path']}:{entry['line']}", is_written=not as_diff)
        write_rest(result, vocabulary, output_file)
    else:
        output.print_error(found.summary)
        print_entries(found.entries, form, vocabulary, output_file)
    for line in found.unread:
        output.print_error(line)
    ctx.exit(0 if is_whole else 1)
