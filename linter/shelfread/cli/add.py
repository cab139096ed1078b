"""`shelfread add`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from shelfread.cli import import_, options

if TYPE_CHECKING:
    from shelfread.imports.insert_into import IntoResult


@click.command
@click.argument("ids", nargs=-1, required=True, metavar="ID...")
@import_.insertion
@click.option("--yes", is_flag=True, help="Write without asking.")
@click.option("--offline", is_flag=True, help="Ask nobody: use only what the identifiers themselves say.")
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    ids: tuple[str, ...],
    form: str | None,
    into: str | None,
    section: str | None,
    new_section: str | None,
    as_diff: bool,
    output_file: str | None,
    yes: bool,
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
    from shelfread.cli.network import WORKS, chosen_cache, open_client, open_work_cache
    from shelfread.cli.options import refuse_to_ask
    from shelfread.imports import add_entries
    from shelfread.imports.look_up import Network
    from shelfread.mapping.project_lists import configured_taxonomy

    needs_list = (section, new_section, yes, as_diff)
    import_.refuse_contradictions(into, needs_list, form, as_diff, output_file)
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
    is_whole = not added.problems
    if added.entries and into is None:
        import_.print_entries(added.entries, form, vocabulary, output_file)
    elif added.entries and into is not None:
        from shelfread.imports.insert_into import insert_into

        result = insert_into(into, added.entries, section, new_section, **settings)
        is_whole = is_whole and not result.left_out and not result.undecided
        if _insert(into, result, yes, as_diff):
            import_.write_rest(result, vocabulary, output_file)
    ctx.exit(0 if is_whole else 1)


def _insert(path: str, result: IntoResult, yes: bool, as_diff: bool) -> bool:
    """Show how the list would change, and write it if that is wanted; whether nobody refused that."""
    from shelfread.cli import output

    output.show_change(path, result.source, result.text)
    if yes and not as_diff:
        import_.write_list(result)
    import_.report_entries(path, result, lambda entry: entry["path"] or "", is_written=yes and not as_diff)
    if yes or as_diff or result.text == result.source.text:
        return True
    if click.confirm(f"Write this to {path}?", err=True):
        import_.write_list(result)
        return True
    output.print_error("Nothing was written.")
    return False
