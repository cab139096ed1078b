"""What PATH names: files, folders, standard input."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from shelfread import config as configs
from shelfread.errors import UserError
from shelfread.project import Project, find_projects, relative
from shelfread.run import too_large
from shelfread.source import MAX_BYTES

STDIN = "<stdin>"


def read_stdin(paths: Sequence[str], filename: str | None) -> dict[str, bytes]:
    """Standard input under its name, where PATH has a '-'."""
    if "-" not in paths:
        return {}
    name = relative(filename) if filename else STDIN
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(name)
    return {name: data}


def find(
    paths: Sequence[str], config: str | None, isolated: bool, unsaved: Mapping[str, bytes]
) -> tuple[list[Project], list[UserError]]:
    """The projects that PATH is about, and what cannot be found; unnamed input is a project alone."""
    files = [path for path in paths if path != "-"]
    if STDIN in unsaved and not files:
        return [Project(configuration(config, isolated), (STDIN,), ())], []
    if not files and not unsaved:
        files = ["."]
    projects, errors = find_projects(
        files, Path(config) if config else None, isolated, next(iter(unsaved), None)
    )
    return projects, list(errors)


def configuration(config: str | None, isolated: bool) -> configs.Config:
    """The configuration of the working directory, or the one named."""
    file = Path(config) if config else None if isolated else configs.find(Path.cwd())
    return configs.load(file) if file else configs.EMPTY
