"""Entries and sections before and after a change, and what has changed of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from shelfread.core.diagnostics import Span, find_parents
from shelfread.document.identity import fold_title, identity_keys
from shelfread.document.model import Document, Entry


class SectionPath(NamedTuple):
    """A section of a file, given by the titles from the top level down; without titles the file itself."""

    path: str
    titles: tuple[str, ...] = ()

    @property
    def parent(self) -> SectionPath:
        return SectionPath(self.path, self.titles[:-1])

    def child(self, title: str) -> SectionPath:
        return SectionPath(self.path, (*self.titles, title))


@dataclass(frozen=True, slots=True, eq=False)
class ListedEntry:
    """An entry at the place where it is listed; two listings are never equal."""

    document: Document
    entry: Entry
    section: SectionPath
    text: str  # its text without nested entries, with all whitespace made single spaces
    title: str  # folded
    keys: tuple[str, ...]  # its identity keys, the most reliable first
    previous_text: str  # the text of the entry before it in the file, empty for the first

    @property
    def where(self) -> str:
        """Its file and line: `papers.md:41`."""
        return f"{self.section.path}:{self.entry.line}"


class Pair(NamedTuple):
    """One entry before and after."""

    before: ListedEntry
    after: ListedEntry


class FieldChange(NamedTuple):
    """A field before and after, as `export` gives it (one note or link, `identifiers.doi`, or the whole `text`); None if there is none."""

    field: str
    before: Any
    after: Any


class ChangedEntry(NamedTuple):
    before: ListedEntry
    after: ListedEntry
    fields: tuple[FieldChange, ...]


class SectionChange(NamedTuple):
    """A section or file that was added (`before` is None), removed (`after` is None), renamed or moved."""

    before: SectionPath | None
    after: SectionPath | None
    entries: int  # how many are in it and below it

    @property
    def section(self) -> SectionPath:
        """The section as it is, or as it was when it was removed."""
        section = self.after or self.before
        assert section is not None
        return section

    @property
    def kind(self) -> str:
        """added, removed, renamed or moved: below another heading, or to another file."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        old, new = self.before.titles[-1:], self.after.titles[-1:]
        return "moved" if old and old == new else "renamed"


class Reorder(NamedTuple):
    """A section whose entries have another order, and the least number of them that must have moved."""

    section: SectionPath
    entries: int


class Comparison(NamedTuple):
    """All that has changed, in order of paths and lines; `reformatted` is what differs in no field."""

    added: tuple[ListedEntry, ...]
    removed: tuple[ListedEntry, ...]
    moved: tuple[Pair, ...]
    changed: tuple[ChangedEntry, ...]
    reformatted: tuple[Pair, ...]
    reordered: tuple[Reorder, ...]
    sections: tuple[SectionChange, ...]
    titles: frozenset[SectionPath] = frozenset()  # the sections that are the titles of whole lists

    @property
    def counts(self) -> dict[str, int]:
        """How many entries were added, removed, and so on."""
        names = ("added", "removed", "moved", "changed", "reformatted")
        return {name: len(getattr(self, name)) for name in names}


def list_entries(documents: Iterable[Document]) -> list[ListedEntry]:
    entries = []
    for document in documents:
        nested = _nested_spans(document.entries)
        previous_text = ""
        for index, entry in enumerate(document.entries):
            titles = document.sections[entry.section].path if entry.section is not None else ()
            title = fold_title(entry.title.value)
            text = _own_text(document.source.text, entry, nested.get(index, ()))
            listed = ListedEntry(
                document=document,
                entry=entry,
                section=SectionPath(document.source.path or "", titles),
                text=text,
                title=title,
                keys=tuple(identity_keys(entry, title)),
                previous_text=previous_text,
            )
            entries.append(listed)
            previous_text = text
    return entries


def list_sections(documents: Iterable[Document]) -> dict[SectionPath, None]:
    """Return the files and their sections in order; sections of the same path are one."""
    sections: dict[SectionPath, None] = {}
    for document in documents:
        path = document.source.path or ""
        sections[SectionPath(path)] = None
        for section in document.sections:
            sections[SectionPath(path, section.path)] = None
    return sections


def _nested_spans(entries: Sequence[Entry]) -> dict[int, list[Span]]:
    """Return the spans of the entries directly within others, by the outer entry's index."""
    nested: dict[int, list[Span]] = {}
    for entry, parent in zip(entries, find_parents([entry.span for entry in entries]), strict=True):
        if parent >= 0:
            nested.setdefault(parent, []).append(entry.span)
    return nested


def _own_text(text: str, entry: Entry, nested: Iterable[Span]) -> str:
    """Return an entry's text without its list marker, which may be a number, and without nested entries."""
    words: list[str] = []
    start = entry.title_line.start
    for span in nested:
        words += text[start : span.start].split()
        start = max(start, span.end)
    words += text[start : entry.span.end].split()
    return " ".join(words)
