"""Finds the file that a link to a missing file may mean."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from functools import lru_cache

from shelfread.checks.link.filesystem import Disk, find_renames, from_root
from shelfread.core import git
from shelfread.core.inquiry import question
from shelfread.core.support.regex import lazy
from shelfread.index.context import RuleContext
from shelfread.project.files import SUFFIXES

_LEAST_HYPHENS = 4
"""A title with so many hyphens in its slug is unique."""
MOST_COMPARED = 100
"""The most missing files of one list that are compared with others, which is slow."""

_WORDS = lazy(r"[^\W_]+")
_LONGEST_CODE = 3
"""The letters of a language's code."""


class FileCandidates:
    """Finds missing files of a project by spelling, by git's renames, by title and by similarity."""

    def __init__(self, disk: Disk, context: RuleContext) -> None:
        self.disk = disk
        self.context = context
        self._comparisons = MOST_COMPARED

    def find(self, path: str) -> tuple[str | None, bool]:
        """Return the path (from the root) of the file that a missing one is now, and whether that is certain."""
        spelled = self.disk.spellings(path)
        if spelled:
            return (spelled[0], True) if len(spelled) == 1 else (None, False)
        if (renamed := self._renamed(path)) is not None:
            return renamed, True
        if (titled := self._titled(path)) is not None:
            return titled, posixpath.basename(path).count("-") >= _LEAST_HYPHENS
        self._comparisons -= 1
        return (self._similar(path) if self._comparisons >= 0 else None), False

    def _renamed(self, path: str) -> str | None:
        """Return the new path of a file or folder that git saw renamed, if it exists."""
        renames = _renames(self.context, self.disk.root, git.history_stamp(self.disk.root))
        if path in renames:
            return renames[path] if self.disk.find(renames[path]) else None
        folders = set()
        for old, new in renames.items():
            if old.startswith(path + "/"):
                below = old[len(path) :]
                if not new.endswith(below):
                    return None
                folders.add(new[: -len(below)])
        folder = folders.pop() if len(folders) == 1 else ""
        return folder if folder and self.disk.find(folder) else None

    def _titled(self, path: str) -> str | None:
        """Return the only page whose title is the missing file's name: GitBook names new pages so."""
        stem, ending = posixpath.splitext(posixpath.basename(path))
        if ending not in SUFFIXES or "-" not in stem:
            return None
        files = _titled(self.context, "".join(filter(str.isalnum, stem.casefold())))
        page = from_root(files[0], self.disk.root) if len(files) == 1 else None
        return page if page and self.disk.find(page) else None

    def _similar(self, path: str) -> str | None:
        """Return a file or folder of a similar name in the same folder, or of the same name elsewhere."""
        from difflib import get_close_matches

        folder, _, name = path.rpartition("/")
        ending = posixpath.splitext(name)[1]
        if not ending:
            for markdown in SUFFIXES:
                if self.disk.find(path + markdown):
                    return path + markdown
        siblings = (
            other
            for other in self.disk.names(folder)
            if posixpath.splitext(other)[1] == ending and not _are_variants(name, other)
        )
        near = get_close_matches(name, sorted(siblings), n=1, cutoff=0.85)
        if near:
            return f"{folder}/{near[0]}" if folder else near[0]
        if name.lower() in ("readme.md", "index.md"):
            return None
        places = _named(self.context, self.disk.root, name)
        return places[0] if len(places) == 1 else None


@question
def _renames(context: RuleContext, root: str, stamp: str) -> Mapping[str, str]:
    """Return what git saw renamed; `stamp` is that of the history."""
    return _renames_at(root, stamp)


@lru_cache(maxsize=4)  # git is slow, and an editor asks again after every edit
def _renames_at(root: str, stamp: str) -> Mapping[str, str]:
    return find_renames(root)


@question
def _titled(context: RuleContext, title: str) -> list[str]:
    """Return the files with a title, folded."""
    return context.project.titles.get(title, [])


@question
def _named(context: RuleContext, root: str, name: str) -> list[str]:
    """Return the paths from the root of a project's Markdown files and their folders with a name."""
    location = context.project.location
    return sorted(location.once(_by_name, root, location.paths).get(name, ()))


def _are_variants(name: str, other: str) -> bool:
    """Return whether names differ in a language or a number only: `list-de.md` and `list-fr.md`, `2019.md` and `2020.md`."""
    words, others = (_WORDS.findall(each.lower()) for each in (name, other))
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(differing) != 1:
        return False
    return all(word.isdigit() or len(word) <= _LONGEST_CODE for word in differing[0])


def _by_name(root: str, files: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the paths of a project's Markdown files and their folders by name."""
    paths: dict[str, set[str]] = {}
    for file in files:
        path = from_root(file, root) or ""
        while path and path not in paths.get(posixpath.basename(path), ()):
            paths.setdefault(posixpath.basename(path), set()).add(path)
            path = posixpath.dirname(path)
    return paths
