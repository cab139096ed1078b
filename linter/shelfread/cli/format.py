"""`shelfread format`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from shelfread.cli import options, output
from shelfread.cli.left import say_left
from shelfread.core.errors import UserError
from shelfread.core.source import Source, read_bytes
from shelfread.core.support.plurals import counted
from shelfread.format.result import Formatted
from shelfread.format.style import ENTRY_STYLES, EntryStyle, Style
from shelfread.project.config import Config
from shelfread.project.files import Project


@click.command
@options.paths
@click.option(
    "--entry-style",
    metavar="NAME",
    type=click.Choice(ENTRY_STYLES),
    help=f"Write all entries of papers in one style: {', '.join(ENTRY_STYLES)}.",
)
@click.option("--check", is_flag=True, help="List the files that would change, without changing them.")
@click.option("--diff", is_flag=True, help="Show what would change as a diff, without changing any file.")
@options.config
@options.isolated
@options.stdin_filename
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
    """Format the Markdown of lists without changing a word or the rendered page.

    There is one blank line between blocks, and none of the lines has trailing spaces. Lists have the bullet and the
    indentation that most of the file has, headings begin with '#'. Text that is formatted already does not change. A
    block that cannot be formatted without changing the rendered page is skipped and reported. '<!-- shelfread-format
    off -->' turns formatting off, '<!-- shelfread-format on -->' turns it on again.

    With --entry-style, all entries of papers get one style. An entry that would lose a word, a link or a field of
    'shelfread export' is skipped and reported.

    \b
    Exit status: 0 formatted; 1 with --check or --diff if a file would change; 2 an error.
    """
    from shelfread.cli.inputs import read_stdin

    unsaved = read_stdin(paths, stdin_filename)
    errors: list[UserError] = []
    changed = total = 0
    for file in _formatted(paths, entry_style, config, isolated, unsaved, errors):
        total += 1
        from_stdin = file.path in unsaved
        differs = file.result.text != file.source.text
        changed += differs
        for line in say_left(file.path, file.result.left):
            output.print_error(line)
        if diff:
            output.show_change(file.path, file.source, file.result.text)
        elif check:
            if differs:
                output.print_lines([f"{file.path}: would be formatted"], err=from_stdin)
        elif from_stdin:
            output.write_bytes(file.source.to_bytes(file.result.text))
        elif differs:
            _write(file, errors)
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
    """Yield files with their entries in the style that most of the project has."""
    from shelfread.format.entries.apply_style import count_entries, format_entries
    from shelfread.taxonomy.load import load

    taxonomy = load(project.config.taxonomy)
    counts: dict[str | None, Counter[Any]] = {}
    whole: Counter[Any] = Counter()
    if len(sources) + len(project.others) > 1:
        counts = {source.path: count_entries(source, style, taxonomy) for source in sources}
        for source in _sources(project.others, unsaved, []):
            whole.update(count_entries(source, style, taxonomy))
        for count in counts.values():
            whole.update(count)
    for source in sources:
        others = whole - counts.get(source.path, Counter())
        yield _File(source.path or "", source, format_entries(source, style, taxonomy, others))


def _style(config: Config, entry: EntryStyle | None) -> Style:
    style = Style(**{key.replace("-", "_"): value for key, value in config.format.items()})
    return style._replace(entry=entry) if entry else style


def _write(file: _File, errors: list[UserError]) -> None:
    from shelfread.core.atomic_write import write_atomically

    before, after = file.source.to_bytes(file.source.text), file.source.to_bytes(file.result.text)
    try:
        write_atomically(Path(file.path), after, expected=before)
    except UserError as error:
        errors.append(error)


def _summarize(changed: int, total: int, would: bool) -> None:
    files = counted(total, "file")
    if not changed:
        output.print_error(f"{files} already formatted")
    else:
        output.print_error(f"{changed:,} of {files} {'would be ' if would else ''}formatted")
