"""The files of a project on disk, never outside its root, and the renames that git knows."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Mapping

from shelfread.core import git
from shelfread.core.inquiry import look

SITES = frozenset(
    "_config.yml _config.yaml mkdocs.yml mkdocs.yaml docusaurus.config.js docusaurus.config.ts hugo.toml "
    "config.toml book.toml book.json .vitepress .vuepress .eleventy.js astro.config.mjs gatsby-config.js "
    "_sidebar.md home.md _quarto.yml antora.yml nuxt.config.ts next.config.js".split()
)
"""Files of site generators, in lower case: where one lies, pages are built from the Markdown."""
_COMMITS = 5000
_SECONDS = 10


class Disk:
    """The files below a project's root. Each folder is read once; paths are case-sensitive on every system.

    `folders` has the names in each folder of an earlier commit, and takes precedence over the disk.
    """

    def __init__(self, root: str, folders: Mapping[str, frozenset[str]] | None = None) -> None:
        self.root = root
        self._folders = folders or {}
        self._names: dict[str, frozenset[str]] = {}

    def names(self, folder: str) -> frozenset[str]:
        """Return the names in a folder (its path from the root; empty for the root); none if there is no such folder."""
        if folder not in self._names:
            self._names[folder] = self._folders.get(folder) or _list_folder(self.root, folder)
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
            if _leads_out(self.root, folder):
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


@look
def _list_folder(root: str, folder: str) -> frozenset[str]:
    """Return the names in a folder; none if it cannot be read."""
    try:
        return frozenset(os.listdir(os.path.join(root, folder)))
    except OSError:
        return frozenset()


@look
def _leads_out(root: str, path: str) -> bool:
    """Return whether a path from the root is a symbolic link to the outside."""
    if not os.path.islink(os.path.join(root, path)):
        return False
    real = os.path.realpath(os.path.join(root, path))
    return real != root and not real.startswith(root + os.sep)


@look
def is_folder(path: str) -> bool:
    """Return whether there is a folder of that path."""
    return os.path.isdir(path)


@look
def is_file(path: str) -> bool:
    """Return whether there is a regular file of that path, or a link to one."""
    return os.path.isfile(path)


@look
def exists(path: str) -> bool:
    """Return whether anything has that path, even a broken link."""
    return os.path.lexists(path)


@look
def find_root(path: str, folder: str) -> tuple[str, bool]:
    """Return the root of the project that a list belongs to, and whether it is that of a git work tree.

    Without git it is `folder` if the list lies in it, else the folder of the list.
    """
    own = os.path.realpath(os.path.dirname(path) or ".")
    root = git.find_root(own)
    if root is not None:
        return root, True
    is_inside = own == folder or own.startswith(folder.rstrip(os.sep) + os.sep)
    return (folder if is_inside else own), False


@look
def from_root(path: str, root: str) -> str | None:
    """Return a path relative to the root, with `/` and empty for the root; None if it is outside."""
    try:
        relative = os.path.relpath(os.path.realpath(path or "."), root).replace(os.sep, "/")
    except ValueError:  # another drive
        return None
    if relative == ".." or relative.startswith("../"):
        return None
    return "" if relative == "." else relative


@look
def read_start(path: str, most: int) -> str | None:
    """Return at most so many characters of a regular file; None if it cannot be read."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(most)
    except (OSError, ValueError):
        return None


def find_renames(root: str) -> Mapping[str, str]:
    """Return the last path of every file that git saw renamed, by its old path, both from the root."""
    if git.find_root(root) is None:
        return {}  # starting git would take as long as checking a short list
    output = git.run(
        root,
        *("log", f"--max-count={_COMMITS}", "-M", "--diff-filter=R", "--name-status", "-z", "--format="),
        *("--no-ext-diff", "--no-textconv", "--no-color", "--relative"),
        seconds=_SECONDS,
    )
    return {} if output is None else _last_paths([os.fsdecode(field) for field in output.split(b"\0")])


def _last_paths(fields: list[str]) -> dict[str, str]:
    """Return the last path by old path, from git's output, which begins with the newest rename."""
    last: dict[str, str] = {}
    remaining = iter(fields)
    for field in remaining:
        if re.fullmatch(r"\n*R\d+", field):
            old, new = next(remaining, ""), next(remaining, "")
            if new:
                last.setdefault(old, last.get(new, new))
    return last
