"""`shelfread format`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import click

from shelfread.cli import output
from shelfread.cli.options import paths
from shelfread.config import Config
from shelfread.errors import UserError
from shelfread.format import Formatted
from shelfread.format.style import Style
from shelfread.source import Source


@click.command(short_help="Bring the text in line: blank lines, bullets, indentation.")
@paths
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
@click.option("--config", metavar="FILE", help="This configuration, not the nearest .shelfread.yaml.")
@click.option("--isolated", is_flag=True, help="Look for no configuration.")
@click.option("--stdin-filename", metavar="NAME", help="The name of what '-' reads.")
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    check: bool,
    diff: bool,
    config: str | None,
    isolated: bool,
    stdin_filename: str | None,
) -> None:
    """Bring the text of lists in line, without altering a word or the page that it shows.

    One blank line between blocks, lists with the bullet and the indentation that the text mostly has, headings
    with '#', no blanks at ends of lines. What is so already stays byte for byte. A block that cannot be brought in line
    without altering the page is left as it is, and named. '<!-- shelfread-format off -->' switches it off up to '... on'.

    \b
    Exit status: 0 done; with --check or --diff 1 when something would change; 2 an error.
    """
    from shelfread.cli.inputs import read_stdin

    unsaved = read_stdin(paths, stdin_filename)
    errors: list[UserError] = []
    changed = total = 0
    for one in _formatted(paths, config, isolated, unsaved, errors):
        total += 1
        through = one.path in unsaved
        differs = one.result.text != one.source.text
        changed += differs
        for line in one.result.left:
            output.complain(f"{one.path}:{line}: left as it is, since the page would change")
        if diff:
            output.show_change(one.path, one.source, one.result.text)
        elif check:
            if differs:
                output.write([f"{one.path}: would be formatted"], err=through)
        elif through:
            output.write_bytes(one.source.to_bytes(one.result.text))
        elif differs:
            _write(one, errors)
    for error in errors:
        output.complain(str(error))
    if not unsaved and total:
        _summarize(changed, total, check or diff)
    ctx.exit(2 if errors else int((check or diff) and changed > 0))


class _File(NamedTuple):
    path: str
    source: Source
    result: Formatted


def _formatted(
    paths: tuple[str, ...],
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    errors: list[UserError],
) -> Iterator[_File]:
    from shelfread.cli.inputs import find
    from shelfread.format import format_source
    from shelfread.run import read_bytes

    projects, wrong = find(paths, config, isolated, unsaved)
    errors += wrong
    for project in projects:
        style = _style(project.config)
        for path in project.reported:
            try:
                source = Source.from_bytes(unsaved[path] if path in unsaved else read_bytes(path), path)
            except UserError as error:
                errors.append(error)
                continue
            yield _File(path, source, format_source(source, style))


def _style(config: Config) -> Style:
    return Style(**{key.replace("-", "_"): value for key, value in config.format.items()})


def _write(one: _File, errors: list[UserError]) -> None:
    from shelfread.write import write_atomically

    before, after = one.source.to_bytes(one.source.text), one.source.to_bytes(one.result.text)
    try:
        write_atomically(Path(one.path), after, expected=before)
    except UserError as error:
        errors.append(error)


def _summarize(changed: int, total: int, would: bool) -> None:
    files = "1 file" if total == 1 else f"{total} files"
    if not changed:
        output.complain(f"{files} in line already")
    else:
        output.complain(f"{changed} of {files} {'would be ' if would else ''}formatted")
