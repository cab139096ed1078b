"""Finds the file that a link to a missing file may mean."""

from __future__ import annotations

import posixpath
from functools import lru_cache

from shelfread.core.patterns import lazy
from shelfread.document.file_kind import SUFFIXES
from shelfread.index.context import RuleContext
from shelfread.index.disk import Disk, ProjectFiles

_MOST_COMPARED = 100  # the most missing files of one list that are compared with others, which is slow

_WORDS = lazy(r"[^\W_]+")
_TEXTS = ("", *SUFFIXES, ".txt", ".rst", ".adoc")
_DOT = lazy(r"(?<![^/])\.(?=[^./])")  # the dot of a name that is left of `./name` without its slash
_LONGEST_CODE = 3  # the letters of a language's code


class FileCandidates:
    """Finds missing files of a project by spelling, by git's renames, by title and by similarity."""

    def __init__(self, files: ProjectFiles, context: RuleContext) -> None:
        self.files = files
        self.context = context
        self._comparisons = _MOST_COMPARED

    def find(self, path: str) -> tuple[str | None, bool]:
        """Return the path (from the root) of the file that a missing one is now, and whether that is certain."""
        spelled = self.files.spellings(path)
        if spelled:
            return (spelled[0], True) if len(spelled) == 1 else (None, False)
        if (renamed := self._renamed(path)) is not None:
            return renamed, True
        self._comparisons -= 1
        return (self._similar(path) if self._comparisons >= 0 else None), False

    def _renamed(self, path: str) -> str | None:
        """Return the new path of a file or folder that git saw renamed, if it exists."""
        renames = self.context.disk.renames(self.files.root)
        if path in renames:
            return renames[path] if self.files.find(renames[path]) else None
        folders = set()
        for old, new in renames.items():
            if old.startswith(path + "/"):
                below = old[len(path) :]
                if not new.endswith(below):
                    return None
                folders.add(new[: -len(below)])
        folder = folders.pop() if len(folders) == 1 else ""
        return folder if folder and self.files.find(folder) else None

    def _similar(self, path: str) -> str | None:
        """Return a file or folder of a similar name in the same folder, or of the same name elsewhere."""
        from difflib import get_close_matches

        folder, _, name = path.rpartition("/")
        stem, ending = posixpath.splitext(name)
        slashed = _DOT.sub("", path, count=1)
        if slashed != path and self.files.find(slashed):
            return slashed
        titled = {(stem + text).lower() for text in _TEXTS} if ending.lower() in _TEXTS else set()
        named = [other for other in self.files.names(folder) if other.lower() in titled]
        if len(named) == 1:
            return posixpath.join(folder, named[0])
        siblings = (
            other
            for other in self.files.names(folder)
            if posixpath.splitext(other)[1] == ending and not _are_variants(name, other)
        )
        near = get_close_matches(name, sorted(siblings), n=1, cutoff=0.85)
        if near:
            return f"{folder}/{near[0]}" if folder else near[0]
        paths = self.context.project.location.paths
        places = _by_name(self.context.disk, self.files.root, paths).get(name, ())
        return next(iter(places)) if len(places) == 1 else None


def _are_variants(name: str, other: str) -> bool:
    """Return whether names differ in a language or a number only: `list-de.md` and `list-fr.md`, `2019.md` and `2020.md`."""
    words, others = (_WORDS.findall(each.lower()) for each in (name, other))
    differing = [pair for pair in zip(words, others, strict=False) if pair[0] != pair[1]]
    if len(words) != len(others) or len(differing) != 1:
        return False
    return all(word.isdigit() or len(word) <= _LONGEST_CODE for word in differing[0])


@lru_cache(maxsize=1)  # asked for each broken link of a project
def _by_name(disk: Disk, root: str, files: tuple[str, ...]) -> dict[str, set[str]]:
    """Return the paths of a project's Markdown files and their folders by name."""
    paths: dict[str, set[str]] = {}
    for file in files:
        path = disk.from_root(file, root) or ""
        while path and path not in paths.get(posixpath.basename(path), ()):
            paths.setdefault(posixpath.basename(path), set()).add(path)
            path = posixpath.dirname(path)
    return paths
