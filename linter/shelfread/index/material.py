"""Pages of what a list comes with, in folders such as `code` and `data`: they say how to run or download it."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from shelfread.document.model import Document

_FOLDERS = frozenset("code data dataset datasets experiments models notebooks scripts src".split())


def is_in_material(path: str) -> bool:
    """Return whether a path, from the root of the project, is in a folder of code or data."""
    top, _, rest = path.partition("/")
    return bool(rest) and top.lower() in _FOLDERS


def find_material_links(document: Document) -> frozenset[str]:
    """Return the pages of code or data that a page links to from another folder: they are part of the list."""
    path = document.source.path or ""
    folder, top = posixpath.dirname(path), path.partition("/")[0]
    found = set()
    for link in document.links:
        if "://" not in link.url and ".md" in link.url:
            page = posixpath.normpath(posixpath.join(folder, unquote(link.url.partition("#")[0])))
            if is_in_material(page) and page.partition("/")[0] != top:
                found.add(page)
    return frozenset(found)
