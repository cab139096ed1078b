"""Which files make the project: what PATH names is reported, what lies beside it is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError
from shelfread.project.config import EMPTY, Config, load_config
from shelfread.project.config_at_revision import ConfigTree
from shelfread.project.config_file import find_config
from shelfread.project.exclusions import EXCLUDED, read_attributes, skip_reason

SUFFIXES = (".md", ".markdown", ".mdown", ".mkd")
_SKIPPED = {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"}


class SkippedFile(NamedTuple):
    """A file that is left alone, and why."""

    path: str
    reason: str


class Project(NamedTuple):
    """Lists that are checked against one another; files are named from the working directory, with `/`."""

    config: Config
    reported: tuple[str, ...]
    others: tuple[str, ...]
    """Read for conventions, duplicates and anchors, but not reported."""
    skipped: tuple[SkippedFile, ...] = ()
    """What PATH stands for and is left alone."""
    pattern_root: Path | None = None
    """The folder that the config's patterns start from."""


class _Home(NamedTuple):
    """What decides to which project a folder's files belong."""

    config: Path | None
    root: Path | None
    pattern_root: Path | None
    """Where the config's patterns start from."""
    attributes: tuple[Path, Path] | None
    """The work tree, and the folder with its .gitattributes: a copy of a commit's has its own."""


def find_projects(
    paths: Sequence[str],
    config: Path | None = None,
    isolated: bool = False,
    unsaved: str | None = None,
    tree: ConfigTree | None = None,
) -> tuple[list[Project], list[InputError]]:
    """The projects of the files and folders that PATH names, and what is wrong with the others.

    `config` is the one for all of them, `isolated` forbids to look for any, `tree` is where to look in place
    of the work tree; `unsaved` is the name of a file whose text comes from elsewhere.
    """

    home = _homes(config, isolated, tree)
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
        name = relative_path(os.path.abspath(unsaved))
        groups.setdefault(home(os.path.dirname(os.path.realpath(unsaved))), {})[name] = True
    return [_project(at, names, home) for at, names in groups.items()], errors


def group_files(
    names: Iterable[str],
    config: Path | None = None,
    isolated: bool = False,
    tree: ConfigTree | None = None,
    by_name: Collection[str] = (),
) -> list[Project]:
    """The projects of files that need not stand there any more; `by_name` are those that PATH names.

    The rest is as for `find_projects`. All are reported but those that are left alone.
    """

    home = _homes(config, isolated, tree)
    groups: dict[_Home, dict[str, bool]] = {}
    for name in names:
        groups.setdefault(home(os.path.dirname(os.path.realpath(name))), {})[name] = name in by_name
    return [_project(at, group) for at, group in groups.items()]


def filter_members(project: Project, names: Iterable[str]) -> set[str]:
    """Those of these files that were of the project when they were there."""
    why_not = _filter(project.config, project.pattern_root, {})
    base = None if project.pattern_root is None else os.path.realpath(project.pattern_root)
    return {
        name
        for name in names
        if why_not(name, False) is None
        and (base is None or Path(os.path.realpath(name)).is_relative_to(base))
    }


def relative_path(path: str) -> str:
    """A path's name from the working directory, with `/`."""
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    with suppress(ValueError):  # another drive
        path = os.path.relpath(path)
    return path.replace(os.sep, "/")


def list_markdown(folder: str) -> list[str]:
    """The Markdown below a folder that git does not ignore; outside git all but hidden folders'. No links."""
    listed = _ask_git(folder) if find_git_root(Path(folder)) else None
    names = list(_walk(folder)) if listed is None else listed
    paths = sorted(os.path.join(folder, name) for name in names)
    return [path for path in paths if not os.path.islink(path) and os.path.isfile(path)]


def find_git_root(folder: Path) -> Path | None:
    """The work tree that a folder lies in."""
    root = git.find_root(str(folder))
    return None if root is None else Path(root)


