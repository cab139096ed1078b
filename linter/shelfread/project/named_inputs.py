"""What PATH names and where configurations are found: projects, standard input, a commit's configurations."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from shelfread.core import git
from shelfread.core.errors import UserError
from shelfread.project.config import (
    EMPTY,
    Config,
    ConfigTree,
    check_out_config,
    find_config_file,
    load_config,
)
from shelfread.project.files import Project, find_projects

STDIN = "<stdin>"  # the path of standard input that has no name


def find_inputs(
    paths: Sequence[str],
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    tree: ConfigTree | None = None,
) -> tuple[list[Project], list[UserError]]:
    """Return the projects of PATH, and an error for each that cannot be found.

    Standard input without a name is a project of its own. Raises ConfigError if a configuration leaves no file.
    """
    files = [path for path in paths if path != "-"]
    if STDIN in unsaved and not files:
        return [Project(find_config(config, isolated, tree), (STDIN,), ())], []
    if not files and not unsaved:
        files = ["."]
    projects, errors = find_projects(
        files, Path(config) if config else None, isolated, next(iter(unsaved), None), tree
    )
    if not any(project.reported or project.skipped for project in projects):
        for project in projects:
            if project.config.include or project.config.exclude:
                raise project.config.fail("'include' and 'exclude' leave no file to read", ["include"])
    return projects, list(errors)


def find_config(config: str | None, isolated: bool = False, tree: ConfigTree | None = None) -> Config:
    """Return the named configuration, or else that of the working directory."""
    if config or isolated:
        file = Path(config) if config else None
    elif tree is not None:
        file, _ = tree.find(Path.cwd()) or (None, None)
    else:
        file = find_config_file(Path.cwd())
    return load_config(file) if file else EMPTY


@contextmanager
def configurations(rev: str | None) -> Iterator[ConfigTree | None]:
    """Give the configurations of a commit, or None for those of the work tree; `auto` is the base of the branch."""
    if rev is None:
        yield None
        return
    from shelfread.project.history import find_base_commit

    root = git.need_root(".")
    with check_out_config(root, find_base_commit(root, os.environ) if rev == "auto" else rev) as tree:
        yield tree
