"""What the files of a project are: which presets hold, whether headings are subjects, and which URLs lead to them."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Collection
from unicodedata import category, combining, normalize
from urllib.parse import quote, unquote

from shelfread.core.patterns import lazy
from shelfread.document.file_kind import SUFFIXES
from shelfread.document.identity import fold_title, title_key
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.disk import find_origin
from shelfread.taxonomy.hosts import DOI

_AWESOME_NAME = lazy(r"(?i)(?:.*[-_.])?awesome[-_.].+|.+[-_.]awesome")  # not `awesome` alone
_MIN_ENTRIES = 10  # in a file with fewer entries the share of papers of the whole project counts


def find_presets(context: RuleContext) -> dict[str, tuple[str, ...]]:
    """Return the presets of each file: core, papers and awesome as detected, taxonomy if the project has one."""
    files = context.project.facts
    entries = sum(facts.entries for facts in files.values())
    papers = sum(facts.papers for facts in files.values())
    taxonomy = ["taxonomy"] if context.taxonomy.concepts or context.taxonomy.entry else []
    readme = _awesome_readme(context)
    presets: dict[str, tuple[str, ...]] = {}
    for path, facts in files.items():
        own = facts.entries >= _MIN_ENTRIES or entries == 0
        share = facts.papers / max(facts.entries, 1) if own else papers / max(entries, 1)
        awesome = facts.awesome or path == readme
        detected = [*(["papers"] if share >= 0.5 else []), *(["awesome"] if awesome else [])]
        presets[path] = ("core", *detected, *taxonomy)
    return presets


def _awesome_readme(context: RuleContext) -> str | None:
    """Return the readme of a repository whose name says that it is an awesome list, if the readme does not."""
    for path, facts in context.project.facts.items():
        is_readme = os.path.basename(path).lower().startswith("readme.")
        if facts.awesome or facts.entries < _MIN_ENTRIES or not is_readme:
            continue
        files = context.files_around(path)
        if files.is_git_root and files.folder == "":
            origin = find_origin(context.disk, files.root)
            name = origin.name if origin is not None else os.path.basename(files.root)
            return path if _AWESOME_NAME.fullmatch(name) else None
    return None


_MIN_CODE_SHARE = 0.3
_LANGUAGE = lazy(
    r"(?i)[-_.](?:(?:ar|bg|bn|ca|cs|da|de|el|en|es|fa|fi|fil|fr|he|hi|hr|hu|id|it|ja|ko|ms|nb|nl|pl|pt|ro|ru|sk|sr"
    r"|sv|ta|th|tr|tu|uk|ur|vi|zh)(?:[-_](?:[a-z]{2}|han[st]))?|cn|tw|hk|jp|kr|br|ch[st]|chinese|english|japanese|korean)$"
)


def has_subjects(document: Document, context: RuleContext) -> bool:
    """Return whether a list's headings are subjects in the language of the project."""
    path = document.source.path or ""
    if _explains(document) or _is_about_a_paper(document, context):
        return False
    return original_of(path, context.project.facts) is None


def _explains(document: Document) -> bool:
    """Return whether a page explains code rather than lists things: it has many blocks of code for its entries."""
    code = sum(block.kind == "code" for block in document.tree.blocks)
    return code > 0 and code >= _MIN_CODE_SHARE * len(document.entries)


def is_translation(path: str) -> bool:
    """Return whether the name of a file says that it is in a language of its own: `books-fr.md`."""
    return _LANGUAGE.search(posixpath.splitext(path)[0]) is not None


def original_of(path: str, paths: Collection[str]) -> str | None:
    """Return the file that another one translates, going by its name: `README.md` of `README-ja.md`."""
    stem, suffix = posixpath.splitext(path)
    match = _LANGUAGE.search(stem)
    original = f"{stem[: match.start()]}{suffix}" if match else ""
    return original if original in paths else None


def are_one_list(path: str, other: str, paths: Collection[str]) -> bool:
    """Return whether two files have one list in two languages, going by their names."""
    return path != other and (original_of(path, paths) or path) == (original_of(other, paths) or other)


def _is_about_a_paper(document: Document, context: RuleContext) -> bool:
    """Return whether the title of a page is that of a paper that another file lists."""
    first = document.sections[0] if document.sections else None
    if first is None or first.level != 1:
        return False
    key = title_key(fold_title(first.title))
    listing = context.project.duplicates.first_listings.get(key) if key is not None else None
    return listing is not None and listing.path != document.source.path


_READMES = ("README.md", "readme.md", "Readme.md")

TEMPLATE = lazy(r"[{}<>$|*\\]|\.\.\.|…")
_SCHEME = lazy(r"(?i)[a-z][a-z0-9+.-]*:")
_DOI = lazy(DOI)
# Used in place of a URL where a format is explained.
_PLACEHOLDERS = frozenset(
    "link url uri href http https address website homepage path link-here your-link".split()
)
_INVISIBLE = frozenset(("Cf", "Cc", "Zs", "Zl", "Zp", "Pd"))
# Variation selectors, and letters that show nothing.
_SELECTORS = lazy(r"[\ufe00-\ufe0f\u034f\u115f\u1160\u3164\uffa0]")


def linked_page(file: str, path: str, context: RuleContext) -> str | None:
    """Return the path to which a URL without fragment leads from the page `path`; None if it is not local, or has no known root."""
    if not is_local(file):
        return None
    if file.startswith("/"):
        root, is_git_root = context.disk.find_root(path, context.project.location.folder)
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
