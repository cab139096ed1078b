"""`shelfread add`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from shelfread.cli import options

if TYPE_CHECKING:
    from shelfread.engine.insert.into import IntoResult


@click.command
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@click.option(
    "--into", metavar="LIST.md", help="Insert the entries into this list, in its own form and order."
)
@click.option(
    "--section", metavar="HEADING",
    help="The section for --into.  [default: that of the entry's subject, venue or year]",
)  # fmt: skip
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option(
    "--diff", "as_diff", is_flag=True, help="Show what --into would change, without changing the list."
)
@click.option("--offline", is_flag=True, help="Ask nobody: use only what the identifiers themselves say.")
@options.taxonomy
@options.config
@options.isolated
@click.pass_context
def command(
    ctx: click.Context,
    /,
    ids: tuple[str, ...],
    into: str | None,
    section: str | None,
    yes: bool,
    as_diff: bool,
    offline: bool,
    taxonomy: str | None,
    config: str | None,
    isolated: bool,
) -> None:
    """Make entries of URLs, DOIs, arXiv ids and repositories (OWNER/NAME), and add them to a list.

    Titles, authors, venues and years come from arXiv, Crossref and DBLP, descriptions from GitHub or from the page
    itself. Without --into the entries are printed. With it the change is shown, and written after a question, or with
    --yes.

    \b
    shelfread add 1706.03762 --into README.md --section Attention
    shelfread add sharkdp/fd https://www.sqlite.org --into README.md --yes

    \b
    Exit status: 0 done, 1 something was not found or not added, 2 an error in options or files.
    """
    from shelfread.cli import output
    from shelfread.cli.complete import open_client, open_work_cache
    from shelfread.cli.entry_formats import entry_lines
    from shelfread.engine import add
    from shelfread.engine.complete import Network
    from shelfread.engine.import_entries import printable_entry
    from shelfread.project.inputs import find_config
    from shelfread.taxonomy.load import load

    if into is None and (section is not None or yes or as_diff):
        raise click.UsageError("--section, --yes and --diff need --into LIST.md")
    names = [add.name(word) for word in ids]
    vocabulary = load(taxonomy or find_config(config, isolated).taxonomy).vocabulary
    if offline:
        added = add.offline_entries(names, vocabulary)
    else:
        network = Network(lambda: open_work_cache(None, False), lambda done, total: None, open_client)
        added = add.find_entries(names, vocabulary, network)
    for line in (*added.notes, *added.problems):
        output.print_error(line)
    problems = list(added.problems)
    if into is None:
        entries = ((printable_entry(entry), vocabulary) for entry in added.entries)
        output.write_lines(entry_lines(entries, "markdown"))
    elif added.entries:
        from shelfread.engine.insert.into import insert_into

        result = insert_into(
            into, added.entries, section, taxonomy=taxonomy, config=config, isolated=isolated
        )
        problems += [f"{entry['path']}: left out: {reason}" for entry, reason in result.left_out]
        _write(into, result, yes, as_diff)
        for entry, reason in result.left_out:
            output.print_error(f"{entry['path']}: left out: {reason}")
    ctx.exit(1 if problems else 0)


def _write(path: str, result: IntoResult, yes: bool, as_diff: bool) -> None:
    """Show how the list would change, and write it if that is wanted."""
    from shelfread.cli import output
    from shelfread.core.errors import InputError
    from shelfread.engine.save import write_text

    for entry, where in result.listed:
        output.print_error(f"{entry['path']}: skipped: {where} lists it")
    for item in result.inserted:
        where = f"in '{item.section}', because {item.why}" if item.section else f"because {item.why}"
        output.print_error(f"{path}:{item.line}: '{item.entry['title']}' {where}")
        for note in item.remarks:
            output.print_error(f"{path}:{item.line}: note: {note}")
    if result.text == result.source.text:
        return
    output.show_change(path, result.source, result.text)
    if as_diff:
        return
    if not yes:
        if not sys.stdin.isatty():
            raise InputError("nothing was written: there is no terminal to ask, so add --yes", path)
        if not click.confirm(f"Write this to {path}?", err=True):
            output.print_error("Nothing was written.")
            return
    if remark := write_text(result.source, result.text):
        output.print_error(remark)
