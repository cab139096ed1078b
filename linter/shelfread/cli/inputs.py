"""What PATH names: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from shelfread.core import git
from shelfread.core.errors import UserError
from shelfread.core.source import MAX_BYTES, too_large
from shelfread.project import config as configs
from shelfread.project.config_at_revision import ConfigTree
from shelfread.project.config_file import find_config
from shelfread.project.files import Project, find_projects, relative_path

STDIN = "<stdin>"


def read_stdin(paths: Sequence[str], filename: str | None) -> dict[str, bytes]:
    """Standard input under its name, where PATH has a '-'."""
    if "-" not in paths:
        return {}
    name = relative_path(filename) if filename else STDIN
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise too_large(name)
    return {name: data}


def find(
    paths: Sequence[str],
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    tree: ConfigTree | None = None,
) -> tuple[list[Project], list[UserError]]:
    """The projects that PATH is about, and what cannot be found; unnamed input is a project alone."""
    files = [path for path in paths if path != "-"]
    if STDIN in unsaved and not files:
        return [Project(configuration(config, isolated, tree), (STDIN,), ())], []
    if not files and not unsaved:
        files = ["."]
    projects, errors = find_projects(
        files, Path(config) if config else None, isolated, next(iter(unsaved), None), tree
    )
    return projects, list(errors)


def configuration(
    config: str | None, isolated: bool = False, tree: ConfigTree | None = None
) -> configs.Config:
    """The configuration of the working directory, or the one named."""
    if config or isolated:
        file = Path(config) if config else None
    elif tree is not None:
        file, _ = tree.find(Path.cwd()) or (None, None)
    else:
        file = find_config(Path.cwd())
    return configs.load_config(file) if file else configs.EMPTY


def refuse_two_configurations(config: str | None, config_from: str | None, isolated: bool) -> None:
    """Say which options do not go together."""
    if config_from and (config or isolated):
        raise click.UsageError(
            "--config-from looks for configurations in a commit: no --config, no --isolated"
        )
    if config and isolated:
        raise click.UsageError("--config names a configuration, --isolated forbids any")


@contextmanager
def configurations(rev: str | None) -> Iterator[ConfigTree | None]:
    """Where configurations are looked for: in a commit, or (None) in the work tree."""
    if rev is None:
        yield None
        return
    from shelfread.project.ci_base import find_base_commit
    from shelfread.project.config_at_revision import check_out_config

    root = git.need_root(".")
    with check_out_config(root, find_base_commit(root, os.environ) if rev == "auto" else rev) as tree:
        yield tree
