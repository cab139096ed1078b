"""The sections, entries and links of a list. Every field has a value and a span."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from shelfread.core.diagnostics import Span, find_parents
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.file_kind import FileKind
from shelfread.markdown.node import Block, Link, Tree
from shelfread.taxonomy.vocabulary import Role, Venue


class Field(NamedTuple):
    """A value that an entry states, and its span."""

    value: str
    span: Span


_DIGITS = lazy(r"\d+")
_DEEPEST = 8  # as many titles tell one section from another


class Citation(NamedTuple):
    """A venue as written: `text` is `OSDI'20`, `venue` the one in the vocabulary (None if it has none)."""

    text: str
    span: Span
    venue: Venue | None
    year: int | None
    name: Field | None  # the venue's own name: `OSDI` of `OSDI'20`

    def year_span(self, text: str) -> Span | None:
        """Return where the year stands in the document's text, in four digits or two."""
        year = str(self.year)
        digits = _DIGITS.finditer(text, *self.span)
        found = [match.span() for match in digits if match[0] in (year, year[2:])]
        return Span(*found[-1]) if found else None


class LabelledLink(NamedTuple):
    """A link of an entry: its label without brackets, its role, and the link itself."""

    label: str
    role: Role | None
    link: Link


class Section(NamedTuple):
    """A heading, or what serves as one, and its place in the hierarchy.

    `kind` is heading, item, details, bold or html. `level` is from 1; sections that are no headings have a
    level above those of headings. `path` has the titles from the top section to this one.
    """

    title: str
    span: Span  # the span of the title
    kind: str
    level: int
    path: tuple[str, ...]
    parent: int | None  # the index of the parent section
    line: int  # from 1
    # the venue and year that a title such as `CCS 2024` states for all entries below it.
    citation: Citation | None = None
    year: int | None = None  # the year of a title such as `2024` or `CCS 2024`


class Entry(NamedTuple):
    """One thing that the list lists. `kind` is paper or classic."""

    kind: str
    dialect: str
    title: Field
    name: Field | None
    links: tuple[LabelledLink, ...]
    # values by kind of identifier: doi, arxiv, github, openreview, acl, usenix, pmlr, neurips ...
    identifiers: Mapping[str, str]
    section: int | None  # the index of its section
    span: Span  # the whole list item with everything nested in it
    title_line: Span  # the list item's first paragraph, or the table row
    block: Block
    line: int
    end_line: int  # lines from 1, the last one included
    description: Field | None = None
    citation: Citation | None = None
    year: int | None = None
    authors: tuple[Field, ...] = ()
    affiliations: tuple[Field, ...] = ()
    notes: tuple[Field, ...] = ()
    # the only source of the year is the arXiv id; the year of a heading takes precedence.
    year_from_arxiv_id: bool = False
    # the fields that only their position suggests: title, name, venue, authors, affiliations, description.
    # all others are proved: by markup (a link, emphasis, quotes, a cell), by the vocabulary, or by their own
    # form.
    guessed: frozenset[str] = frozenset()
    # the fields that are likely to be wrong, or to be missed, also the year: see `document.doubts`.
    uncertain: frozenset[str] = frozenset()

    @property
    def is_heading(self) -> bool:
        """Whether the title is in a heading, whose anchor other words would change."""
        return self.dialect == "heading-title"


class NonEntry(NamedTuple):
    """Lines that could be read as an entry and are none, and why."""

    span: Span
    line: int
    end_line: int  # lines from 1, the last one included
    reason: str  # what the lines are instead: `a table of contents`, `news`
    rows: int = 1  # of a table


class MisreadSeries(NamedTuple):
    """Entries of one form that are probably misread as a whole."""

    section: str  # the title of their section; empty if they are of several
    entries: tuple[int, ...]  # their indexes, in order


def sections_above(sections: Sequence[Section], section: int | None) -> Iterator[int]:
    """Yield the index of a section, and those of the sections that it is below, the nearest first."""
    while section is not None:
        yield section
        section = sections[section].parent


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One list: its source, its syntax tree, and what was read from it."""

    source: Source
    tree: Tree
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]
    links: tuple[Link, ...]  # every link and image in order, nested ones too. Bare URLs have the form `bare`.
    non_entries: tuple[NonEntry, ...] = ()  # what was taken for no entry, in order
    kind: FileKind = FileKind.LIST  # what the file is; only a list has entries
    misread: tuple[MisreadSeries, ...] = ()  # the series of entries that are read with little certainty

    def above(self, section: int | None) -> Iterator[int]:
        """Yield the index of a section, and those of the sections that it is below, the nearest first."""
        return sections_above(self.sections, section)

    def short_paths(self) -> list[str]:
        """Return the title of each section, with as many of those above it as tell it from others: `Training > 2025`."""
        ends = [
            [section.path[-length:] for length in range(1, min(len(section.path), _DEEPEST) + 1)]
            for section in self.sections
        ]
        counts = Counter(chain.from_iterable(ends))
        return [" > ".join(next((end for end in each if counts[end] == 1), each[-1])) for each in ends]


class EntryIndex:
    """The entries of a document by their spans. Entries may be nested."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._sorted = sorted(enumerate(entries), key=lambda item: (item[1].span.start, -item[1].span.end))
        self._starts = [entry.span.start for _, entry in self._sorted]
        self._parents = find_parents([entry.span for _, entry in self._sorted])

    def around(self, span: Span) -> Entry | None:
        """Return the innermost entry that contains a span, or None. Of several with the same span, the last."""
        return self.place_around(span)[1]

    def place_around(self, span: Span) -> tuple[int, Entry] | tuple[int, None]:
        """Return the entry that `around` returns after its index; -1 if there is none."""
        index = bisect_right(self._starts, span.start) - 1
        while index >= 0 and span.end > self._sorted[index][1].span.end:
            index = self._parents[index]
        return self._sorted[index] if index >= 0 else (-1, None)
