"""A group of commands, each in a module of its own that is imported when the command is called."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands are modules of a package, each with a function `command`, or its own.

    The help texts are here, so that no command loads another.
    """

    def __init__(
        self, *args: Any, package: str = "", summaries: Mapping[str, str] | None = None, **given: Any
    ):
        super().__init__(*args, **given)
        self.package = package
        self.summaries = summaries or {}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.summaries)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in self.summaries or name in self.commands:
            return super().get_command(ctx, name)
        command: click.Command = import_module(f"{self.package}.{module_name(name)}").command
        return command

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


def module_name(command: str) -> str:
    """Return the name of a command's module: `import` cannot be one."""
    return f"{command}_" if command == "import" else command
