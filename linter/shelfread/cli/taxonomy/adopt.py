"""`shelfread taxonomy adopt`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli import options, output
from shelfread.cli.inputs import refuse_to_ask
from shelfread.core.errors import UserError


@click.command
@options.paths
@click.option("--diff", is_flag=True, help="Show what would be added as a diff, without changing any file.")
@click.option("--yes", is_flag=True, help="Write without asking.")
@options.settings
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[str, ...],
    diff: bool,
    yes: bool,
    **settings: Any,
) -> None:
    """Add the headings that a taxonomy lacks to it, after a look.

    A heading that names no concept becomes one, below that of the section above it. A heading that is read by its
    words becomes an altLabel of its concept, or one of the narrower subjects that it includes. Nothing else of the
    file changes. Headings that are nearly a label are left alone.

    A list that has no taxonomy, or a bundled one, gets a file taxonomy.yaml that extends the bundled one.
    """
    from shelfread.mapping.adopt import adopt, write
    from shelfread.mapping.lists import read_lists
    from shelfread.report.taxonomy.adoption import render

    refuse_to_ask(diff, yes)
    errors: list[UserError] = []
    lists = read_lists(paths, errors=errors, **settings)
    found = adopt(lists, settings["taxonomy"])
    if diff or not yes:
        from shelfread.core.source import Source

        for change in found.changes:
            output.show_change(change.path, change.before or Source("", change.path), change.after)
    written = bool(found.changes) and not diff and (yes or click.confirm("Write this?", err=True))
    if written:
        write(found)
    output.print_lines(render(found, is_written=written), err=diff)
    ctx.exit(output.report_errors(errors))
