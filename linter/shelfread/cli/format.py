"""`shelfread format`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from shelfread.cli import output
from shelfread.cli.left import say_left
from shelfread.cli.options import paths
from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.format.result import Formatted
from shelfread.format.style import ENTRY_STYLES, EntryStyle, Style
from shelfread.project.config import Config
from shelfread.project.files import Project


@click.command(short_help="Bring the text in line: blank lines, bullets, indentation.")
@paths
@click.option(
    "--entry-style",
    metavar="NAME",
    type=click.Choice(ENTRY_STYLES),
    help=f"Write the entries of papers in one style: {', '.join(ENTRY_STYLES)}. Read the diff.",
)
@click.option("--check", is_flag=True, help="Change nothing; name the files that would change.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
@click.option("--config", metavar="FILE", help="This configuration, not the nearest .shelfread.yaml.")
@click.option("--isolated", is_flag=True, help="Look for no configuration.")
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
    """Bring the text of lists in line, without altering a word or the page that it shows.

    One blank line between blocks, lists with the bullet and the indentation that the text mostly has, headings
    with '#', no blanks at ends of lines. What is so already stays byte for byte. A block that cannot be brought in line
    without altering the page is left as it is, and named. '<!-- shelfread-format off -->' switches it off up to '... on'.

    With --entry-style papers of several dialects become one. An entry of which a word, a link or any field that
    'shelfread export' gives would be lost is left as it is, and named.

    \b
    Exit status: 0 done; with --check or --diff 1 when something would change; 2 an error.
    """
    from shelfread.cli.inputs import read_stdin

    unsaved = read_stdin(paths, stdin_filename)
    errors: list[UserError] = []
    changed = total = 0
    for one in _formatted(paths, entry_style, config, isolated, unsaved, errors):
        total += 1
        through = one.path in unsaved
        differs = one.result.text != one.source.text
        changed += differs
        for line in say_left(one.path, one.result.left):
            output.print_error(line)
        if diff:
            output.show_change(one.path, one.source, one.result.text)
        elif check:
            if differs:
                output.print_lines([f"{one.path}: would be formatted"], err=through)
        elif through:
            output.write_bytes(one.source.to_bytes(one.result.text))
        elif differs:
            _write(one, errors)
    for error in errors:
        output.print_error(str(error))
    if not unsaved and total:
        _summarize(changed, total, check or diff)
    ctx.exit(2 if errors else int((check or diff) and changed > 0))


class _File(NamedTuple):
    path: str
    source: Source
    result: Formatted


def _formatted(
    paths: tuple[str, ...],
    entry_style: EntryStyle | None,
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    errors: list[UserError],
) -> Iterator[_File]:
    from shelfread.cli.inputs import find
    from shelfread.format.format import format_source

    projects, wrong = find(paths, config, isolated, unsaved)
    errors += wrong
    for project in projects:
        style = _style(project.config, entry_style)
        sources = _sources(project.reported, unsaved, errors)
        if style.entry == "keep":
            for source in sources:
                yield _File(source.path or "", source, format_source(source, style))
        else:
            yield from _restyled(list(sources), project, style, unsaved)


def _sources(paths: Iterable[str], unsaved: Mapping[str, bytes], errors: list[UserError]) -> Iterator[Source]:
    for path in paths:
        try:
            yield Source.from_bytes(unsaved[path] if path in unsaved else read_bytes(path), path)
        except UserError as error:
            errors.append(error)


def _restyled(
    sources: Sequence[Source], project: Project, style: Style, unsaved: Mapping[str, bytes]
) -> Iterator[_File]:
    """Files whose entries are rewritten as most of the project's are."""
    from shelfread.format.entries.apply_style import count_entries, format_entries
    from shelfread.taxonomy.load import load

    taxonomy = load(project.config.taxonomy)
    counts: dict[str | None, Counter[Any]] = {}
    whole: Counter[Any] = Counter()
    if len(sources) + len(project.others) > 1:
        counts = {source.path: count_entries(source, style, taxonomy) for source in sources}
        for source in _sources(project.others, unsaved, []):
            whole.update(count_entries(source, style, taxonomy))
        for one in counts.values():
            whole.update(one)
    for source in sources:
        others = whole - counts.get(source.path, Counter())
        yield _File(source.path or "", source, format_entries(source, style, taxonomy, others))


def _style(config: Config, entry: EntryStyle | None) -> Style:
    style = Style(**{key.replace("-", "_"): value for key, value in config.format.items()})
    return style._replace(entry=entry) if entry else style


def _write(one: _File, errors: list[UserError]) -> None:
    from shelfread.core.atomic_write import write_atomically

    before, after = one.source.to_bytes(one.source.text), one.source.to_bytes(one.result.text)
    try:
        write_atomically(Path(one.path), after, expected=before)
    except UserError as error:
        errors.append(error)


def _summarize(changed: int, total: int, would: bool) -> None:
    files = "1 file" if total == 1 else f"{total} files"
    if not changed:
        output.print_error(f"{files} in line already")
    else:
        output.print_error(f"{changed} of {files} {'would be ' if would else ''}formatted")
