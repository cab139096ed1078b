"""`shelfread import`, `add` and `complete`: entries that lists get, and what their entries lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from shelfread.cli import options, output
from shelfread.core.wording import counted
from shelfread.exports.entry_formats import ENTRY_FORMATS

if TYPE_CHECKING:
    from shelfread.imports.imported_entry import ImportedEntry
    from shelfread.imports.insert_into import IntoResult
    from shelfread.taxonomy.vocabulary import Vocabulary

# The options that say where entries go.
insertion = options.all_of(
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


class InsertOptions(NamedTuple):
    """Where entries go, as on the command line."""

    form: str | None
    into: str | None
    section: str | None
    new_section: str | None
    as_diff: bool
    output_file: str | None


def read_insertion(given: Mapping[str, Any], yes: bool = False) -> InsertOptions:
    """Return where entries go; raises an error for options that do not go together, and for a file that is no output."""
    wanted = options.pick(InsertOptions, given)
    if wanted.into is None and any((wanted.section, wanted.new_section, yes, wanted.as_diff)):
        raise click.UsageError("--section, --new-section, --yes and --diff need --into LIST.md")
    if wanted.into is not None and wanted.form is not None:
        raise click.UsageError("--into writes to the list: it cannot be combined with --format")
    if wanted.as_diff and wanted.output_file is not None:
        raise click.UsageError("--diff writes no file: it cannot be combined with --output-file")
    output.refuse_output_file(wanted.output_file)
    return wanted


def print_entries(entries: Sequence[ImportedEntry], wanted: InsertOptions, vocabulary: Vocabulary) -> None:
    """Print entries in a format, or write them to a file."""
    from shelfread.imports.import_entries import commented_entry, printable_entry

    form = wanted.form
    if form in (None, "markdown"):
        entries = [commented_entry(entry, vocabulary) for entry in entries]
    elif form not in ("json", "jsonl"):
        entries = [printable_entry(entry, vocabulary) for entry in entries]
    output.write_lines(
        ENTRY_FORMATS[form or "markdown"]((entry, vocabulary) for entry in entries), wanted.output_file
    )


def write_list(result: IntoResult) -> None:
    """Write the list, if it changes. Raises InputError if it cannot be written."""
    from shelfread.core.file_writing import remove_leftovers
    from shelfread.engine.load_save import write_text

    remove_leftovers([Path(result.source.path or "").parent])
    if result.text != result.source.text and (remark := write_text(result.source, result.text)):
        output.print_error(remark)


def write_rest(
    result: IntoResult, vocabulary: Vocabulary, file: str | None, *, is_whole: bool = True
) -> None:
    """Write the entries that were left out to a file in which their sections can be chosen, or say how to.

    Without any, a file that has those of an earlier run becomes empty but for the mark, if the input was read as a whole.
    """
    from shelfread.imports.import_entries import UNDECIDED, commented_entry

    rest = [
        commented_entry(each.entry, vocabulary, f"section: {' | '.join(each.sections)}{UNDECIDED}")
        for each in result.undecided
    ]
    rest += [
        commented_entry(entry, vocabulary, f"left out: {why}")
        for entry, why in result.left_out
        if entry["title"]
    ]
    if not rest:
        if file is not None and is_whole and Path(file).exists():
            output.write_lines(ENTRY_FORMATS["markdown"](()), file)
            output.print_error(f"{file}: no entry is left")
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
def import_command(ctx: click.Context, /, file: str, kind: str | None, **given: Any) -> None:
    """Read citations as entries: BibTeX, RIS, CSL-JSON, CSV, reference lists, search results, copied pages, DOIs.

    FILE is '-' or left out for standard input. What it was recognised as is said on standard error.

    The exit status is 1 if parts of the input could not be read or inserted; they are named, and all others are
    given.
    """
    from shelfread.imports.import_entries import import_entries

    wanted, settings = read_insertion(given), options.settings_of(given)
    found = import_entries(file, kind, **settings)
    is_whole = found.is_whole
    vocabulary = found.taxonomy.vocabulary
    if wanted.into is not None:
        from shelfread.imports.insert_into import insert_into

        result = insert_into(
            wanted.into, found.entries, wanted.section, wanted.new_section, found.chosen, **settings
        )
        output.print_error(found.summary)
        is_whole = is_whole and not result.left_out and not result.undecided
        if wanted.as_diff:
            output.show_change(wanted.into, result.source, result.text)
        else:
            write_list(result)
        report_entries(
            wanted.into,
            result,
            lambda entry: f"{entry['path']}:{entry['line']}",
            is_written=not wanted.as_diff,
        )
        write_rest(result, vocabulary, wanted.output_file, is_whole=found.is_whole)
    else:
        output.print_error(found.summary)
        print_entries(found.entries, wanted, vocabulary)
    for line in found.unread:
        output.print_error(line)
    ctx.exit(0 if is_whole else 1)


@click.command
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@insertion
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--offline", is_flag=True, help="Ask nobody: use only what the identifiers themselves say.")
@options.settings
@click.pass_context
def add_command(ctx: click.Context, /, ids: tuple[str, ...], yes: bool, offline: bool, **given: Any) -> None:
    """Make entries of URLs, DOIs, arXiv ids and repositories (OWNER/NAME), and add them to a list.

    Titles, authors, venues and years come from arXiv, Crossref and DBLP, descriptions from GitHub or from the page
    itself. Without --into the entries are printed. With it the change is shown, and written after a question, or with
    --yes.

    \b
    shelfread add 1706.03762 --into README.md --section Attention
    shelfread add sharkdp/fd https://www.sqlite.org --into README.md --yes

    \b
    Exit status: 0 done, 1 something was not found or not added,
    2 an error in options or files.
    """
    from shelfread.cli.network import WORKS, chosen_cache, open_client, open_work_cache
    from shelfread.imports import add_entries
    from shelfread.imports.look_up import Network
    from shelfread.mapping.project_lists import configured_taxonomy

    wanted, settings = read_insertion(given, yes), options.settings_of(given)
    options.refuse_to_ask(wanted.as_diff or wanted.into is None, yes)
    names = [add_entries.name(word) for word in ids]
    vocabulary = configured_taxonomy(**settings).vocabulary
    if offline:
        added = add_entries.offline_entries(names, vocabulary)
    else:
        network = Network(lambda: open_work_cache(chosen_cache(WORKS)), lambda done, total: None, open_client)
        added = add_entries.find_entries(names, vocabulary, network)
    for line in (*added.notes, *added.problems):
        output.print_error(line)
    is_whole = not added.problems
    if added.entries and wanted.into is None:
        print_entries(added.entries, wanted, vocabulary)
    elif added.entries and wanted.into is not None:
        from shelfread.imports.insert_into import insert_into

        result = insert_into(wanted.into, added.entries, wanted.section, wanted.new_section, **settings)
        is_whole = is_whole and not result.left_out and not result.undecided
        if _insert(wanted.into, result, yes, wanted.as_diff):
            write_rest(result, vocabulary, wanted.output_file)
    ctx.exit(0 if is_whole else 1)


def _insert(path: str, result: IntoResult, yes: bool, as_diff: bool) -> bool:
    """Show how the list would change, and write it if that is wanted; whether nobody refused that."""
    output.show_change(path, result.source, result.text)
    if yes and not as_diff:
        write_list(result)
    report_entries(path, result, lambda entry: entry["path"] or "", is_written=yes and not as_diff)
    if yes or as_diff or result.text == result.source.text:
        return True
    if click.confirm(f"Write this to {path}?", err=True):
        write_list(result)
        return True
    output.print_error("Nothing was written.")
    return False


@click.command
@options.paths
@click.option("--fix", is_flag=True, help="Add what is missing to the lists: read the diff.")
@options.diff
@click.option("--offline", is_flag=True, help="Use only what earlier runs found.")
@options.deadline("Stop asking after this time, such as 90s, 10m or 1h.")
@options.cache("Where answers are kept between runs.", "Do not read or write the cache.")
@options.selection("complete/published")
@options.config
@options.isolated
@options.report_format
@options.output_file
@options.show_info
@options.exit_zero
@click.pass_context
def complete_command(ctx: click.Context, /, **given: Any) -> None:
    """Find what papers lack or have outgrown: the venue of a published preprint, years, DOIs, code.

    arXiv, Crossref and DBLP are asked, and OpenAlex if OPENALEX_API_KEY is set: by identifier in batches, by title one by
    one, at the pace that they ask for. Answers are kept for a month. Where sources differ, all are shown and none is
    chosen.

    \b
    Exit status: 0 nothing is missing, 1 something is, 2 no service answered, or
    an error in options, configuration or files, 130 interrupted.
    """
    from shelfread.cli import report
    from shelfread.cli.network import WORKS, chosen_cache, open_client, open_work_cache, title_progress
    from shelfread.core.process import exit_status
    from shelfread.engine.model import CheckOptions
    from shelfread.imports.complete_lists import CompleteOptions, complete
    from shelfread.imports.look_up import Network

    chosen = options.pick(CheckOptions, given)
    if "-" in chosen.paths:
        raise click.UsageError("complete reads files only, not standard input")
    cache = chosen_cache(WORKS, given["cache_file"], given["no_cache"])
    output.refuse_output_file(chosen.output_file)
    with title_progress() as progress:
        network = Network(partial(open_work_cache, cache), progress, open_client)
        result = complete(options.pick(CompleteOptions, given, check=chosen), network)
    report.report_errors(result.run)
    for note in result.notes:
        output.print_error(note)
    if result.interrupted:
        output.print_error("Interrupted. Run again to continue: what was found is kept")
        ctx.exit(exit_status())
    if given["offline"] and result.papers and result.unknown == result.papers:
        output.print_error(
            "no paper was looked up before, so nothing is compared: run once without --offline"
        )
        ctx.exit(2)
    context = report.render_context(
        chosen.show_info,
        [project.config for project in result.projects],
        fix_command="shelfread complete --fix",
        unsafe_fix_command="shelfread complete --fix",
    )
    nobody = bool(result.notes) and result.unknown == result.papers  # answered
    failed = any(
        found.severity >= context.min_severity for file in result.run.files for found in file.diagnostics
    )
    if chosen.diff:
        failed = output.show_diff(result.run) or failed
    else:
        report.report_skipped(result.projects)
        where = " in earlier answers" if given["offline"] else ""
        rest = f": nothing is known of {result.unknown:,}" if result.unknown else ""
        if result.papers or not result.run.errors:
            output.print_error(f"{counted(result.papers, 'paper')} looked up{where}{rest}")
        form = chosen.output_format or "text"
        if form != "text" or not nobody:  # that nothing was found would be no answer
            report.write_report(partial(report.lines, result.run), context, form, chosen.output_file)
    if result.run.errors or nobody:
        ctx.exit(2)
    ctx.exit(int(failed and not chosen.exit_zero))
