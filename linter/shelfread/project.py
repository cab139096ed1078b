"""Which files make the project: what PATH names is reported, what lies beside it is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shelfread import git
from shelfread.config import EMPTY, Config, find, load
from shelfread.errors import InputError

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
_SKIPPED = {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"}


class Project(NamedTuple):
    """Lists that are checked against one another; files are named from the working directory, with `/`."""

    config: Config
    reported: tuple[str, ...]
    others: tuple[str, ...]
    """Read for conventions, duplicates and anchors, but not reported."""
    excluded: tuple[str, ...] = ()
    """Named by PATH and excluded by the config."""


class _Home(NamedTuple):
    """What decides to which project a folder's files belong."""

    config: Path | None
    root: Path | None


def find_projects(
    paths: Sequence[str], config: Path | None = None, isolated: bool = False, unsaved: str | None = None
) -> tuple[list[Project], list[InputError]]:
    """The projects of the files and folders that PATH names, and what is wrong with the others.

    `config` is the one for all of them, `isolated` forbids to look for any; `unsaved` is the name of a
    file whose text comes from elsewhere.
    """

    @cache
    def home(folder: str) -> _Home:
        return _home(Path(folder), config, isolated)

    groups: dict[_Home, dict[str, bool]] = {}
    errors = []
    for path in paths:
        try:
            for name, by_name in _named(path, home):
                group = groups.setdefault(home(os.path.dirname(os.path.realpath(name))), {})
                group[name] = group.get(name, False) or by_name
        except InputError as error:
            errors.append(error)
    if unsaved is not None:
        name = relative(os.path.abspath(unsaved))
        groups.setdefault(home(os.path.dirname(os.path.realpath(unsaved))), {})[name] = True
    return [_project(at, names, home) for at, names in groups.items()], errors


def former(project: Project, names: Iterable[str]) -> set[str]:
    """Those of these files that were of the project when they were there."""
    config = project.config
    root = None if config.root is None else Path(os.path.realpath(config.root))
    belongs = _filter(config, root)
    return {
        name
        for name in names
        if belongs(name, False) and (root is None or Path(os.path.realpath(name)).is_relative_to(root))
    }


def relative(path: str) -> str:
    """A path's name from the working directory, with `/`."""
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    with suppress(ValueError):  # another drive
        path = os.path.relpath(path)
    return path.replace(os.sep, "/")


def list_markdown(folder: str) -> list[str]:
    """The Markdown below a folder that git does not ignore; outside git all but hidden folders'. No links."""
    listed = _ask_git(folder) if git_root(Path(folder)) else None
    names = list(_walk(folder)) if listed is None else listed
    paths = sorted(os.path.join(folder, name) for name in names)
    return [path for path in paths if not os.path.islink(path) and os.path.isfile(path)]


def git_root(folder: Path) -> Path | None:
    """The work tree that a folder lies in."""
    root = git.find_root(str(folder))
    return None if root is None else Path(root)


def _home(folder: Path, config: Path | None, isolated: bool) -> _Home:
    if config is None and not isolated:
        config = find(folder)
        if config is not None:
            return _Home(config, Path(os.path.realpath(config)).parent)
    return _Home(config, git_root(folder))


def _named(path: str, home: Callable[[str], _Home]) -> Iterator[tuple[str, bool]]:
    """The files that one PATH stands for, and whether by name."""
    if not os.path.lexists(path):
        raise InputError("no such file or folder", path)
    if os.path.isdir(path):
        found = list_markdown(path)
        if not found:
            raise InputError("no Markdown here that git does not ignore: name the lists themselves", path)
        yield from ((relative(name), False) for name in found)
        return
    real = os.path.realpath(path)
    if os.path.islink(path):
        root = home(os.path.realpath(os.path.dirname(path))).root
        if root is not None and not Path(real).is_relative_to(root):
            raise InputError("a link that leads out of the tree: name the file itself", path)
        if not os.path.exists(real):
            raise InputError("a link that leads nowhere", path)
    yield relative(real), True


def _project(at: _Home, names: dict[str, bool], home: Callable[[str], _Home]) -> Project:
    config = load(at.config) if at.config is not None else EMPTY
    belongs = _filter(config, at.root)
    reported = [name for name, by_name in names.items() if belongs(name, by_name)]
    if at.root is None:
        return Project(config, tuple(sorted(reported)), ())
    members = (relative(path) for path in list_markdown(str(at.root)))
    others = [
        name
        for name in members
        if name not in names
        and belongs(name, False)
        and home(os.path.dirname(os.path.realpath(name))).config == at.config
    ]
    excluded = [name for name, by_name in names.items() if by_name and not belongs(name, True)]
    return Project(config, tuple(sorted(reported)), tuple(others), tuple(excluded))


def _filter(config: Config, root: Path | None) -> Callable[[str, bool], bool]:
    """Whether the config lets a file in; one that PATH names need not be included, only not excluded."""
    if not (config.include or config.exclude):
        return lambda name, by_name: True
    from pathspec import GitIgnoreSpec

    include = GitIgnoreSpec.from_lines(config.include or ["*"])
    exclude = GitIgnoreSpec.from_lines(config.exclude)
    base = os.path.realpath(config.root or root or ".")

    def belongs(name: str, by_name: bool) -> bool:
        path = os.path.relpath(os.path.realpath(name), base).replace(os.sep, "/")
        if path.startswith("../"):
            return True
        return not exclude.match_file(path) and (by_name or include.match_file(path))

    return belongs


def _ask_git(folder: str) -> list[str] | None:
    """The Markdown that git knows or would add; None where git cannot say."""
    globs = (f":(icase)*{suffix}" for suffix in SUFFIXES)
    listed = git.ask(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *globs)
    return None if listed is None else [os.fsdecode(name) for name in set(listed.split(b"\0")) if name]


def _walk(folder: str) -> Iterable[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [
            name for name in folders if name not in _SKIPPED and (name[0] != "." or name == ".github")
        ]
        for name in files:
            if name.lower().endswith(SUFFIXES):
                yield os.path.relpath(os.path.join(parent, name), folder)
