"""The folder of the repository that an awesome list is the readme of."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence

from shelfread.checks.link.filesystem import Disk, find_root, from_root, is_file, read_start
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_FOLDERS = ("", ".github", "docs")
_MAX_CHARACTERS = 1 << 18


class RepositoryFolder(NamedTuple):
    """The folder of a list, relative to the root of its repository."""

    disk: Disk
    path: str

    @classmethod
    def of(cls, document: Document, context: RuleContext) -> RepositoryFolder | None:
        """Return the folder of a list that is the readme of its repository, or None for any other list."""
        path = document.source.path
        if path is None or not is_file(path):
            return None
        root, sure = find_root(path, context.project_folder())
        folder = from_root(os.path.dirname(path), root)
        if not sure or folder not in _FOLDERS or not os.path.basename(path).lower().startswith("readme."):
            return None
        disk = Disk(root, context.folders)
        if folder and any(name.lower().startswith("readme.") for name in disk.names("")):
            return None
        return cls(disk, folder)

    def files(self, pattern: re.Pattern[str], folders: Sequence[str] = _FOLDERS) -> Iterator[str]:
        """Return the files with a name, relative to the root; not those that link out of the repository."""
        for folder in dict.fromkeys((self.path, *folders)):
            for name in sorted(self.disk.names(folder)):
                path = posixpath.join(folder, name)
                if pattern.fullmatch(name) and self.disk.find(path):
                    yield path

    def read(self, path: str) -> str | None:
        """Return the start of a file's text, or None if it cannot be read."""
        return read_start(os.path.join(self.disk.root, path), _MAX_CHARACTERS)
