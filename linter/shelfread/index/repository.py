"""What a repository is called: by its origin, read from git's config as text, else by its folder."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.support.regex import lazy

_ORIGIN = lazy(r'^[ \t]*\[remote "origin"\][^\[]*?^[ \t]*url[ \t]*=[ \t]*(\S+)', re.MULTILINE)
_LIST = lazy(r"(?:.*[-_.])?awesome[-_.].+|.+[-_.]awesome", re.IGNORECASE)
_MOST = 1 << 16


class Repository(NamedTuple):
    """A repository's folder, and whose it is (empty where only the folder tells) and its name."""

    root: str
    owner: str
    name: str

    @property
    def is_awesome(self) -> bool:
        """Whether its name says that it is an awesome list: `awesome-go`, not `awesome` alone."""
        return _LIST.fullmatch(self.name) is not None


def find_repository(folder: str) -> Repository | None:
    """The repository that a folder lies in; None outside of git and in a linked work tree, whose name is any."""
    root = git.find_root(folder)
    if root is None or not os.path.isdir(os.path.join(root, ".git")):
        return None
    owner, name = _origin(os.path.join(root, ".git", "config"))
    return Repository(root, owner, name or os.path.basename(root))


def _origin(config: str) -> tuple[str, str]:
    try:
        if not os.path.isfile(config):
            return "", ""
        with open(config, encoding="utf-8", errors="replace") as stream:
            text = stream.read(_MOST)
    except OSError:
        return "", ""
    origin = _ORIGIN.search(text)
    if origin is None:
        return "", ""
    before, _, name = origin[1].rstrip("/").removesuffix(".git").replace(":", "/").rpartition("/")
    return before.rpartition("/")[2], name
