"""The name of a repository: from its origin in git's config, else from its folder."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import NamedTuple

from shelfread.core import git
from shelfread.core.inquiry import look
from shelfread.core.support.regex import lazy

_ORIGIN = lazy(r'^[ \t]*\[remote "origin"\][^\[]*?^[ \t]*url[ \t]*=[ \t]*(\S+)', re.MULTILINE)
_AWESOME_NAME = lazy(r"(?:.*[-_.])?awesome[-_.].+|.+[-_.]awesome", re.IGNORECASE)
_MAX_CONFIG = 1 << 16


class Repository(NamedTuple):
    """A repository's folder, owner (empty without an origin) and name."""

    root: str
    owner: str
    name: str

    @property
    def is_awesome(self) -> bool:
        """Whether its name says that it is an awesome list: `awesome-go`, not `awesome` alone."""
        return _AWESOME_NAME.fullmatch(self.name) is not None


@look
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
