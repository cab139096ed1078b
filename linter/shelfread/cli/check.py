"""`shelfread check`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli.options import paths, shared


@click.command
@paths
@click.option("--fix", is_flag=True, help="Apply safe fixes, as 'shelfread fix' does.")
@shared
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Check lists for problems.

    PATH is a file, a folder of Markdown files or '-' for standard input; the default is the current folder. Files
    that git ignores are skipped. Conventions and duplicates are those of the whole project, even if PATH is a part
    of it.

    \b
    Exit status: 0 no problems, 1 problems found,
    2 an error in options, configuration or files.
    """
    from shelfread.cli.check_lists import check_lists

    ctx.exit(check_lists(options))
