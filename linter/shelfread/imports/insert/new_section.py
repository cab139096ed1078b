"""Opens a new section in a list, beside those that have entries or below one of them."""

from __future__ import annotations

from itertools import pairwise

from shelfread.core.errors import ConfigError
from shelfread.core.source import Source
from shelfread.core.wording import one_line
from shelfread.document.model import Document, Section
from shelfread.document.read import read
from shelfread.imports.insert.insert_entries import verify
from shelfread.imports.insert.target_section import named_section
from shelfread.markdown.escape import escape
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.taxonomy import Taxonomy

_DEEPEST = 6
_FEWEST_SORTED = 3
"""Sections by which the alphabet can be seen."""


def with_new_section(
    document: Document, name: str, parent: str | None, taxonomy: Taxonomy
) -> tuple[Document, int]:
    """Return a list with an empty new section, and the section's index.

    It stands where the alphabet has it, if that is the order of its siblings, else behind the last one. Raises ConfigError if there
    is one of that name, or no place for it.
    """
    source, path = document.source, document.source.path
    above = named_section(document, parent) if parent is not None else None
    siblings = _siblings(document, above)
    level = siblings[-1].level if siblings else document.sections[above].level + 1 if above is not None else 2
    same = next((section for section in siblings if fold(section.title) == fold(name)), None)
    if same is not None:
        raise ConfigError(
            f"there is a section '{same.title}' already (line {same.line}): use --section", path
        )
    if not fold(name):
        raise ConfigError("a new section needs a name with letters or digits", path)
    if level > _DEEPEST:
        raise ConfigError(f"'{parent}' cannot have a section below it: name another one", path)
    line = _line_for(document, name, siblings, above)
    newline, lines = source.newline, source.lines
    offset = source.starts[line] if line < len(lines) else len(source.text)
    before = source.text[:offset].splitlines(keepends=True)[-1:]
    ends = newline if before and before[0].strip("\r\n") == before[0] else ""
    parted = newline if before and before[0].strip() else ""
    heading = f"{'#' * level} {escape(one_line(name).strip())}{newline}"
    follows = newline if line < len(lines) and lines[line].strip() else ""
    text = f"{source.text[:offset]}{ends}{parted}{heading}{follows}{source.text[offset:]}"
    after = read(Source(text, path), taxonomy.vocabulary)
    at = after.source.line_at(offset + len(ends) + len(parted)) + 1
    index = next((number for number, section in enumerate(after.sections) if section.line == at), None)
    if index is None or len(after.sections) != len(document.sections) + 1:
        raise ConfigError(f"there is no place for the heading '{name}': add it by hand", path)
    verify(document, after)
    return after, index


def _siblings(document: Document, above: int | None) -> list[Section]:
    """Return the headings beside which the new section stands: those below a section, or the topmost that part the entries."""
    holders: set[int] = set()
    for index in {entry.section for entry in document.entries}:
        while index is not None and index not in holders:
            holders.add(index)
            index = document.sections[index].parent
    headings = [
        (index, section)
        for index, section in enumerate(document.sections)
        if section.kind == "heading" and (above is not None or index in holders)
    ]
    if above is not None:
        return [section for _, section in headings if section.parent == above]
    top = [(index, section) for index, section in headings if section.parent is None]
    while len(top) == 1 and (below := [each for each in headings if each[1].parent == top[0][0]]):
        top = below
    return [section for _, section in top]


def _line_for(document: Document, name: str, siblings: list[Section], above: int | None) -> int:
    """Return the line, from 0, above which the new heading stands."""
    titles = [fold(section.title) for section in siblings]
    if len(titles) >= _FEWEST_SORTED and all(first <= second for first, second in pairwise(titles)):
        for title, section in zip(titles, siblings, strict=True):
            if title > fold(name):
                return section.line - 1
    last = siblings[-1] if siblings else document.sections[above] if above is not None else None
    if last is None:
        return len(document.source.lines)
    following = (
        section.line - 1
        for section in document.sections
        if section.line > last.line and section.level <= last.level
    )
    return min(following, default=len(document.source.lines))
