"""`shelfread fix`: another name of `shelfread check --fix`."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli.options import paths, shared


@click.command
@paths
@shared
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Fix problems that can be fixed safely, and report the others.

    A fix never loses an entry, a link or a word that it is not about: the fixed text is compared with the
    original before it is written. With '-' it is written to standard output.

    \b
    Exit status: 0 no problems remain, 1 problems remain,
    2 an error in options, configuration or files.
    """
    from shelfread.cli.check import check_lists

    ctx.exit(check_lists({**options, "fix": True}))
