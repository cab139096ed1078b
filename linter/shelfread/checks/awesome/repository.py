"""The files beside an awesome list: a contributing guide, a code of conduct, a licence."""

from __future__ import annotations

import os
import posixpath
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from shelfread.checks.awesome.front_page import title_span
from shelfread.checks.text.left_over import last_of_section, remove_blocks
from shelfread.core.diagnostics import Edit, RawDiagnostic, RawDiagnostics
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.disk import ProjectFiles

_FOLDERS = ("", ".github", "docs")
_MAX_CHARACTERS = 1 << 18
_CONTRIBUTING = lazy(r"(?i)contributing(?:\.(?:md|markdown|rst|adoc|txt))?")
_CONDUCT = lazy(r"(?i)code[-_]of[-_]conduct\.(?:md|markdown)")
_GUIDE_URL = lazy(r"(?i)contribut")
_PLACEHOLDER = lazy(
    r"(?i)[\[<{(](?:insert\b[^\]\n>})]{0,60}|(?:your |contact )?e-?mail(?: address)?)[\]>})](?![(\w])"
    r"|\b(?:your|my)?[-_.]?e?-?(?:mail|name|address)@(?:example|domain|email|mail)\.(?:com|org)\b"
)
_BLANK = "\ufeff \t\r\n"
_LICENSE_FILE = lazy(r"(?i)(?:licen[cs]e|copying|unlicense)(?:[-.].*)?")
_LICENSE_TITLE = lazy(r"(?i)\W*(?:licen[cs]es?)\W*")
_ANCHORS = ("#license", "#licence", "#licenses", "#copyright")
_MAX_TITLE = 30
_MAX_LINES = 30  # a fix removes no longer section
_MAX_LINKS = 4  # a section with more links lists things about licences


def _repository_files(document: Document, context: RuleContext) -> ProjectFiles | None:
    """Return the files around a list that is the readme of its repository, or None for any other list."""
    path = document.source.path
    if path is None or not context.disk.is_file(path):
        return None
    files = context.files_around(path)
    is_readme = os.path.basename(path).lower().startswith("readme.")
    if not files.is_git_root or files.folder not in _FOLDERS or not is_readme:
        return None
    if files.folder and any(name.lower().startswith("readme.") for name in files.names("")):
        return None
    return files


def _find(files: ProjectFiles, pattern: re.Pattern[str], folders: Sequence[str] = _FOLDERS) -> Iterator[str]:
    """Yield the files with a name, relative to the root; not those that link out of the repository."""
    for folder in dict.fromkeys((files.folder or "", *folders)):
        for name in sorted(files.names(folder)):
            path = posixpath.join(folder, name)
            if pattern.fullmatch(name) and files.find(path):
                yield path


def _read(files: ProjectFiles, path: str) -> str:
    """Return the start of a file's text, `...` if it cannot be read."""
    text = files.disk.read_start(os.path.join(files.root, path), _MAX_CHARACTERS)
    return "..." if text is None else text


def contributing(document: Document, context: RuleContext, *, required: bool = False) -> RawDiagnostics:
    """Report an empty contributing guide, and a repository without one if it is `required`."""
    files = _repository_files(document, context)
    if files is None:
        return
    span = title_span(document)
    path = next(_find(files, _CONTRIBUTING), None)
    if path is not None:
        if not _read(files, path).strip(_BLANK):
            yield RawDiagnostic(span, {"path": path}, message="empty")
    elif required and not any(_GUIDE_URL.search(link.url) for link in document.links if not link.image):
        yield RawDiagnostic(span, message="missing")


def code_of_conduct(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report codes of conduct that are empty, or have a placeholder."""
    files = _repository_files(document, context)
    if files is None:
        return
    span = title_span(document)
    for path in _find(files, _CONDUCT):
        text = _read(files, path)
        if not text.strip(_BLANK):
            yield RawDiagnostic(span, {"path": path}, message="empty")
        elif placeholder := _PLACEHOLDER.search(text):
            line = text.count("\n", 0, placeholder.start()) + 1
            values = {"path": path, "line": line, "found": placeholder[0]}
            yield RawDiagnostic(span, values, message="placeholder")


def license_section(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report a section about the licence."""
    path = document.source.path
    if path is not None and "/" in path and not os.path.basename(path).lower().startswith("readme"):
        return
    sections, blocks = document.sections, document.tree.blocks
    highest = min((section.level for section in sections[1:] if section.kind == "heading"), default=0)
    for index, section in enumerate(sections):
        is_license = len(section.title) <= _MAX_TITLE and _LICENSE_TITLE.fullmatch(section.title)
        if index == 0 or not is_license or section.kind != "heading" or section.level > max(highest, 2):
            continue
        end = sections[index + 1].span.start if index + 1 < len(sections) else len(document.source.text)
        first = bisect_left(document.entries, section.span.start, key=lambda entry: entry.span.start)
        if any(entry.span.start < end for entry in document.entries[first : first + 1]):
            continue
        if sum(1 for link in document.links if section.span.end <= link.start < end) > _MAX_LINKS:
            continue
        start = section.span.start
        heading = next((n for n, block in enumerate(blocks) if block.start <= start < block.end), None)
        files = _repository_files(document, context)
        has_file = files is not None and next(_find(files, _LICENSE_FILE, ("",)), None) is not None
        edits = _removal(document, heading) if has_file and heading is not None else ()
        message = "repeated" if has_file else "no-file"
        yield RawDiagnostic(section.span, {"title": section.title}, edits, safe=False, message=message)
        return


def _removal(document: Document, heading: int) -> tuple[Edit, ...]:
    """Return edits that remove a section, given the index of its heading, and its item in the table of contents."""
    text, blocks = document.source.text, document.tree.blocks
    last = last_of_section(blocks, heading)
    if blocks[last].last - blocks[heading].first > _MAX_LINES:
        return ()
    edits = [remove_blocks(document, heading, last)]
    for link in document.links:
        if link.start >= edits[0].start:
            break
        if link.url in _ANCHORS:
            line_start = text.rfind("\n", 0, link.start) + 1
            line_end = text.find("\n", link.end) + 1
            before, after = text[line_start : link.start], text[link.end : line_end]
            if line_end and not before.strip(" \t*-+") and not after.strip():
                edits.append(Edit.remove(text, line_start, line_end))
    return tuple(sorted(edits))
