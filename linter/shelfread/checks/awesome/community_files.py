"""What an awesome list's repository holds beside it: how to contribute, a code of conduct, a licence."""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.checks.common.front_page import title_span
from shelfread.checks.link.filesystem import Disk, find_root, from_root
from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Severity
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_FOLDERS = ("", ".github", "docs")
_CONTRIBUTING = lazy(r"contributing(?:\.(?:md|markdown|rst|adoc|txt))?", re.IGNORECASE)
_CONDUCT = lazy(r"code[-_]of[-_]conduct\.(?:md|markdown)", re.IGNORECASE)
_LICENCE_FILE = lazy(r"(?:licen[cs]e|copying|unlicense)(?:[-.].*)?", re.IGNORECASE)
_ELSEWHERE = lazy(r"contribut", re.IGNORECASE)
# What a template leaves to be filled in; the address is that of its first user.
_PLACEHOLDER = lazy(
    r"[\[<{(](?:insert\b[^\]\n>})]{0,60}|(?:your |contact )?e-?mail(?: address)?)[\]>})](?![(\w])"
    r"|\b(?:your|my)?[-_.]?e?-?(?:mail|name|address)@(?:example|domain|email|mail)\.(?:com|org)\b",
    re.IGNORECASE,
)
_FIRST_OWNER, _FIRST_ADDRESS = "sindresorhus", "sindresorhus@gmail.com"
_LICENCE = lazy(r"\W*(?:licen[cs]es?)\W*", re.IGNORECASE)
_MOST = 1 << 18
_LONGEST = 30
"""Lines of a licence's section at most that a fix takes away."""
_LINKS = 4
"""A section with more links than these lists things about licences."""


class _Home(NamedTuple):
    """Where a list stands: its project's folder, and its own from there."""

    disk: Disk
    folder: str


def _home(document: Document, context: RuleContext) -> _Home | None:
    """The repository whose readme a list is; None where there is none, or it cannot be known."""
    path = document.source.path
    if path is None or not os.path.isfile(path):
        return None
    root, sure = find_root(path, context.project.location.folder)
    folder = from_root(os.path.dirname(path), root)
    if not sure or folder not in _FOLDERS or not os.path.basename(path).lower().startswith("readme."):
        return None
    disk = Disk(root, context.project.location.folders)
    if folder and any(name.lower().startswith("readme.") for name in disk.names("")):
        return None
    return _Home(disk, folder)


def _files(home: _Home, pattern: re.Pattern[str], folders: Sequence[str] = _FOLDERS) -> Iterator[str]:
    """The files of some name, from the root; links that lead out of the project are none."""
    for folder in dict.fromkeys((home.folder, *folders)):
        for name in sorted(home.disk.names(folder)):
            path = posixpath.join(folder, name)
            if pattern.fullmatch(name) and home.disk.find(path):
                yield path


def _text(home: _Home, path: str) -> str | None:
    """A file's text, the beginning of a long one; None for what is no readable file."""
    full = os.path.join(home.disk.root, path)
    try:
        if not os.path.isfile(full):
            return None
        with open(full, encoding="utf-8", errors="replace") as stream:
            return stream.read(_MOST)
    except OSError:
        return None


def contributing(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Repositories that do not tell how to contribute, or in an empty file."""
    home = _home(document, context)
    if home is None:
        return
    span = title_span(document)
    for path in _files(home, _CONTRIBUTING):
        text = _text(home, path)
        if text is not None and not text.strip("\ufeff \t\r\n"):
            yield RawDiagnostic(span, {"fault": f"{path} is empty"})
        return
    if any(_ELSEWHERE.search(link.url) for link in document.links if not link.image):
        return
    yield RawDiagnostic(span, {"fault": "the repository has no contributing.md"}, severity=Severity.INFO)


def code_of_conduct(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Codes of conduct that are empty, or still have a template's placeholders."""
    home = _home(document, context)
    if home is None:
        return
    span = title_span(document)
    for path in _files(home, _CONDUCT):
        text = _text(home, path)
        if text is None:
            continue
        if not text.strip("\ufeff \t\r\n"):
            yield RawDiagnostic(span, {"fault": f"{path} is empty"})
            continue
        placeholder = _PLACEHOLDER.search(text)
        owner = (
            context.project.location.repository.owner
            if context.project.location.repository is not None
            else ""
        )
        if placeholder is not None:
            line = text.count("\n", 0, placeholder.start()) + 1
            yield RawDiagnostic(span, {"fault": f"{path}:{line} still has '{placeholder[0]}'"})
        elif owner and owner.lower() != _FIRST_OWNER and (at := text.find(_FIRST_ADDRESS)) >= 0:
            line = text.count("\n", 0, at) + 1
            yield RawDiagnostic(
                span, {"fault": f"{path}:{line} names {_FIRST_ADDRESS}, whose list this is not"}
            )


# ----------------------------------------------------------------------------------------- licence


def license_section(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Sections that repeat what the LICENSE file says."""
    path = document.source.path
    if path is not None and "/" in path and not os.path.basename(path).lower().startswith("readme"):
        return
    blocks = document.tree.blocks
    top = min((section.level for section in document.sections[1:] if section.kind == "heading"), default=0)
    for index, section in enumerate(document.sections):
        if (
            section.kind != "heading"
            or section.level > max(top, 2)
            or index == 0
            or len(section.title) > _LONGEST
        ):
            continue
        if not _LICENCE.fullmatch(section.title) or any(entry.section == index for entry in document.entries):
            continue
        end = (
            document.sections[index + 1].span.start
            if index + 1 < len(document.sections)
            else len(document.source.text)
        )
        if sum(1 for link in document.links if section.span.end <= link.start < end) > _LINKS:
            continue
        at = next(
            (n for n, block in enumerate(blocks) if block.start <= section.span.start < block.end), None
        )
        home = _home(document, context)
        has = home is not None and next(_files(home, _LICENCE_FILE, ("",)), None) is not None
        hint = "the LICENSE file says it" if has else "a LICENSE file is the place for it"
        edits = _removal(document, blocks, at) if has and at is not None else ()
        yield RawDiagnostic(section.span, {"title": section.title, "hint": hint}, edits, Applicability.UNSAFE)
        return


def _removal(document: Document, blocks: Sequence[Block], at: int) -> tuple[Edit, ...]:
    """The edits that take a section away, and the item of the contents that leads to it."""
    text = document.source.text
    last = at
    while last + 1 < len(blocks) and not (
        blocks[last + 1].kind == "heading" and blocks[last + 1].level <= blocks[at].level
    ):
        last += 1
    if blocks[last].last - blocks[at].first > _LONGEST:
        return ()
    if last + 1 < len(blocks):
        start, end = blocks[at].start, blocks[last + 1].start
    else:
        start, end = blocks[at - 1].end if at else 0, len(text.rstrip())
    edits = [Edit(start, end, "", Effect(Change.REMOVED, text[start:end]))]
    for link in document.links:
        if link.start >= start:
            break
        if link.url in ("#license", "#licence", "#licenses", "#copyright"):
            first = text.rfind("\n", 0, link.start) + 1
            until = text.find("\n", link.end) + 1
            if (
                until
                and text[first : link.start].strip(" \t*-+") == ""
                and not text[link.end : until].strip()
            ):
                edits.append(Edit(first, until, "", Effect(Change.REMOVED, text[first:until])))
    return tuple(sorted(edits))
