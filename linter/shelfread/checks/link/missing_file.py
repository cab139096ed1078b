"""Links to files of the project: those that do not exist, and those by their absolute URL."""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.file_kind import SUFFIXES, is_placeholder
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address, odd_addresses
from shelfread.index.context import RuleContext
from shelfread.index.disk import Disk, ProjectFiles
from shelfread.index.pages import is_local

_RAW_HOST = "raw.githubusercontent.com"
# Characters that must be encoded in a relative URL.
_SPECIAL = lazy(r"[\s()<>%?#\\\[\]|*\"]")
# A pull request has the URL /OWNER/REPOSITORY/pull/1.
_FROM_PULL_REQUEST = lazy(r"\.\./(?:blob|tree)/[^/]+/")
_README = lazy(r"(?i)readme\.\w+")


class _Target(NamedTuple):
    """A local URL: `path` as written, `file` decoded and from the project's root."""

    path: str
    file: str
    suffix: str  # the query and the fragment, with `?` and `#`


def missing_file(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield local URLs whose file or folder does not exist."""
    path = document.source.path
    local = [address for address in odd_addresses(document) if is_local(address.url)]
    if path is None or not local:
        return
    if not (context.project.location.folders or context.disk.is_folder(os.path.dirname(path) or ".")):
        return
    files = context.files_around(path)
    folder = files.folder
    if folder is None:
        return
    candidates = FileCandidates(files, context)
    is_template = document.kind.is_comment_template
    whole = context.project.collector(path) or context.project.made_of(path)
    around = "" if is_template else None
    if whole is not None and not is_template:
        around = context.disk.from_root(os.path.dirname(whole), files.root)
    for address in local:
        is_word = "/" not in address.url and "." not in address.url
        if document.kind.explains_entries and (is_word or is_placeholder(address.url)):
            continue  # `[name](link)` explains how entries are written
        target = _parse(address.url, folder, files.is_git_root)
        if target is None or _exists(files, target, folder) is not False:
            continue
        url = _FROM_PULL_REQUEST.sub("", address.url) if is_template else address.url
        elsewhere = _parse(url, around, files.is_git_root) if around is not None else None
        if around is not None and elsewhere is not None and _exists(files, elsewhere, around) is not False:
            continue  # where the sample of a template goes, or in the page that a script makes
        if is_template:
            yield RawDiagnostic(address.span, {"target": target.path}, message="template")
            continue
        file, is_certain = candidates.find(target.file)
        new = None if file is None else _relative(target.path, file, folder)
        if new == os.path.basename(path) and not is_certain:
            new = None  # a page of the same name elsewhere is hardly this one
        if new is None and is_word and address.url in (context.anchors(path) or ()):
            new, is_certain = f"#{address.url}", False  # `](rain)` for `](#rain)`
        yield _diagnostic(address, target, new, is_certain, document.source.text)


def _parse(url: str, folder: str, is_git_root: bool) -> _Target | None:
    """Return a local URL's parts; None if it leads out of the project, or from an unknown root."""
    written = url.partition("#")[0].partition("?")[0]
    path = unquote(written)
    if "\0" in path or (path.startswith("/") and not is_git_root):
        return None
    file = posixpath.normpath(path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path))
    if file == ".." or file.startswith("../"):
        return None
    return _Target(written, "" if file == "." else file, url[len(written) :])


def _exists(files: ProjectFiles, target: _Target, folder: str) -> bool | None:
    """Return whether the target exists; None if a site generator or GitHub may serve it."""
    found = files.find(target.file)
    if found is not False:
        return found
    ending = posixpath.splitext(target.file)[1]
    may_be_made = not ending or target.path.startswith("/") or ending == ".html"
    return None if may_be_made and files.is_site(folder) else False


def _diagnostic(address: Address, target: _Target, new: str | None, sure: bool, text: str) -> RawDiagnostic:
    if new is None:
        return RawDiagnostic(address.span, {"target": target.path}, message="missing")
    start, end = address.span
    edit = Edit.relink(Span(start, start + len(target.path)), address.url, new + target.suffix, new)
    values = {"target": target.path, "replacement": new}
    edits = (edit,) if text[start:end] == address.url else ()
    return RawDiagnostic(address.span, values, edits, sure, message="replaced" if sure else "similar")


