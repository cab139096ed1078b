"""Where a file is that is not where a link says."""

from __future__ import annotations

import posixpath

from shelfread.checks.link.filesystem import Disk, from_root, renames
from shelfread.index.context import RuleContext
from shelfread.project.files import SUFFIXES

_WORDS = 4
"""So many hyphens has a title that no other page will have."""
_GUESSES = 100
"""How many missing files of one list are compared with others at most: it takes its time."""


class Seeker:
    """Seeks missing files of one project: by spelling, in git's memory, by likeness."""

    def __init__(self, disk: Disk, context: RuleContext) -> None:
        self.disk = disk
        self.location = context.project.location
        self.context = context
        self._guesses = _GUESSES

    def seek(self, path: str) -> tuple[str | None, bool]:
        """Where a file is (from the root), and whether that is certain."""
        spelt = self.disk.spellings(path)
        if spelt:
            return (spelt[0], True) if len(spelt) == 1 else (None, False)
        moved = self._moved(path)
        if moved is not None:
            return moved, True
        titled = self._titled(path)
        if titled is not None:
            return titled, posixpath.basename(path).count("-") >= _WORDS
        self._guesses -= 1
        return (self._nearest(path) if self._guesses >= 0 else None), False

    def _moved(self, path: str) -> str | None:
        """The new path of a file or folder that git saw go; it is to be there."""
        gone = self.location.once(renames, self.disk.root)
        if path in gone:
            return gone[path] if self.disk.find(gone[path]) else None
        folders = set()
        for old, new in gone.items():
            if old.startswith(path + "/"):
                rest = old[len(path) :]
                if not new.endswith(rest):
                    return None
                folders.add(new[: -len(rest)])
        folder = folders.pop() if len(folders) == 1 else ""
        return folder if folder and self.disk.find(folder) else None

    def _titled(self, path: str) -> str | None:
        """The only page whose title is what the missing one is called: GitBook names new pages so."""
        stem, ending = posixpath.splitext(posixpath.basename(path))
        if ending not in SUFFIXES or "-" not in stem:
            return None
        files = self.context.project.titles.get("".join(filter(str.isalnum, stem.casefold())), [])
        page = from_root(files[0], self.disk.root) if len(files) == 1 else None
        return page if page and self.disk.find(page) else None

    def _nearest(self, path: str) -> str | None:
        """A file or folder that is likely meant: of a like name in its folder, or of its name elsewhere."""
        from difflib import get_close_matches

        folder, _, name = path.rpartition("/")
        ending = posixpath.splitext(name)[1]
        if not ending:
            for markdown in SUFFIXES:
                if self.disk.find(path + markdown):
                    return path + markdown
        alike = [one for one in self.disk.names(folder) if posixpath.splitext(one)[1] == ending]
        near = get_close_matches(name, sorted(alike), n=1, cutoff=0.85)
        if near:
            return f"{folder}/{near[0]}" if folder else near[0]
        if name.lower() in ("readme.md", "index.md"):
            return None
        places = self.location.once(_places, self.disk.root, self.location.paths).get(name, set())
        return next(iter(places)) if len(places) == 1 else None


def _places(root: str, files: tuple[str, ...]) -> dict[str, set[str]]:
    """A project's Markdown and its folders, by name."""
    places: dict[str, set[str]] = {}
    for file in files:
        at = from_root(file, root) or ""
        while at and at not in places.get(posixpath.basename(at), ()):
            places.setdefault(posixpath.basename(at), set()).add(at)
            at = posixpath.dirname(at)
    return places
