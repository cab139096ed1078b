"""The words for what a change did: entries on their shelves, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from shelfread.document.model import Document, Entry


class SectionPath(NamedTuple):
    """A section of a file, by the titles from the top to it; without any the file itself."""

    path: str
    titles: tuple[str, ...] = ()

    @property
    def above(self) -> SectionPath:
        return SectionPath(self.path, self.titles[:-1])


@dataclass(frozen=True, slots=True, eq=False)
class ListedEntry:
    """An entry where it is listed; each listing equals itself alone."""

    document: Document
    entry: Entry
    section: SectionPath
    text: str
    """What stands there without what is nested in it, all blanks made one."""
    title: str
    """Folded."""
    keys: tuple[str, ...]
    """Its identity, the most telling first."""
    previous_text: str
    """The text of the entry before it in its file."""

    @property
    def where(self) -> str:
        """Its file and line: `papers.md:41`."""
        return f"{self.section.path}:{self.entry.line}"


class Pair(NamedTuple):
    """One entry before and after."""

    before: ListedEntry
    after: ListedEntry


class FieldChange(NamedTuple):
    """What an entry states of one thing, in the terms of `export`; None where it states nothing.

    `field` is export's name of it; of `notes` and `links` it is one note or link, and of the identifiers
    `identifiers.doi` and the like. `text` is all words, where those of no field have changed.
    """

    field: str
    before: Any
    after: Any


class ChangedEntry(NamedTuple):
    """An entry that states something else than before."""

    before: ListedEntry
    after: ListedEntry
    fields: tuple[FieldChange, ...]


class SectionChange(NamedTuple):
    """A section or a file that came, went (the other is None), or is called otherwise."""

    before: SectionPath | None
    after: SectionPath | None
    entries: int
    """So many are in it, below it too."""

    @property
    def kind(self) -> str:
        """added, removed, renamed or, below another heading or in another file, moved."""
        if self.before is None:
            return "added"
        if self.after is None:
            return "removed"
        here, there = (shelf.titles[-1:] for shelf in (self.before, self.after))
        return "moved" if here and here == there else "renamed"


class Reorder(NamedTuple):
    """A section whose entries stand in another order: the least number of them that must have moved."""

    section: SectionPath
    entries: int


class Comparison(NamedTuple):
    """All that a change did, in the order of the files' names and of their lines.

    An entry may be both moved and changed; one whose words are all the same is `reformatted`.
    """

    added: tuple[ListedEntry, ...]
    removed: tuple[ListedEntry, ...]
    moved: tuple[Pair, ...]
    changed: tuple[ChangedEntry, ...]
    reformatted: tuple[Pair, ...]
    reordered: tuple[Reorder, ...]
    sections: tuple[SectionChange, ...]
    titles: frozenset[SectionPath] = frozenset()
    """The sections that hold nearly all of their file: the lists' own titles."""

    @property
    def counts(self) -> dict[str, int]:
        """How many of each, without the sections."""
        return {
            name: len(getattr(self, name)) for name in ("added", "removed", "moved", "changed", "reformatted")
        }
