"""`shelfread server`."""

from __future__ import annotations

import click

from shelfread.core.errors import ConfigError


@click.command
@click.pass_context
def command(ctx: click.Context) -> None:
    """Start the language server for editors, on standard input and output.

    Editors start it themselves: it shows the findings of 'check' while a list is written, and applies fixes and
    'format'. It needs the packages of 'shelfread[server]'.

    \b
    Exit status: 0 the client shut the server down, 1 the connection was lost,
    2 pygls is not installed.
    """
    try:
        from shelfread.server.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise ConfigError("the language server needs pygls: pip install 'shelfread[server]'") from None
    ctx.exit(serve())
