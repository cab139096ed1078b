"""`shelfread format`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from shelfread.cli import options, output
from shelfread.core.errors import UserError
from shelfread.core.wording import counted
from shelfread.format.result import ENTRY_STYLES, EntryStyle
from shelfread.report.findings_text import generated_lines, left_alone_line, unformatted_lines


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
@click.option(
    "--since",
    metavar="REV",
    help="Format only lines that were added or changed since this commit; 'auto' is where the branch began.",
)
@options.config
@options.isolated
@options.stdin_filename
@click.pass_context
def format_command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    entry_style: EntryStyle | None,
    check: bool,
    diff: bool,
    **given: Any,
) -> None:
    """Format the Markdown of lists without changing a word or the rendered page.

    What nine of ten lines of a list have is its habit and stays: blank lines around headings, bullets, indentation
    with spaces or tabs, emphasis. Only the other lines change, and none against CONTRIBUTING.md. Text that is
    formatted already does not change. A block that cannot be formatted without changing the rendered page is skipped
    and reported. '<!-- shelfread-format off -->' turns formatting off, '<!-- shelfread-format on -->' turns it on
    again.

    With --entry-style, all entries of papers get one style. An entry that would lose a word, a link or a field of
    'shelfread export' is skipped and reported.

    \b
    Exit status: 0 formatted; 1 with --check or --diff if a file would change;
    2 an error.
    """
    from shelfread.cli.options import read_stdin
    from shelfread.core.file_writing import remove_leftovers
    from shelfread.engine.format_files import format_files
    from shelfread.engine.load_save import write_text
    from shelfread.project.files import find_inputs

    since, stdin_filename = given["since"], given["stdin_filename"]
    if since and "-" in paths and stdin_filename is None:
        raise click.UsageError("--since compares with a file of the commit: --stdin-filename names it")
    if since and entry_style:
        raise click.UsageError("--entry-style writes all entries: leave out --since")
    unsaved = read_stdin(paths, stdin_filename)
    projects, errors = find_inputs(paths, given["config"], given["isolated"], unsaved)
    kinds = {}
    generated = {}
    changed = failed = total = 0
    written = not (check or diff)
    if written:
        remove_leftovers(Path(path).parent for project in projects for path in project.reported)
    waiting = output.file_progress if written else output.streaming_progress
    with waiting(sum(len(project.reported) for project in projects)) as count:
        for file in format_files(projects, entry_style, unsaved, since):
            count(1)
            if isinstance(file, UserError):
                errors.append(file)
                continue
            path = file.source.path or ""
            kinds[path] = file.kind
            generated[path] = file.generated
            total += not (file.kind.is_left_alone or file.generated)
            changed += file.changed
            is_stdin = path in unsaved
            blocks = file.result.unformatted if written else file.result.unformatted_before
            for line in unformatted_lines(path, blocks):
                output.print_error(line)
            if diff:
                output.show_change(path, file.source, file.result.text)
            elif check:
                if file.changed:
                    output.print_lines([f"{path}: would be formatted"], err=is_stdin)
            elif is_stdin:
                output.write_bytes(file.source.to_bytes(file.result.text))
            elif file.changed:
                try:
                    if remark := write_text(file.source, file.result.text):
                        output.print_error(remark)
                except UserError as unwritten:
                    errors.append(unwritten)
                    failed += 1
    if line := left_alone_line(kinds, "not formatted"):
        output.print_error(line)
    for line in generated_lines(generated, "not formatted"):
        output.print_error(line)
    output.report_errors(errors)
    if not unsaved and total:
        files, would = counted(total, "file"), "would be " if check or diff else ""
        summary = (
            f"{changed - failed:,} of {files} {would}formatted" if changed else f"{files} formatted already"
        )
        output.print_error(f"{summary}, {failed:,} not written" if failed else summary)
    ctx.exit(2 if errors else int((check or diff) and changed > 0))
