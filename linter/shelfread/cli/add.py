"""`shelfread add`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import options

if TYPE_CHECKING:
    from shelfread.imports.insert.insert_into import IntoResult


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
@options.settings
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
    **settings: Any,
) -> None:
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
    from shelfread.cli import output
    from shelfread.cli.inputs import refuse_to_ask
    from shelfread.cli.network import WORKS, chosen_cache, open_client, open_work_cache
    from shelfread.exports.canonical_list import markdown
    from shelfread.imports import add_entries
    from shelfread.imports.import_entries import printable_entry
    from shelfread.imports.services.look_up import Network
    from shelfread.mapping.named_taxonomies import configured_taxonomy

    if into is None and (section is not None or yes or as_diff):
        raise click.UsageError("--section, --yes and --diff need --into LIST.md")
    refuse_to_ask(as_diff or into is None, yes)
    names = [add_entries.name(word) for word in ids]
    vocabulary = configured_taxonomy(**settings).vocabulary
    if offline:
        added = add_entries.offline_entries(names, vocabulary)
    else:
        network = Network(lambda: open_work_cache(chosen_cache(WORKS)), lambda done, total: None, open_client)
        added = add_entries.find_entries(names, vocabulary, network)
    for line in (*added.notes, *added.problems):
        output.print_error(line)
    left_out = False
    if added.entries and into is None:
        entries = ((printable_entry(entry), vocabulary) for entry in added.entries)
        output.write_lines(markdown(entries))
    elif added.entries and into is not None:
        from shelfread.imports.insert.insert_into import insert_into

        result = insert_into(into, added.entries, section, **settings)
        left_out = bool(result.left_out)
        _insert(into, result, yes, as_diff)
    ctx.exit(1 if added.problems or left_out else 0)


def _insert(path: str, result: IntoResult, yes: bool, as_diff: bool) -> None:
    """Show how the list would change, and write it if that is wanted."""
    from shelfread.cli import inserted_entries, output

    changes = result.text != result.source.text
    output.show_change(path, result.source, result.text)
    if yes and not as_diff:
        inserted_entries.write_list(result)
    inserted_entries.report_entries(
        path, result, lambda entry: entry["path"] or "", is_written=yes and not as_diff
    )
    if yes or as_diff or not changes:
        return
    if click.confirm(f"Write this to {path}?", err=True):
        inserted_entries.write_list(result)
    else:
        output.print_error("Nothing was written.")
