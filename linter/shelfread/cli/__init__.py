"""The command line: alone in printing, exiting and importing click."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from shelfread import __version__
from shelfread.core.errors import UserError

COMMANDS = {
    "check": "Find what is wrong with lists.",
    "fix": "Mend it: what is safe to change is changed.",
    "format": "Format blank lines, bullets, indentation and headings.",
    "links": "Ask the web which links are dead or have moved.",
    "export": "Entries as data.",
    "diff": "What a change did to the entries.",
    "init": "Write a configuration that the lists imply.",
    "rule": "What a rule is about; without an id, all of them.",
}
"""One module each, and what the help says of it, so that no command loads another."""


class Shelfread(click.Group):
    """A group that imports a command when it is called, and says users' errors in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"shelfread.cli.{name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from os.path import exists

        if args[0] not in COMMANDS:
            if exists(args[0]):
                ctx.fail(f"name a command first: shelfread check {args[0]}")
            from shelfread.core.support.suggest import guess

            if not args[0].startswith("-"):
                ctx.fail(f"there is no command '{args[0]}'{guess(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Try"):
            formatter.write_dl(
                [
                    ("shelfread check", "all lists here, nothing is changed"),
                    ("shelfread fix README.md", "mend one; 'git diff' shows what became of it"),
                    ("shelfread check --diff", "what 'fix' would do"),
                    ("shelfread rule link/malformed", "why, and with examples"),
                ]
            )

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            click.echo(f"shelfread: {_printable(str(error))}", err=True)
            ctx.exit(2)
        except KeyboardInterrupt:
            click.echo("shelfread: interrupted; every file is whole", err=True)
            ctx.exit(130)


def _printable(text: str) -> str:
    from shelfread.report.terminal import printable

    return printable(text)


@click.group(
    cls=Shelfread, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(__version__, prog_name="shelfread", message="%(prog)s %(version)s")
def group() -> None:
    """Check, fix and export curated Markdown lists: awesome lists, and lists of papers above all.

    shelfread reads the entries of a list, not only its Markdown: titles, venues, years, links and what
    they lead to. Only 'links' touches the network.
    """
