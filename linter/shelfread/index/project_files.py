"""The files of the project that a list belongs to, on disk or at a commit, never outside its root; and the project's origin."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Mapping
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.index.disk import Disk

# Files of site generators, in lower case: where one lies, pages are built from the Markdown.
SITES = frozenset(
    "_config.yml _config.yaml mkdocs.yml mkdocs.yaml docusaurus.config.js docusaurus.config.ts hugo.toml "
    "config.toml book.toml book.json .vitepress .vuepress .eleventy.js astro.config.mjs gatsby-config.js "
    "_sidebar.md home.md _quarto.yml antora.yml nuxt.config.ts next.config.js".split()
)


class ProjectFiles:
    """The files around a list. Each folder is read once; paths are case-sensitive on every system."""

    def __init__(
        self, path: str, disk: Disk, project_folder: str, folders: Mapping[str, frozenset[str]] | None = None
    ) -> None:
        """`path` is that of the list, and `folders` has the names in each folder of an earlier commit.

        These take precedence over the disk.
        """
        self.disk = disk
        self.root, self.is_git_root = disk.find_root(path, project_folder)
        # the folder of the list, from the root; None if it is outside.
        self.folder = disk.from_root(os.path.dirname(path), self.root)
        self._folders = folders or {}
        self._names: dict[str, frozenset[str]] = {}

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder (its path from the root; empty for the root); none if there is no such folder."""
        if folder not in self._names:
            self._names[folder] = self._folders.get(folder) or self.disk.list_folder(self.root, folder)
        return self._names[folder]

    def is_site(self, folder: str) -> bool:
        """Return whether a site generator builds pages from the Markdown in a folder, so that URLs are not paths."""
        while True:
            if any(name.lower() in SITES for name in self.names(folder)):
                return True
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    def find(self, path: str) -> bool | None:
        """Return whether a path from the root exists, in this spelling; None if it is unknown (submodules, links out)."""
        folder = ""
        for name in path.split("/") if path else ():
            names = self.names(folder)
            if name not in names:
                # An empty folder may be a submodule that was not fetched.
                return None if folder and not names and ".gitmodules" in self.names("") else False
            folder = f"{folder}/{name}" if folder else name
            if self.disk.leads_out(self.root, folder):
                return None
        return True

    def spellings(self, path: str) -> list[str]:
        """Return the paths that exist and differ from a path only in case, at most ten."""
        found = [""]
        for component in path.split("/"):
            folded = component.casefold()
            named = ((folder, name) for folder in found for name in sorted(self.names(folder)))
            found = [posixpath.join(*pair) for pair in named if pair[1].casefold() == folded][:10]
        return found


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
