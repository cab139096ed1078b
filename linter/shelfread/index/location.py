"""Where the files of a project are on disk, and the repository that holds them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.patterns import lazy

_ORIGIN = lazy(r'^[ \t]*\[remote "origin"\][^\[]*?^[ \t]*url[ \t]*=[ \t]*(\S+)', re.MULTILINE)
_AWESOME_NAME = lazy(r"(?:.*[-_.])?awesome[-_.].+|.+[-_.]awesome", re.IGNORECASE)
_MAX_CONFIG = 1 << 16


def common_folder(paths: Iterable[str]) -> str:
    """Return the absolute path of the folder that holds all files, symbolic links resolved."""
    folders = {os.path.realpath(folder or ".") for folder in {os.path.dirname(path) for path in paths}}
    try:
        return os.path.commonpath(folders or {os.path.realpath(".")})
    except ValueError:  # several drives
        return os.path.realpath(".")


class Repository(NamedTuple):
    """A repository's folder, owner (empty without an origin) and name."""

    root: str
    owner: str
    name: str

    @property
    def is_awesome(self) -> bool:
        """Whether its name says that it is an awesome list: `awesome-go`, not `awesome` alone."""
        return _AWESOME_NAME.fullmatch(self.name) is not None


def find_repository(folder: str) -> Repository | None:
    """Return the repository that holds a folder; None outside of git, and in a linked work tree, whose name says nothing."""
    root = git.find_root(folder)
    if root is None or not os.path.isdir(os.path.join(root, ".git")):
        return None
    owner, name = _origin(os.path.join(root, ".git", "config"))
    return Repository(root, owner, name or os.path.basename(root))


def _origin(config: str) -> tuple[str, str]:
    text = ""
    with suppress(OSError):
        if os.path.isfile(config):
            with open(config, encoding="utf-8", errors="replace") as stream:
                text = stream.read(_MAX_CONFIG)
    origin = _ORIGIN.search(text)
    if origin is None:
        return "", ""
    before, _, name = origin[1].rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")
    return before.rpartition("/")[2], name


@dataclass(frozen=True, eq=False)
class Location:
    """Where the files of a project are. Fixes do not change it."""

    paths: tuple[str, ...]
    folders: Mapping[str, frozenset[str]] | None = None
    """The content of each folder at a commit, by its path from the root; None if the files are on disk."""

    @cached_property
    def folder(self) -> str:
        """The absolute path of the folder that holds all files, symbolic links resolved."""
        return common_folder(self.paths)

    @cached_property
    def by_folder(self) -> dict[str, list[str]]:
        """The paths of the files in each folder."""
        folders: dict[str, list[str]] = {}
        for path in self.paths:
            folders.setdefault(os.path.dirname(path), []).append(path)
        return folders
