"""Absolute URLs of the repository that the list is in."""

from __future__ import annotations

import os
import posixpath
import re
from urllib.parse import unquote

from shelfread.core.diagnostics import Applicability, RawDiagnostic, RawDiagnostics
from shelfread.core.support.regex import lazy
from shelfread.document.list_addresses import addresses, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.files.git_remote import find_origin
from shelfread.index.files.project_files import ProjectFiles

_RAW_HOST = "raw.githubusercontent.com"
# Characters that must be encoded in a relative URL.
_SPECIAL = lazy(r"[\s()<>%?#\\\[\]|*\"]")
_README = lazy(r"(?i)readme\.\w+")


def absolute_self(document: Document, context: RuleContext, *, repository: str = "") -> RawDiagnostics:
    """Yield absolute URLs of the list's own repository: `repository` (owner/name), or the origin in `.git/config`."""
    path = document.source.path
    if path is None or "//" not in document.source.text:
        return
    files = context.files_around(path)
    folder = files.folder
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
            relative = _relative(files, unquote(path_in_repository), folder, suffix)
        if relative is None:
            yield RawDiagnostic(address.span, message="unresolved")
            continue
        edits = replace(address, relative, document.source.text)
        applicability = Applicability.UNSAFE if files.is_site(folder) else Applicability.SAFE
        yield RawDiagnostic(address.span, {"relative": relative}, edits, applicability, message="resolved")


def _relative(files: ProjectFiles, path: str, folder: str, suffix: str) -> str | None:
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
