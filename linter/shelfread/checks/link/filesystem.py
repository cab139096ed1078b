"""What stands on the disk of a project, never outside its root, and git's memory of what stood there."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from shelfread.core import git

SITES = frozenset(
    "_config.yml _config.yaml mkdocs.yml mkdocs.yaml docusaurus.config.js docusaurus.config.ts hugo.toml "
    "config.toml book.toml book.json .vitepress .vuepress .eleventy.js astro.config.mjs gatsby-config.js "
    "_sidebar.md home.md _quarto.yml antora.yml nuxt.config.ts next.config.js".split()
)
"""Files that say that pages are built from the Markdown: lower case."""
_COMMITS = 5000
_SECONDS = 10


class Disk:
    """One project's folder. Each folder is read once; spelling counts on every system.

    `stood` are the names that its folders held then, where it is asked about the project as it was.
    """

    def __init__(self, root: str, stood: Mapping[str, frozenset[str]] | None = None) -> None:
        self.root = root
        self._stood = stood or {}
        self._names: dict[str, frozenset[str]] = {}

    def names(self, folder: str) -> frozenset[str]:
        """What a folder (a path from the root, `` is the root) holds; nothing if it is none."""
        if folder not in self._names:
            try:
                found = self._stood.get(folder) or frozenset(os.listdir(os.path.join(self.root, folder)))
            except OSError:
                found = frozenset()
            self._names[folder] = found
        return self._names[folder]

    def is_site(self, folder: str) -> bool:
        """Whether pages are built from the Markdown in a folder, so that addresses are not those of files."""
        while True:
            if any(name.lower() in SITES for name in self.names(folder)):
                return True
            if not folder:
                return False
            folder = folder.rpartition("/")[0]

    def find(self, path: str) -> bool | None:
        """Whether a path from the root exists, spelt exactly so; None if that is not ours to say."""
        folder = ""
        for part in path.split("/") if path else ():
            names = self.names(folder)
            if part not in names:
                # An empty folder may be a submodule that was not fetched.
                return None if folder and not names and ".gitmodules" in self.names("") else False
            folder = f"{folder}/{part}" if folder else part
            if os.path.islink(os.path.join(self.root, folder)) and not self._is_inside(folder):
                return None
        return True

    def spellings(self, path: str) -> list[str]:
        """The paths that exist and differ from one in case alone."""
        found = [""]
        for part in path.split("/"):
            folded = part.casefold()
            found = [
                f"{folder}/{name}" if folder else name
                for folder in found
                for name in sorted(self.names(folder))
                if name.casefold() == folded
            ][:10]
        return found

    def _is_inside(self, path: str) -> bool:
        real = os.path.realpath(os.path.join(self.root, path))
        return real == self.root or real.startswith(self.root + os.sep)


def find_root(path: str, folder: str) -> tuple[str, bool]:
    """The folder of the project that a list belongs to, and whether git says so; else it is the one given."""
    here = os.path.realpath(os.path.dirname(path) or ".")
    root = git.find_root(here)
    if root is not None:
        return root, True
    # A list that is read without its project stands in a folder of its own.
    return (
        (folder, False)
        if here == folder or here.startswith(folder.rstrip(os.sep) + os.sep)
        else (here, False)
    )


def from_root(path: str, root: str) -> str | None:
    """A path as seen from the root, with `/`; None for one outside of it."""
    try:
        relative = os.path.relpath(os.path.realpath(path or "."), root).replace(os.sep, "/")
    except ValueError:  # another drive
        return None
    if relative == ".." or relative.startswith("../"):
        return None
    return "" if relative == "." else relative


def renames(root: str) -> Mapping[str, str]:
    """Where git last saw each file go that was renamed: old path to new, both from the root."""
    if git.find_root(root) is None:
        return {}  # to start git only to hear so would take as long as a short list
    told = git.run(
        root,
        *("log", f"--max-count={_COMMITS}", "-M", "--diff-filter=R", "--name-status", "-z", "--format="),
        *("--no-ext-diff", "--no-textconv", "--no-color", "--relative"),
        seconds=_SECONDS,
    )
    return {} if told is None else _chain([os.fsdecode(field) for field in told.split(b"\0")])


def _chain(fields: list[str]) -> dict[str, str]:
    """The last name of each old one: git tells the newest rename first."""
    last: dict[str, str] = {}
    at = 0
    while at + 2 < len(fields):
        if not re.fullmatch(r"\n*R\d+", fields[at]):
            at += 1
            continue
        old, new = fields[at + 1], fields[at + 2]
        last.setdefault(old, last.get(new, new))
        at += 3
    return last
