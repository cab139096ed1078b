"""The files of projects: what PATH names, and what git or the configuration adds."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.folders import links_on_the_way
from shelfread.document.file_kind import SUFFIXES
from shelfread.project.config import (
    EMPTY,
    EXCLUDED,
    Config,
    ConfigTree,
    find_config_file,
    load_config,
    make_filter,
    read_attributes,
)

_SKIPPED_FOLDERS = {".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__"}


class SkippedFile(NamedTuple):
    """A file that is not checked, and the reason."""

    path: str
    reason: str


class Project(NamedTuple):
    """Lists that are checked together; paths are relative to the working directory, with `/`."""

    config: Config
    reported: tuple[str, ...]
    others: tuple[str, ...]  # read for conventions, duplicates and anchors, but not reported
    skipped: tuple[SkippedFile, ...] = ()  # files that PATH names and that are not checked
    pattern_root: Path | None = None  # the folder that the config's patterns start from


class _Home(NamedTuple):
    """What determines the project of a folder's files."""

    config: Path | None
    root: Path | None
    pattern_root: Path | None  # where the config's patterns start from
    # the work tree, and the folder with its .gitattributes: the same, or a copy of a commit's files.
    attributes: tuple[Path, Path] | None


def find_projects(
    paths: Sequence[str],
    config: Path | None = None,
    isolated: bool = False,
    unsaved: str | None = None,
    tree: ConfigTree | None = None,
) -> tuple[list[Project], list[InputError]]:
    """Return the projects of the files and folders that PATH names, and the errors of those that cannot be
    read.

    `config` is used for all files. If `isolated` no configuration is searched for; else in `tree` instead of
    the work tree, if given. `unsaved` is the path of a file whose text is not read from disk.
    """
    home = _homes(config, isolated, tree)
    groups: dict[_Home, dict[str, bool]] = {}
    errors: list[InputError] = []
    known: dict[str, str] = {}
    for path in paths:
        try:
            for name, by_name in _expand_path(path, errors):
                if _is_same(known.setdefault(name.lower(), name), name):
                    continue
                group = groups.setdefault(home(os.path.dirname(os.path.realpath(name))), {})
                group[name] = group.get(name, False) or by_name
        except InputError as error:
            errors.append(error)
    if unsaved is not None:
        name = relative_path(os.path.abspath(unsaved))
        groups.setdefault(home(os.path.dirname(os.path.realpath(unsaved))), {})[name] = True
    return [_make_project(project_home, names, home) for project_home, names in groups.items()], errors


def _is_same(first: str, second: str) -> bool:
    """Return whether two names, which differ in case at most, are two of one file, as `README.md` and `readme.md`."""
    with suppress(OSError):
        return first != second and os.path.samefile(first, second)
    return False


def group_files(
    names: Iterable[str],
    config: Path | None = None,
    isolated: bool = False,
    tree: ConfigTree | None = None,
    by_name: Collection[str] = (),
    pattern_root: Path | None = None,
) -> list[Project]:
    """Return the projects of files, which may not exist any more; `by_name` are those that PATH names.

    All are reported unless they are skipped. The patterns of `config` start from `pattern_root`, by default its folder.
    The other parameters are those of `find_projects`.
    """
    home = _homes(config, isolated, tree, pattern_root)
    groups: dict[_Home, dict[str, bool]] = {}
    for name in names:
        groups.setdefault(home(os.path.dirname(os.path.realpath(name))), {})[name] = name in by_name
    return [_make_project(project_home, group) for project_home, group in groups.items()]


def filter_members(project: Project, names: Iterable[str]) -> set[str]:
    """Return those of some deleted files that belonged to the project."""
    skip = make_filter(project.config, project.pattern_root, {})
    root = None if project.pattern_root is None else os.path.realpath(project.pattern_root)
    return {
        name
        for name in names
        if skip(name, False) is None and (root is None or Path(os.path.realpath(name)).is_relative_to(root))
    }


def relative_path(path: str) -> str:
    """Return a path relative to the working directory, with `/`."""
    folder, name = os.path.split(path)
    path = os.path.join(os.path.realpath(folder), name)
    with suppress(ValueError):  # another drive
        path = os.path.relpath(path)
    return path.replace(os.sep, "/")


def list_markdown(folder: str, unreadable: list[InputError] | None = None, ask_git: bool = True) -> list[str]:
    """Return the Markdown files below a folder that git does not ignore (without git: not hidden); others are `unreadable`."""
    errors: list[InputError] = [] if unreadable is None else unreadable
    # All files: with a pattern such as `:(icase)*.md`, git 2.39 lists nothing in a folder below one that it does not track.
    listed = git.list_files(folder) if ask_git and git.find_root(folder) else None
    names, closed = (_walk(folder, errors), []) if listed is None else listed
    errors += (_unreadable(os.path.join(folder, name)) for name in closed)
    paths = sorted(os.path.join(folder, name) for name in names if name.lower().endswith(SUFFIXES))
    return [path for path in paths if not os.path.islink(path) and os.path.isfile(path)]