def _homes(config: Path | None, isolated: bool, tree: ConfigTree | None) -> Callable[[str], _Home]:
    """What tells the home of a folder."""

    @cache
    def home(folder: str) -> _Home:
        root = find_git_root(Path(folder))
        attributes = None
        if root is not None:
            attributes = root, tree.copy if tree is not None and tree.root == root else root
        if config is not None:
            return _Home(config, root, config.parent, attributes)
        if isolated:
            return _Home(None, root, root, attributes)
        if tree is not None:
            older, about = tree.find(Path(folder)) or (None, root)
            return _Home(older, about, about, attributes)
        nearest = find_config(Path(folder))
        about = root if nearest is None else Path(os.path.realpath(nearest)).parent
        return _Home(nearest, about, about, attributes)

    return home


def _named(path: str, home: Callable[[str], _Home]) -> Iterator[tuple[str, bool]]:
    """The files that one PATH stands for, and whether by name."""
    if not os.path.lexists(path):
        raise InputError("no such file or folder", path)
    if os.path.isdir(path):
        found = list_markdown(path)
        if not found:
            raise InputError("no Markdown here that git does not ignore: name the lists themselves", path)
        yield from ((relative_path(name), False) for name in found)
        return
    real = os.path.realpath(path)
    if os.path.islink(path):
        root = home(os.path.realpath(os.path.dirname(path))).root
        if root is not None and not Path(real).is_relative_to(root):
            raise InputError("a link that leads out of the tree: name the file itself", path)
        if not os.path.exists(real):
            raise InputError("a link that leads nowhere", path)
    yield relative_path(real), True


def _project(at: _Home, names: Mapping[str, bool], home: Callable[[str], _Home] | None = None) -> Project:
    """The project of named files (True: by PATH itself); `home` finds the files beside them."""
    config = load_config(at.config) if at.config is not None else EMPTY
    members = () if at.root is None or home is None else map(relative_path, list_markdown(str(at.root)))
    others = [name for name in members if name not in names]
    attributes = read_attributes(*at.attributes, (*names, *others)) if at.attributes is not None else {}
    why_not = _filter(config, at.pattern_root, attributes)
    left = {name: why for name, by_name in names.items() if (why := why_not(name, by_name)) is not None}
    reported = sorted(name for name in names if name not in left)
    others = [
        name
        for name in others
        if why_not(name, False) is None
        and home is not None
        and home(os.path.dirname(os.path.realpath(name))).config == at.config
    ]
    said = (SkippedFile(name, why) for name, why in left.items() if why and (names[name] or why != EXCLUDED))
    return Project(config, tuple(reported), tuple(others), tuple(said), at.pattern_root)


def _filter(
    config: Config, base: Path | None, attributes: Mapping[str, bool]
) -> Callable[[str, bool], str | None]:
    """Why a file is left out, None where it is let in; one that PATH names need not be included.

    Of a file that is merely not included there is nothing to say.
    """
    include = exclude = None
    if config.include or config.exclude:
        from pathspec import GitIgnoreSpec

        include = GitIgnoreSpec.from_lines(config.include or ["*"])
        exclude = GitIgnoreSpec.from_lines(config.exclude)
    start = os.path.realpath(base or ".")

    def why_not(name: str, by_name: bool) -> str | None:
        path = os.path.relpath(os.path.realpath(name), start).replace(os.sep, "/")
        if path.startswith("../"):
            return None
        path = path.encode("utf-8", "replace").decode()  # a name of other bytes: no pattern can name it
        excluded = exclude.check_file(path).include if exclude else None
        if excluded:
            return EXCLUDED
        if excluded is None and (why := skip_reason(path, name, attributes)):
            return why
        return None if by_name or include is None or include.match_file(path) else ""

    return why_not


def _ask_git(folder: str) -> list[str] | None:
    """The Markdown that git knows or would add; None where git cannot say."""
    globs = (f":(icase)*{suffix}" for suffix in SUFFIXES)
    listed = git.run(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *globs)
    return None if listed is None else [os.fsdecode(name) for name in set(listed.split(b"\0")) if name]


def _walk(folder: str) -> Iterable[str]:
    for parent, folders, files in os.walk(folder):
        folders[:] = [
            name for name in folders if name not in _SKIPPED and (name[0] != "." or name == ".github")
        ]
        for name in files:
            if name.lower().endswith(SUFFIXES):
                yield os.path.relpath(os.path.join(parent, name), folder)
