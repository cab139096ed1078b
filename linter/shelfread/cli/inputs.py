"""What the command line is given: standard input, and options that do not go together."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from shelfread.core.source import MAX_BYTES, too_large
from shelfread.project.files import relative_path
from shelfread.project.named_inputs import STDIN


def read_stdin(paths: Sequence[str], filename: str | None) -> dict[str, bytes]:
    """Return standard input by its name, if PATH has a '-'."""
    if "-" not in paths:
        return {}
    name = relative_path(filename) if filename else STDIN
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(name)
    return {name: data}


def no_entries(paths: Sequence[str]) -> str:
    """Return what to tell whoever expects entries of some paths that have none."""
    if len(paths) == 1:
        where = f"in {paths[0]}"
    else:
        where = f"in {len(paths)} files and folders" if paths else "in the current folder"
    return f"no entries found {where}: 'shelfread export --annotate' shows how lists are read"


def refuse_two_configurations(given: Mapping[str, Any]) -> None:
    """Raise UsageError if options name different configurations."""
    config, isolated = given["config"], given["isolated"]
    if given["config_from"] and (config or isolated):
        raise click.UsageError("--config-from cannot be combined with --config or --isolated")
    if config and isolated:
        raise click.UsageError("--config names a configuration, --isolated forbids any")


def refuse_to_ask(diff: bool, yes: bool) -> None:
    """Raise UsageError if a change is to be written after a question, and there is nobody to answer."""
    if not (diff or yes or sys.stdin.isatty()):
        raise click.UsageError("there is no terminal to ask on: use --diff to look, and then --yes to write")
