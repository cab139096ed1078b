"""`shelfread server`."""

from __future__ import annotations

import click

from shelfread.core.errors import need


@click.command
@click.pass_context
def command(ctx: click.Context) -> None:
    """Start the language server for editors, on standard input and output.

    Editors start it themselves: it shows the findings of 'check' while a list is written, and applies fixes and
    'format'. It needs the extra 'server'.

    \b
    Exit status: 0 the client shut the server down, 1 the connection was lost,
    2 pygls is not installed.
    """
    need("server", "the language server")
    from shelfread.server.language_server import serve

    ctx.exit(serve())
