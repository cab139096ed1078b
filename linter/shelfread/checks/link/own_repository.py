"""Full addresses into the very repository that a list is in."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from shelfread.checks.link.filesystem import Disk, find_root, from_root
from shelfread.checks.link.git_remote import find_origin
from shelfread.core.diagnostics import Applicability, RawDiagnostic
from shelfread.core.support.regex import lazy
from shelfread.document.addresses import addresses, replace
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_RAW_HOST = "raw.githubusercontent.com"
# What a relative address may not hold as it stands.
_SPECIAL = lazy(r"[\s()<>%?#\\\[\]|*\"]")
_README = lazy(r"readme\.\w+", re.IGNORECASE)


def absolute_self(
    document: Document, context: RuleContext, *, repository: str = ""
) -> Iterator[RawDiagnostic]:
    """Links into the list's own repository by their full address; `repository` names it, else git's notes do."""
    path = document.source.path
    if path is None or "//" not in document.source.text:
        return
    root, _ = find_root(path, context.project.location.folder)
    here = from_root(os.path.dirname(path), root)
    origin = find_origin(root, repository) if here is not None else None
    if here is None or origin is None:
        return
    own = re.escape(f"{origin.owner}/{origin.name}")
    branches = "|".join(re.escape(branch) for branch in sorted(origin.branches))
    hosts = rf"(?:www\.)?{re.escape(origin.host)}"
    file = rf"//{hosts}/{own}/(?:-/)?(?:blob|tree|raw)/(?:{branches})/"
    if origin.host == "github.com":
        file += rf"|//{re.escape(_RAW_HOST)}/{own}/(?:refs/heads/)?(?:{branches})/"
    pattern = re.compile(
        rf"(?:https?:)?(?:(?:{file})([^?#]+)([?#].*)?|//{hosts}/{own}/?#(.+))", re.IGNORECASE
    )
    disk = Disk(root, context.project.location.folders)
    readme = not here and _README.fullmatch(os.path.basename(path)) is not None
    for address in context.table(addresses, document):
        if address.form in ("bare", "autolink") or origin.name.lower() not in address.url.lower():
            continue  # shown as it stands, it is to be read
        match = pattern.fullmatch(address.url)
        if match is None:
            continue
        target, rest, anchor = match[1], match[2] or "", match[3]
        if anchor is not None:
            if anchor.lower() == "readme" or not readme:
                continue
            relative = f"#{anchor}" if unquote(anchor) in (context.project.anchors(path) or ()) else None
        else:
            relative = _relative(disk, unquote(target), here, rest)
        edits = () if relative is None else replace(address, relative, document.source.text)
        safe = Applicability.UNSAFE if disk.is_site(here) else Applicability.SAFE
        hint = f": '{relative}' is enough" if relative else ""
        yield RawDiagnostic(address.span, {"hint": hint}, edits, safe)


def _relative(disk: Disk, path: str, here: str, rest: str) -> str | None:
    """A path of the repository as seen from a folder of it; None for one that is not there."""
    path = posixpath.normpath(path)
    if "\0" in path or path.startswith(("../", "/")) or rest.startswith("?") or disk.find(path) is not True:
        return None
    relative = posixpath.relpath(path, here or ".")
    if re.match(r"[^/]*:", relative):
        relative = f"./{relative}"
    return _SPECIAL.sub(lambda one: f"%{ord(one[0]):02X}", relative) + rest
