"""Sections, entries and links: every field a value and the span where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.markdown.node import Block, Link, Tree
from shelfread.taxonomy.vocabulary import Role, Venue


class Field(NamedTuple):
    """A value that an entry states, and where."""

    value: str
    span: Span


class Citation(NamedTuple):
    """A venue as printed: `text` is `OSDI'20`, `venue` the vocabulary's (None when it has none)."""

    text: str
    span: Span
    venue: Venue | None
    year: int | None
    name: Field | None
    """The venue's own name within the text: `OSDI` of `OSDI'20`."""


class LabelledLink(NamedTuple):
    """A link of an entry: its label without brackets, its role, and the link itself."""

    label: str
    role: Role | None
    link: Link


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, or what serves as one, and its place in the hierarchy.

    `kind` is heading, item, details, bold or html; `level` counts from 1, marks below headings go on
    counting; `path` is the titles from the top to this one.
    """

    title: str
    span: Span
    """The title's text."""
    kind: str
    level: int
    path: tuple[str, ...]
    parent: int | None
    """The index of the section above."""
    line: int
    """From 1."""
    citation: Citation | None = None
    """The venue and year that a title such as `CCS 2024` states for all that is below it."""
    year: int | None = None
    """The year that the title is, or states with a venue."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that the list lists; `kind` is paper or classic."""

    kind: str
    dialect: str
    title: Field
    name: Field | None
    description: Field | None
    citation: Citation | None
    year: int | None
    authors: tuple[Field, ...]
    affiliations: tuple[Field, ...]
    notes: tuple[Field, ...]
    links: tuple[LabelledLink, ...]
    identifiers: Mapping[str, str]
    """Kind of identifier (doi, arxiv, github, openreview, acl, usenix, pmlr, neurips ...) to value."""
    section: int | None
    """The index of its section."""
    span: Span
    """The whole item with what is nested in it."""
    title_line: Span
    """The title line: the item's own first paragraph, the row."""
    block: Block
    line: int
    end_line: int
    """Lines from 1, the last one included."""
    year_from_arxiv_id: bool = False
    """The year is only the arXiv id's: what a heading states says more."""


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One list: its source, its syntax, and what was read from it."""

    source: Source
    tree: Tree
    sections: tuple[Section, ...]
    entries: tuple[Entry, ...]
    links: tuple[Link, ...]
    """Every link and image of the text in order, nested ones too; bare URLs have the form `bare`."""
