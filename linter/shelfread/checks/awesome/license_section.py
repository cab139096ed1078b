"""Sections about the licence, which belongs in the LICENSE file."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence

from shelfread.checks.awesome.repository_folder import RepositoryFolder
from shelfread.core.diagnostics import Applicability, Edit, RawDiagnostic, RawDiagnostics
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_LICENSE_FILE = lazy(r"(?i)(?:licen[cs]e|copying|unlicense)(?:[-.].*)?")
_LICENSE_TITLE = lazy(r"(?i)\W*(?:licen[cs]es?)\W*")
_ANCHORS = ("#license", "#licence", "#licenses", "#copyright")
_MAX_TITLE = 30
_MAX_LINES = 30
"""A fix removes no longer section."""
_MAX_LINKS = 4
"""A section with more links lists things about licences."""


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
        folder = RepositoryFolder.of(document, context)
        has_file = folder is not None and next(folder.files(_LICENSE_FILE, ("",)), None) is not None
        edits = _removal(document, blocks, heading) if has_file and heading is not None else ()
        message = "repeated" if has_file else "no-file"
        values = {"title": section.title}
        yield RawDiagnostic(section.span, values, edits, Applicability.UNSAFE, message=message)
        return


def _removal(document: Document, blocks: Sequence[Block], heading: int) -> tuple[Edit, ...]:
    """Return edits that remove a section, given the index of its heading, and its item in the table of contents."""
    text = document.source.text
    last = heading
    while last + 1 < len(blocks) and not (
        blocks[last + 1].kind == "heading" and blocks[last + 1].level <= blocks[heading].level
    ):
        last += 1
    if blocks[last].last - blocks[heading].first > _MAX_LINES:
        return ()
    if last + 1 < len(blocks):
        start, end = blocks[heading].start, blocks[last + 1].start
    else:
        start, end = blocks[heading - 1].end if heading else 0, len(text.rstrip())
    edits = [Edit.remove(text, start, end)]
    for link in document.links:
        if link.start >= start:
            break
        if link.url in _ANCHORS:
            line_start = text.rfind("\n", 0, link.start) + 1
            line_end = text.find("\n", link.end) + 1
            before, after = text[line_start : link.start], text[link.end : line_end]
            if line_end and not before.strip(" \t*-+") and not after.strip():
                edits.append(Edit.remove(text, line_start, line_end))
    return tuple(sorted(edits))
