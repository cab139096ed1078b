"""The page of the project that a local URL leads to."""

from __future__ import annotations

import os
import posixpath
from urllib.parse import unquote

from shelfread.checks.link.local_url import is_local
from shelfread.index.context import RuleContext
from shelfread.project.files import SUFFIXES

_READMES = ("README.md", "readme.md", "Readme.md")


def linked_page(file: str, path: str, context: RuleContext) -> str | None:
    """Return the path of the page that a URL without its fragment leads to from the page `path`.

    It may be that of no file. None if the URL is not local, or begins at an unknown root.
    """
    if not is_local(file):
        return None
    if file.startswith("/"):
        root, is_git_root = context.disk.find_root(path, context.project_folder())
        if not is_git_root:
            return None
        name = os.path.relpath(os.path.join(root, unquote(file).lstrip("/"))).replace(os.sep, "/")
    else:
        name = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(file)))
    if not name.lower().endswith(SUFFIXES):  # GitHub shows the README of a folder
        readmes = [readme for readme in _READMES if context.has_file(f"{name}/{readme}")]
        name = f"{name}/{readmes[0]}" if len(readmes) == 1 else name
    return name
