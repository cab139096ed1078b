"""`shelfread check`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli.options import paths, shared


@click.command(short_help="Find what is wrong with lists.")
@paths
@click.option("--fix", "fix", is_flag=True, help="Fix what is safe to change: 'shelfread fix'.")
@shared
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Find what is wrong with lists: files, or folders of them; by default the current folder.

    A folder stands for its Markdown that git does not ignore, '-' for standard input. Conventions and
    duplicates are judged in the light of the whole project, whatever part of it PATH names.

    \b
    Exit status: 0 all in its place, 1 findings, 2 an error in options, configuration or files.
    """
    from shelfread.cli.check_lists import CommandOptions, check_lists

    ctx.exit(check_lists(CommandOptions(**options)))
