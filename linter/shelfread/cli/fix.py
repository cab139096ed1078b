"""`shelfread fix`: check --fix under its own name."""

from __future__ import annotations

from typing import Any

import click

from shelfread.cli.options import paths, shared


@click.command(short_help="Mend it: what is safe to change is changed.")
@paths
@shared
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Mend lists: what is safe to change is changed, and what remains is said.

    No fix loses an entry, a link or a word that it did not mean to change: each is read back and compared
    before it is written. With '-' the fixed text goes to standard output.

    \b
    Exit status: 0 all was fixed, 1 findings remain, 2 an error in options, configuration or files.
    """
    from shelfread.cli.check_lists import CommandOptions, check_lists

    ctx.exit(check_lists(CommandOptions(fix=True, **options)))
