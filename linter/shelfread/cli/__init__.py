"""The command line; no other package prints, exits or imports click."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import pairwise
from typing import Any, NoReturn

import click

from shelfread import __version__
from shelfread.core.errors import UserError


class LazyGroup(click.Group):
    """A group whose commands are loaded when they are used: the help texts are here."""

    def __init__(self, *args: Any, summaries: Mapping[str, str], **given: Any):
        super().__init__(*args, **given)
        self.summaries = summaries

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.summaries or name in self.commands:
            return super().get_command(ctx, name)
        return load_command(name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.summaries and not args[0].startswith("-"):
            from shelfread.core.wording import did_you_mean

            ctx.fail(f"unknown command '{args[0]}'{did_you_mean(args[0], self.summaries)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(self.summaries.items()))


GROUPS = {
    "Every day": {
        "check": "Check lists for problems.",
        "fix": "Fix problems that can be fixed safely.",
        "format": "Format the Markdown of lists: blank lines, bullets, indentation.",
        "links": "Find links that are dead or have moved.",
        "diff": "Show how a change affects the entries.",
    },
    "Grow a list": {
        "add": "Add papers and repositories to a list by their identifiers.",
        "import": "Read citations, BibTeX, RIS or copied pages as entries, and insert them.",
        "complete": "Find what papers lack: venues, years, DOIs, code.",
    },
    "Publish": {
        "page": "Make one HTML page of the lists, to search, filter and cite.",
        "feed": "Make a feed of what was added to lists.",
        "export": "Export entries as JSON, BibTeX, RIS, CSV or Markdown.",
    },
    "Set up": {
        "init": "Write a configuration file that fits the lists.",
        "taxonomy": "Work with taxonomies: the subjects of lists.",
        "rule": "Explain a rule, or list all rules.",
        "server": "Start the language server, for editors.",
    },
    "Many lists": {"audit": "Read many lists at once, as tables and a page."},
}
COMMANDS = {name: summary for commands in GROUPS.values() for name, summary in commands.items()}
# The modules of commands that share one; each other command has a module of its name.
_MODULES = {
    "fix": "check",
    "add": "grow",
    "import": "grow",
    "complete": "grow",
    **dict.fromkeys(("page", "feed", "export"), "publish"),
    **dict.fromkeys(("init", "rule", "server"), "set_up"),
}


def load_command(name: str) -> click.Command:
    """Return a command; the module that has it is imported."""
    module = import_module(f"shelfread.cli.{_MODULES.get(name, name)}")
    command: click.Command = getattr(module, f"{name}_command")
    return command


class Shelfread(LazyGroup):
    """The group of all commands, which reports user errors in one line."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from os.path import exists

        if args[0] not in COMMANDS and exists(args[0]):
            ctx.fail(f"name a command first: shelfread check {args[0]}")
        for option, value in pairwise([*args, " "]):
            if option.startswith("--") and (not value or (option.endswith("=") and len(option) > 3)):
                ctx.fail(f"{option.rstrip('=')} is empty: give it a value, or leave it out")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        widest = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), summary) for name, summary in commands.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            formatter.write_dl(
                [
                    ("shelfread check", "check all lists in the current folder"),
                    ("shelfread fix README.md", "fix a list"),
                    ("shelfread check --diff", "show what would be fixed"),
                    ("shelfread rule link/malformed", "explain a rule, with examples"),
                ]
            )

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.UsageError as error:
            _refuse(ctx, error)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            from shelfread.cli.output import print_error

            print_error(str(error))
            ctx.exit(2)
        except click.UsageError as error:
            _refuse(ctx, error)
        except KeyboardInterrupt:
            from shelfread.cli.output import print_error
            from shelfread.core.process import exit_status

            print_error("Interrupted. No file was left partly written.")
            ctx.exit(exit_status())


def _refuse(ctx: click.Context, error: click.UsageError) -> NoReturn:
    """Say in one line what is wrong with the words of a command line, and exit; without words, show the help."""
    from shelfread.cli.output import print_error

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        raise error
    command = error.ctx.command_path if error.ctx else f"shelfread {ctx.invoked_subcommand or ''}".strip()
    message = " ".join(error.format_message().split()).rstrip(".")
    print_error(f"{message} (see '{command} --help')")
    ctx.exit(2)


@click.group(
    cls=Shelfread,
    summaries=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="shelfread", message="%(prog)s %(version)s")
def group() -> None:
    """Shelfread: a linter, formatter and link checker for curated Markdown lists.

    It understands the entries of awesome lists and of lists of papers: titles, venues, years and links. Only
    'links', 'complete' and 'add' use the network.
    """
