"""`shelfread format`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from shelfread.cli import output
from shelfread.cli.left import say_left
from shelfread.cli.options import paths
from shelfread.core.errors import UserError
from shelfread.format.style import ENTRY_STYLES, EntryStyle

if TYPE_CHECKING:
    from shelfread.engine.format_files import FormattedFile


@click.command(short_help="Format blank lines, bullets, indentation and headings.")
@paths
@click.option(
    "--entry-style",
    metavar="NAME",
    type=click.Choice(ENTRY_STYLES),
    help=f"Write the entries of papers in one style: {', '.join(ENTRY_STYLES)}. Review the diff.",
)
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
@click.option("--config", metavar="FILE", help="Use this configuration, not the nearest .shelfread.yaml.")
@click.option("--isolated", is_flag=True, help="Ignore all configuration files.")
@click.option("--stdin-filename", metavar="NAME", help="The name of what '-' reads.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    entry_style: EntryStyle | None,
    check: bool,
    diff: bool,
    config: str | None,
    isolated: bool,
    stdin_filename: str | None,
) -> None:
    """Format the text of lists without changing a word or the page that it shows.

    One blank line between blocks, lists with the bullet and the indentation that most of the text has, headings
    with '#', no spaces at the ends of lines. What is formatted already stays byte for byte. A block that cannot be
    formatted without changing the page is left as it is and reported. '<!-- shelfread-format off -->' disables
    formatting up to '<!-- shelfread-format on -->'.

    With --entry-style the entries of papers get one style. An entry that would lose a word, a link or any field that
    'shelfread export' gives is left as it is and reported.

    \b
    Exit status: 0 done; with --check or --diff 1 when something would change; 2 an error.
    """
    from shelfread.cli.inputs import find, read_stdin
    from shelfread.engine.format_files import format_files

    unsaved = read_stdin(paths, stdin_filename)
    projects, errors = find(paths, config, isolated, unsaved)
    changed = total = 0
    for file in format_files(projects, entry_style, unsaved):
        if isinstance(file, UserError):
            errors.append(file)
            continue
        path, total = file.source.path or "", total + 1
        changed += file.changed
        is_stdin = path in unsaved
        for line in say_left(path, file.result.unformatted):
            output.complain(line)
        if diff:
            output.show_change(path, file.source, file.result.text)
        elif check:
            if file.changed:
                output.write([f"{path}: would be formatted"], err=is_stdin)
        elif is_stdin:
            output.write_bytes(file.source.to_bytes(file.result.text))
        elif file.changed:
            try:
                _write(file)
            except UserError as unwritten:
                errors.append(unwritten)
    for error in errors:
        output.complain(str(error))
    if not unsaved and total:
        _summarize(changed, total, check or diff)
    ctx.exit(2 if errors else int((check or diff) and changed > 0))


def _write(file: FormattedFile) -> None:
    from shelfread.core.atomic_write import write_atomically

    before, after = (file.source.to_bytes(text) for text in (file.source.text, file.result.text))
    write_atomically(Path(file.source.path or ""), after, expected=before)


def _summarize(changed: int, total: int, would: bool) -> None:
    files = "1 file" if total == 1 else f"{total} files"
    if not changed:
        output.complain(f"{files} formatted already")
    else:
        output.complain(f"{changed} of {files} {'would be ' if would else ''}formatted")
