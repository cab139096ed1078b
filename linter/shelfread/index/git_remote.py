"""Reads the origin of a project's repository from `.git/config`, without running git."""

from __future__ import annotations

import os
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.index.disk import Disk

_MOST_CHARACTERS = 65536
_SECTION = lazy(r"(?m)^[ \t]*\[([^\r\n]*)\][ \t]*\r?$")
_URL = lazy(r"(?im)^[ \t]*url[ \t]*=[ \t]*\"?([^\s\"]+)")
_REMOTE = lazy(
    r"(?i)(?:(?:https?|ssh|git)://(?:[^/@\s]*@)?|(?:[\w.-]+@)?)([\w.-]+\.[a-z]+)(?::\d+/|[:/])([\w.-]+)/([\w.-]+?)(?:\.git)?/?"
)
_HEAD = lazy(r"ref:[ \t]*refs/heads/([^\s]+)")


class Origin(NamedTuple):
    """A repository: its host, owner and name, and the branches whose URLs mean the checked out files."""

    host: str
    owner: str
    name: str
    branches: frozenset[str]


def find_origin(disk: Disk, root: str, repository: str = "") -> Origin | None:
    """Return the origin of a work tree, or `owner/name` on GitHub if that is given; None if there is none."""
    folder = _git_folder(disk, root)
    head = _HEAD.match(_read(disk, folder, "HEAD")) if folder else None
    branches = frozenset({"HEAD", "main", "master", *((head[1],) if head else ())})
    owner, _, name = repository.partition("/")
    if owner and name:
        return Origin("github.com", owner, name, branches)
    common = _read(disk, folder, "commondir").strip() if folder else ""
    config = _read(disk, folder, common, "config") if folder else ""
    remote = _REMOTE.fullmatch(_origin_url(config))
    return Origin(remote[1].lower(), remote[2], remote[3], branches) if remote else None


def _origin_url(config: str) -> str:
    for section in _SECTION.finditer(config):
        if section[1].split() == ["remote", '"origin"']:
            after = _SECTION.search(config, section.end())
            url = _URL.search(config, section.end(), after.start() if after else len(config))
            return url[1] if url else ""
    return ""


def _git_folder(disk: Disk, root: str) -> str:
    """Return the path of `.git`, or of the folder that it names in a linked work tree; empty if there is none."""
    path = os.path.join(root, ".git")
    if disk.is_folder(path):
        return path
    link = _read(disk, path)
    return os.path.join(root, link[8:].strip()) if link.startswith("gitdir: ") else ""


def _read(disk: Disk, *path: str) -> str:
    return disk.read_start(os.path.join(*path), _MOST_CHARACTERS) or ""
