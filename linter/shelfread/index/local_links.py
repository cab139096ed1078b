"""Links to files of the project: which URLs are such paths, and the page that one leads to."""

from __future__ import annotations

import os
import posixpath
from unicodedata import category, combining, normalize
from urllib.parse import quote, unquote

from shelfread.core.patterns import lazy
from shelfread.document.file_kind import SUFFIXES
from shelfread.index.context import RuleContext

_READMES = ("README.md", "readme.md", "Readme.md")


TEMPLATE = lazy(r"[{}<>$|*\\]|\.\.\.|…")
_SCHEME = lazy(r"(?i)[a-z][a-z0-9+.-]*:")
_DOI = lazy(r"10\.\d{4,9}/")
# Used in place of a URL where a format is explained.
_PLACEHOLDERS = frozenset(
    "link url uri href http https address website homepage path link-here your-link".split()
)
_INVISIBLE = frozenset(("Cf", "Cc", "Zs", "Zl", "Zp", "Pd"))
# Variation selectors, and letters that show nothing.
_SELECTORS = lazy(r"[\ufe00-\ufe0f\u034f\u115f\u1160\u3164\uffa0]")


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


def is_local(url: str) -> bool:
    """Return whether a URL is the path of a file, perhaps with a fragment; not for an anchor alone."""
    return (
        "://" not in url
        and bool(url)
        and not url.startswith(("#", "?", "//"))
        and not _SCHEME.match(url)
        and not TEMPLATE.search(url)
        and not _DOI.match(url)
        and url.lower() not in _PLACEHOLDERS
    )


def visible(url: str) -> str:
    """Return a URL with invisible characters, dashes that are no hyphens, and loose accents percent-encoded."""
    if url.isascii():
        return url
    is_composed = normalize("NFC", url) == url
    return "".join(
        character if character.isascii() or not _is_encoded(character, is_composed) else quote(character)
        for character in url
    )


def _is_encoded(character: str, is_composed: bool) -> bool:
    if category(character) in _INVISIBLE or _SELECTORS.match(character):
        return True
    return not is_composed and combining(character) > 0
