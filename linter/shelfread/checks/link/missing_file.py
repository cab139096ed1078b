"""Links to files of the project: those that do not exist, and those by their absolute URL."""

from __future__ import annotations

import os
import posixpath
import re
from typing import NamedTuple
from urllib.parse import quote, unquote

from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.file_kind import is_placeholder
from shelfread.document.model import Document
from shelfread.document.passages import Address, addresses, edit_address, odd_addresses
from shelfread.index.context import RuleContext
from shelfread.index.disk import ProjectFiles
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
    if (
        path is None
        or not local
        or not (context.folders or context.disk.is_folder(os.path.dirname(path) or "."))
    ):
        return
    files = context.files_around(path)
    folder = files.folder
    if folder is None:
        return
    from shelfread.checks.link.file_candidates import FileCandidates

    candidates = FileCandidates(files, context)
    is_template = document.kind.is_comment_template
    whole = context.project.collector(path) or context.project.made_of(path)
    around = (
        ""
        if is_template
        else None
        if whole is None
        else context.disk.from_root(os.path.dirname(whole), files.root)
    )
    for address in local:
        if document.kind.explains_entries and "/" not in address.url and "." not in address.url:
            continue  # `[name](link)` explains how entries are written
        if document.kind.explains_entries and is_placeholder(address.url):
            continue
        target = _parse(address.url, folder, files.is_git_root)
        if target is None or _exists(files, target, folder) is not False:
            continue
        url = _FROM_PULL_REQUEST.sub("", address.url) if is_template else address.url
        if around is not None and _exists_from(files, url, around):
            continue  # where the sample of a template goes, or in the page that a script makes
        if is_template:
            yield RawDiagnostic(address.span, {"target": target.path}, message="template")
            continue
        found, is_certain = candidates.find(target.file)
        new = None if found is None else _relative(target.path, found, folder)
        if new == os.path.basename(path) and not is_certain:
            new = None  # a page of the same name elsewhere is hardly this one
        yield _diagnostic(address, target, new, is_certain, document.source.text)


def _exists_from(files: ProjectFiles, url: str, folder: str) -> bool:
    target = _parse(url, folder, files.is_git_root)
    return target is not None and _exists(files, target, folder) is not False


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
    path = target.file
    found = files.find(path)
    if found is not False:
        return found
    ending = posixpath.splitext(path)[1]
    if (not ending or target.path.startswith("/") or ending == ".html") and files.is_site(folder):
        return None
    return False


def _diagnostic(address: Address, target: _Target, new: str | None, sure: bool, text: str) -> RawDiagnostic:
    if new is None:
        return RawDiagnostic(address.span, {"target": target.path}, message="missing")
    start, end = address.span
    edit = Edit.relink(Span(start, start + len(target.path)), address.url, new + target.suffix, new)
    values = {"target": target.path, "replacement": new}
    edits = (edit,) if text[start:end] == address.url else ()
    applicability = Applicability.SAFE if sure else Applicability.UNSAFE
    message = "replaced" if sure else "similar"
    return RawDiagnostic(address.span, values, edits, applicability, message=message)


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
        applicability = Applicability.UNSAFE if files.is_site(folder) else Applicability.SAFE
        yield RawDiagnostic(address.span, {"relative": relative}, edits, applicability, message="resolved")


def _relative_url(files: ProjectFiles, path: str, folder: str, suffix: str) -> str | None:
    """Return the relative URL of a path of the repository from one of its folders; None if it does not exist."""
    path = posixpath.normpath(path)
    if (
        "\0" in path
        or path.startswith(("../", "/"))
        or suffix.startswith("?")
        or files.find(path) is not True
    ):
        return None
    relative = posixpath.relpath(path, folder or ".")
    if re.match(r"[^/]*:", relative):
        relative = f"./{relative}"
    return _SPECIAL.sub(lambda match: f"%{ord(match[0]):02X}", relative) + suffix