def find_git_root(folder: Path) -> Path | None:
    """Return the work tree of a folder; None outside of git."""
    root = git.find_root(str(folder))
    return None if root is None else Path(root)


def _homes(
    config: Path | None, isolated: bool, tree: ConfigTree | None, patterns_from: Path | None = None
) -> Callable[[str], _Home]:
    """Return a function that finds the home of a folder."""

    @cache
    def home(folder: str) -> _Home:
        root = find_git_root(Path(folder))
        attributes = None
        if root is not None:
            attributes = root, tree.copy if tree is not None and tree.root == root else root
        if config is not None:
            return _Home(config, root, patterns_from or config.parent, attributes)
        if isolated:
            return _Home(None, root, root, attributes)
        if tree is not None:
            found, pattern_root = tree.find(Path(folder)) or (None, root)
        else:
            found = find_config_file(Path(folder))
            pattern_root = root if found is None else Path(os.path.realpath(found)).parent
        return _Home(found, pattern_root, pattern_root, attributes)

    return home


def _expand_path(path: str, errors: list[InputError]) -> Iterator[tuple[str, bool]]:
    """Yield the files of one PATH, each with whether PATH names the file itself."""
    if not os.path.lexists(path):
        raise InputError("no such file or folder", path)
    _refuse_links_out(path)
    if os.path.isdir(path):
        before = len(errors)
        found = list_markdown(path, errors)
        if not found and len(errors) == before:
            raise InputError("no Markdown files that git does not ignore: name the files themselves", path)
        yield from ((relative_path(name), False) for name in found)
        return
    real = os.path.realpath(path)
    if os.path.islink(path) and not os.path.exists(real):
        raise InputError("a broken symbolic link", path)
    yield relative_path(real), True


def _refuse_links_out(path: str) -> None:
    """Raise InputError if a symbolic link on the way leads out of the work tree, or without git out of the folder.

    That is the working directory, or for a path that is not below it, the folder with the link.
    """
    for link in links_on_the_way(path):
        folder = os.path.realpath(os.path.dirname(link))
        root = git.find_root(folder)
        outside = os.path.realpath("." if not os.path.isabs(link) else folder) if root is None else root
        real = os.path.realpath(link)
        if not Path(real).is_relative_to(outside):
            tree = "folder" if root is None else "work tree"
            raise InputError(f"a symbolic link out of the {tree}: name {real} itself", link)


def _make_project(
    project_home: _Home, names: Mapping[str, bool], home: Callable[[str], _Home] | None = None
) -> Project:
    """Return the project of some files (True: PATH names them); with `home` its other files are found."""
    config_file, root, pattern_root, folders = project_home
    config = load_config(config_file) if config_file is not None else EMPTY
    members = () if root is None or home is None else map(relative_path, list_markdown(str(root)))
    others = [name for name in members if name not in names]
    attributes = read_attributes(*folders, (*names, *others)) if folders is not None else {}
    skip = make_filter(config, pattern_root, attributes)
    reasons = {name: skip(name, by_name) for name, by_name in names.items()}
    folders_of = {
        name: os.path.dirname(os.path.realpath(name)) for name in others if skip(name, False) is None
    }
    others = [name for name, folder in folders_of.items() if home and home(folder).config == config_file]
    return Project(
        config,
        reported=tuple(sorted(name for name, reason in reasons.items() if reason is None)),
        others=tuple(others),
        skipped=tuple(
            SkippedFile(name, reason)
            for name, reason in reasons.items()
            if reason and (names[name] or reason != EXCLUDED)
        ),
        pattern_root=pattern_root,
    )


def _unreadable(folder: str) -> InputError:
    return InputError(
        "this folder cannot be read: allow it, or exclude it in .gitignore", relative_path(folder)
    )


def _walk(folder: str, errors: list[InputError]) -> Iterable[str]:
    for parent, folders, files in os.walk(
        folder, onerror=lambda error: errors.append(_unreadable(error.filename))
    ):
        folders[:] = [
            name for name in folders if name not in _SKIPPED_FOLDERS and (name[0] != "." or name == ".github")
        ]
        yield from (os.path.relpath(os.path.join(parent, name), folder) for name in files)


STDIN = "<stdin>"  # the path of standard input that has no name


def find_inputs(
    paths: Sequence[str],
    config: str | None,
    isolated: bool,
    unsaved: Mapping[str, bytes],
    tree: ConfigTree | None = None,
) -> tuple[list[Project], list[UserError]]:
    """Return the projects of PATH, standard input as one of its own, and an error for each that cannot be found."""
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
