"""Reads of a file at the base commit only the sections around a change, as the rest is what it is now."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document, Entry
from shelfread.document.read import read
from shelfread.index.facts import Facts, facts
from shelfread.taxonomy.vocabulary import Vocabulary

_HEADING = lazy(r" {0,3}#{1,6}[ \t]+\S")
_COMMENT = lazy(r"<!--|^ {0,3}\[[^\]\n]{1,1000}\]:", re.MULTILINE)
_FIRST_LINKS = 40
"""The links among which the badge of an awesome list is looked for."""
_SHARE = 3
"""At most one of so many lines is read again."""


class BasePart(NamedTuple):
    """The sections around a change, before and after it; both have the same headings, anchors and links to anchors."""

    before: Document
    after: Document
    before_facts: Facts
    after_facts: Facts
    headings: int
    """The first lines of both, which are the headings above them."""
    first: int
    """The line at which they begin in the file, from 0."""
    last: int
    """The line at which they end in the file as it is now."""

    @property
    def offset(self) -> int:
        """What is added to a line of a part to get that of the file."""
        return self.first - self.headings

    def base_facts(self, current: Facts, path: str) -> Facts:
        """Return the facts of the file at the base commit."""
        old, new = self.before_facts, self.after_facts
        observations = current.observations.copy()
        observations.subtract(new.observations)
        observations.update(old.observations)
        added = old.entries - new.entries, len(self.before.source.lines) - len(self.after.source.lines)
        above = [pair for pair in current.identities if pair[1].line <= self.first]
        below = [pair for pair in current.identities if pair[1].line > self.last]
        start = sum(1 for _ in {listing.entry for _, listing in above})
        moved = (
            (key, listing._replace(entry=listing.entry + start, line=listing.line + self.offset))
            for key, listing in old.identities
        )
        shifted = (
            (key, listing._replace(entry=listing.entry + added[0], line=listing.line + added[1]))
            for key, listing in below
        )
        return replace(
            current,
            path=path,
            entries=current.entries + added[0],
            papers=current.papers + old.papers - new.papers,
            observations=+observations,
            identities=(*above, *moved, *shifted),
        )


def read_part(document: Document, before: Source, vocabulary: Vocabulary) -> BasePart | None:
    """Return the sections around a change; None if they cannot be read by themselves, or the change is larger."""
    lines, old_lines = document.source.lines, before.lines
    if document.tree.definitions:
        return None
    same = _common(lines, old_lines)
    below = _common(reversed(lines[same:]), reversed(old_lines[same:]))
    headings = [
        block.first
        for block in document.tree.blocks
        if block.kind == "heading" and _HEADING.match(lines[block.first])
    ]
    first = max((line for line in headings if line < same), default=None)
    last = min((line for line in headings if line >= len(lines) - below), default=None)
    if first is None or last is None or (last - first) * _SHARE > len(lines):
        return None
    badges = document.links[_FIRST_LINKS - 1 : _FIRST_LINKS]
    above = _headings_above(document, first)
    if above is None or not badges or badges[0].start > document.source.starts[first]:
        return None
    parts = [
        Source("".join(f"{heading}\n\n" for heading in above) + "\n".join(chunk), path)
        for chunk, path in (
            (old_lines[first : last + 1 + len(old_lines) - len(lines)], before.path),
            (lines[first : last + 1], document.source.path),
        )
    ]
    if any(_COMMENT.search(part.text) for part in parts):
        return None
    old, new = (read(source, vocabulary) for source in parts)
    part = BasePart(old, new, facts(old), facts(new), 2 * len(above), first, last)
    return part if _is_whole(part) and _is_same(part, document) else None


def _common(lines: Iterable[str], others: Iterable[str]) -> int:
    """Return how many lines at the beginning are the same."""
    count = 0
    for line, other in zip(lines, others, strict=False):
        if line != other:
            break
        count += 1
    return count


def _headings_above(document: Document, line: int) -> list[str] | None:
    """Return the lines of the headings above the one in a line, outermost first; None if one is of another kind."""
    sections, lines = document.sections, document.source.lines
    index = next((index for index, section in enumerate(sections) if section.line == line + 1), None)
    if index is None:
        return None
    found = []
    while (index := sections[index].parent) is not None:
        written = lines[sections[index].line - 1]
        if sections[index].kind != "heading" or not _HEADING.match(written):
            return None
        found.append(written)
    return found[::-1]


def _is_whole(part: BasePart) -> bool:
    """Return whether the heading below the change is one before and after it, and nothing else depends on the change."""
    for document in (part.before, part.after):
        block = document.tree.blocks[-1]
        if block.kind != "heading" or block.first + 1 < len(document.source.lines):
            return False
    return _structure(part.before, part.before_facts) == _structure(part.after, part.after_facts)


def _structure(document: Document, found: Facts) -> tuple[object, ...]:
    """Return what other places of a list may refer to."""
    return (
        [(mark.heading, mark.text, mark.level) for mark in found.landmarks],
        [(reference.page, reference.anchor) for reference in found.references],
        [(section.path, section.kind, section.citation) for section in document.sections],
    )


def _is_same(part: BasePart, document: Document) -> bool:
    """Return whether the part after the change has the entries that the file has there."""
    return [_describe(entry, part.after, part.offset) for entry in part.after.entries] == [
        _describe(entry, document, 0) for entry in document.entries if part.first < entry.line <= part.last
    ]


def _describe(entry: Entry, document: Document, offset: int) -> tuple[object, ...]:
    section = document.sections[entry.section].path if entry.section is not None else ()
    citation = entry.citation.text if entry.citation is not None else ""
    return entry.line + offset, entry.kind, entry.dialect, entry.title.value, entry.year, citation, section
