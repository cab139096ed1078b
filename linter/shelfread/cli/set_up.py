"""`shelfread init`, `rule` and `server`."""

from __future__ import annotations

import os

import click

from shelfread.cli import options, output
from shelfread.core.errors import need
from shelfread.core.wording import counted

_BASELINE = ".shelfread/known.json"


@click.command
@options.paths
@click.option("--taxonomy", is_flag=True, help="Also write a taxonomy of the subjects to taxonomy.yaml.")
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def init_command(paths: tuple[str, ...], taxonomy: bool, force: bool) -> None:
    """Write a configuration file, .shelfread.yaml, that fits the lists: their kind and their conventions.

    PATH is a file or a folder; the default is the current folder. The configuration is written to the folder that
    contains all of them.

    With --taxonomy the subjects are taken from the headings; if most headings are venues or years, there are none.
    """
    from shelfread.init.write_files import init

    written = init(paths, taxonomy=taxonomy, force=force)
    lists, entries = counted(written.lists, "list"), counted(written.entries, "entry", "entries")
    config = os.path.relpath(written.config)
    lines = [f"{config}: {'kept' if written.kept_config else f'written from {lists} with {entries}'}"]
    if written.taxonomy is not None and written.terms is not None:
        lines.append(f"{os.path.relpath(written.taxonomy)}: written with {written.terms.describe()}")
    if written.terms is not None and not written.terms.subjects:
        lines.append(
            "No subjects were found: the headings are too few, or venues, years, or names that any list has."
        )
    if written.terms is not None and written.taxonomy is None:
        lines.append("No taxonomy was written.")
    if written.kept_config and written.taxonomy is not None:
        lines.append(
            f"Next: write 'taxonomy: {written.taxonomy.name}' into {config}, then run 'shelfread check'."
        )
    else:
        files = "both files" if written.taxonomy is not None else config
        lines.append(f"Next: read {files}, then run 'shelfread check'.")
    lines.append(
        f"To hear of new problems only: 'shelfread check --write-baseline {_BASELINE}' once, and then"
    )
    lines.append(f"'shelfread check --baseline {_BASELINE}'.")
    for error in written.errors:
        output.print_error(f"{error}; it was left out")
    output.print_lines(lines)


@click.command
@click.argument("id", required=False)
@options.text_or_json
@options.config
@click.option("--isolated", is_flag=True, help="Show only the bundled rules.")
def rule_command(id: str | None, form: str, config: str | None, isolated: bool) -> None:
    """Explain a rule, with examples; without ID, list all rules.

    Rules of the project, in .shelfread/rules next to its configuration file, are included.
    """
    from shelfread.project.files import find_config
    from shelfread.report import rule_pages
    from shelfread.rulebook.selection import expand_names, load_catalogue

    rules = load_catalogue(find_config(config, isolated))
    chosen = [rules[name] for name in (rules if id is None else sorted(expand_names([id], rules)))]
    if form == "json":
        output.write_lines(rule_pages.as_json(chosen))
    elif len(chosen) == 1:
        output.print_lines(rule_pages.page(chosen[0], output.terminal_style()))
    else:
        output.print_lines(rule_pages.table(chosen, output.terminal_style()))


@click.command
@click.pass_context
def server_command(ctx: click.Context) -> None:
    """Start the language server for editors, on standard input and output.

    Editors start it themselves: it shows the findings of 'check' while a list is written, and applies fixes and
    'format'. It needs the extra 'server'.

    \b
    Exit status: 0 the client shut the server down, 1 the connection was lost,
    2 pygls is not installed.
    """
    need("server", "the language server")
    from shelfread.server.language_server import serve

    ctx.exit(serve())