def _relative(written: str, file: str, folder: str) -> str:
    """Return the path of a file, written in the style of the path that it replaces."""
    if written.startswith("/"):
        path = "/" + file
    else:
        path = posixpath.relpath(file or ".", folder or ".")
        if written.startswith("./") and not path.startswith("../"):
            path = "./" + path
    if written.endswith("/") and not path.endswith("/") and not posixpath.splitext(path)[1]:
        path += "/"
    if "%" in written or re.search(r"[\s()<>%?#\\\[\]|*_]", path):
        path = quote(path, safe="/.-_~!$&'+,;=:@" + "".join(set(filter(str.isalpha, path))))
    return path


def absolute_self(document: Document, context: RuleContext, *, repository: str = "") -> RawDiagnostics:
    """Yield absolute URLs of the list's own repository: `repository` (owner/name), or the origin in `.git/config`."""
    path = document.source.path
    if path is None or "//" not in document.source.text:
        return
    files = context.files_around(path)
    folder = files.folder
    from shelfread.index.disk import find_origin

    origin = find_origin(context.disk, files.root, repository) if folder is not None else None
    if folder is None or origin is None:
        return
    own = re.escape(f"{origin.owner}/{origin.name}")
    branches = "|".join(re.escape(branch) for branch in sorted(origin.branches))
    hosts = rf"(?:www\.)?{re.escape(origin.host)}"
    file = rf"//{hosts}/{own}/(?:-/)?(?:blob|tree|raw)/(?:{branches})/"
    if origin.host == "github.com":
        file += rf"|//{re.escape(_RAW_HOST)}/{own}/(?:refs/heads/)?(?:{branches})/"
    pattern = re.compile(rf"(?i)(?:https?:)?(?:(?:{file})([^?#]+)([?#].*)?|//{hosts}/{own}/?#(.+))")
    readme = not folder and _README.fullmatch(os.path.basename(path)) is not None
    for address in addresses(document):
        if address.form in ("bare", "autolink") or origin.name.lower() not in address.url.lower():
            continue  # readers see the URL itself
        match = pattern.fullmatch(address.url)
        if match is None:
            continue
        path_in_repository, suffix, anchor = match[1], match[2] or "", match[3]
        if anchor is not None:
            if anchor.lower() == "readme" or not readme:
                continue
            relative = f"#{anchor}" if unquote(anchor) in (context.anchors(path) or ()) else None
        else:
            relative = _relative_url(files, unquote(path_in_repository), folder, suffix)
        if relative is None:
            yield RawDiagnostic(address.span, message="unresolved")
            continue
        edits = edit_address(address, relative, document.source.text)
        safe = not files.is_site(folder)
        yield RawDiagnostic(address.span, {"relative": relative}, edits, safe, message="resolved")


def _relative_url(files: ProjectFiles, path: str, folder: str, suffix: str) -> str | None:
    """Return the relative URL of a path of the repository from one of its folders; None if it does not exist."""
    path = posixpath.normpath(path)
    if "\0" in path or path.startswith(("../", "/")) or suffix.startswith("?") or not files.find(path):
        return None
    relative = posixpath.relpath(path, folder or ".")
    if re.match(r"[^/]*:", relative):
        relative = f"./{relative}"
    return _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", relative) + suffix


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
        """Return the new path of a file that git saw renamed, if it exists."""
        renames = self.context.disk.renames(self.files.root)
        return renames[path] if path in renames and self.files.find(renames[path]) else None

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
        place = next(iter(places)) if len(places) == 1 else None
        return None if place and place.count("/") == path.count("/") and _are_variants(path, place) else place


def _are_variants(name: str, other: str) -> bool:
    """Return whether names differ in languages or numbers only: `list-de.md` and `list.md`, `2019.md` and `2020.md`."""
    words, others = (Counter(_WORDS.findall(each.lower())) for each in (name, other))
    differing = [*(words - others), *(others - words)]
    is_part = words.total() != others.total() and any(map(str.isdigit, differing))  # `list-2.md` of `list.md`
    codes = sum(word.isdigit() or len(word) <= _LONGEST_CODE for word in differing)
    return 0 < codes == len(differing) and not is_part


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
