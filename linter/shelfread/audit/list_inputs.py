"""What the rows of a list depend on: the names of its files, its Markdown, its configuration; and their digest."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from shelfread.core import git
from shelfread.core.errors import InputError, UserError
from shelfread.core.source import read_bytes
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.engine.policy_changes import policy_files
from shelfread.project.config_file import belongs_to_config
from shelfread.project.files import Project, group_files, list_markdown, relative_path
from shelfread.rulebook.selection import CUSTOM_RULES
from shelfread.taxonomy.chain import bundled_names, read_chain


class Inputs(NamedTuple):
    """The projects of the folder that is the working directory."""

    projects: Sequence[Project]
    texts: Mapping[str, bytes]
    """The contents of its Markdown files, by path."""
    names: Sequence[str]
    """Its files of all kinds, sorted."""
    errors: Sequence[UserError]
    """Of folders that cannot be read."""


def read_inputs(config: str | None, isolated: bool) -> Inputs:
    """Read the lists of the working directory. They are on their own, whatever repository the folder is in.

    Raises UserError if the configuration is wrong, or if there is no list.
    """
    unreadable: list[InputError] = []
    own = is_own_repository()  # another one may well ignore the lists that are kept in it
    paths = [relative_path(path) for path in list_markdown(".", unreadable, ask_git=own)]
    if not paths and not unreadable:
        raise InputError("no Markdown files that git does not ignore" if own else "no Markdown files")
    projects = group_files(paths, Path(config) if config else None, isolated, pattern_root=Path.cwd())
    texts: dict[str, bytes] = {}
    for path in paths:
        with suppress(InputError):  # it is read again, and reported, if it is no file to skip
            texts[path] = read_bytes(path)
    return Inputs(projects, texts, sorted(_list_files(own)), unreadable)


def is_own_repository() -> bool:
    """Return whether the working directory is the root of a repository."""
    return git.find_root(".") == os.path.realpath(".")


def digest_of(inputs: Inputs, taxonomy: str | None, options: Sequence[str]) -> str:
    """Return the SHA-256 of all that the rows depend on; `taxonomy` replaces those of the configurations.

    It does not depend on the folder that the list is in.
    """
    digest = sha256()
    for part in _parts(inputs, taxonomy, options):
        digest.update(b"%d:" % len(part))
        digest.update(part)
    return digest.hexdigest()


def _parts(inputs: Inputs, taxonomy: str | None, options: Sequence[str]) -> Iterator[bytes]:
    yield from map(os.fsencode, options)
    for name in inputs.names:  # some rules look whether what a link leads to is there
        yield os.fsencode(name)
    yield b""
    for path in sorted({*inputs.texts, *map(relative_path, _policy_files(inputs, taxonomy))}):
        yield os.fsencode(
            path if path in inputs.texts or not path.startswith("../") else os.path.basename(path)
        )
        data = inputs.texts.get(path)
        with suppress(InputError):
            yield read_bytes(path) if data is None else data


def _list_files(own: bool) -> Iterable[str]:
    listed = git.list_files(".") if own else None
    return _walk() if listed is None else listed[0]


def _walk() -> Iterator[str]:
    for parent, folders, files in os.walk("."):
        folders[:] = [name for name in folders if name != ".git"]
        yield from (os.path.relpath(os.path.join(parent, name)).replace(os.sep, "/") for name in files)


def _policy_files(inputs: Inputs, taxonomy: str | None) -> Iterator[str]:
    """Yield the files that may change what is found, those of configurations outside of the list too."""
    yield from filter(belongs_to_config, inputs.names)
    for project in inputs.projects:
        yield from policy_files(project.config)
        for folder in project.config.folders:
            yield from map(os.fspath, (folder / CUSTOM_RULES).rglob("*.md"))
    for name in (taxonomy, *(project.config.taxonomy for project in inputs.projects)):
        if name is not None and name not in bundled_names():
            yield from (file.path for file in read_chain(name) if file.path)
