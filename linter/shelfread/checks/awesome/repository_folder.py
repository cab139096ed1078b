"""The folder of the repository that an awesome list is the readme of."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.files.project_files import ProjectFiles

_FOLDERS = ("", ".github", "docs")
_MAX_CHARACTERS = 1 << 18


class RepositoryFolder(NamedTuple):
    """The folder of a list, relative to the root of its repository."""

    all_files: ProjectFiles
    path: str

    @classmethod
    def of(cls, document: Document, context: RuleContext) -> RepositoryFolder | None:
        """Return the folder of a list that is the readme of its repository, or None for any other list."""
        path = document.source.path
        if path is None or not context.disk.is_file(path):
            return None
        files = context.files_around(path)
        folder = files.folder
        if (
            not files.is_git_root
            or folder not in _FOLDERS
            or not os.path.basename(path).lower().startswith("readme.")
        ):
            return None
        if folder and any(name.lower().startswith("readme.") for name in files.names("")):
            return None
        return cls(files, folder)

    def files(self, pattern: re.Pattern[str], folders: Sequence[str] = _FOLDERS) -> Iterator[str]:
        """Return the files with a name, relative to the root; not those that link out of the repository."""
        for folder in dict.fromkeys((self.path, *folders)):
            for name in sorted(self.all_files.names(folder)):
                path = posixpath.join(folder, name)
                if pattern.fullmatch(name) and self.all_files.find(path):
                    yield path

    def read(self, path: str) -> str | None:
        """Return the start of a file's text, or None if it cannot be read."""
        return self.all_files.disk.read_start(os.path.join(self.all_files.root, path), _MAX_CHARACTERS)
