"""The rows of an audit: one for each list, entry, finding and link. docs/audit.md describes every column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias, get_type_hints

from shelfread.core.support.named_tuple import NamedTuple


class ListRow(NamedTuple):
    """One list; of a list with the status `failed`, only its name and the error are known."""

    list: str
    status: str
    error: str | None
    title: str | None = None
    commit: str | None = None
    digest: str | None = None
    presets: tuple[str, ...] = ()
    taxonomy: str | None = None
    files: int = 0
    bytes: int = 0
    entries: int = 0
    papers: int = 0
    links: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    fixable: int = 0


class EntryRow(NamedTuple):
    """One entry, with the fields that `shelfread export` prints."""

    list: str
    entry: int
    path: str
    line: int
    end_line: int
    kind: str
    title: str
    name: str | None
    description: str | None
    venue: str | None
    venue_text: str | None
    year: int | None
    authors: tuple[str, ...]
    affiliations: tuple[str, ...]
    notes: tuple[str, ...]
    doi: str | None
    arxiv: str | None
    github: str | None
    other_identifiers: tuple[str, ...]
    section: tuple[str, ...]
    concept: str | None
    dialect: str
    uncertain: tuple[str, ...]
    keys: tuple[str, ...]


class FindingRow(NamedTuple):
    """One finding of `shelfread check`, those of severity info too."""

    list: str
    entry: int | None
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    rule: str
    severity: str
    message: str
    fix: str | None


class LinkRow(NamedTuple):
    """One link or image, wherever it is."""

    list: str
    entry: int | None
    path: str
    line: int
    column: int
    url: str
    host: str | None
    form: str
    image: bool
    label: str | None
    role: str | None
    verdict: str | None = None
    reason: str | None = None
    checked: str | None = None


Row: TypeAlias = ListRow | EntryRow | FindingRow | LinkRow

TABLES: Mapping[str, type[Row]] = {
    "lists": ListRow,
    "entries": EntryRow,
    "findings": FindingRow,
    "links": LinkRow,
}
"""The kinds of rows by the name of their table."""


class Column(NamedTuple):
    """A column of a table: its type is str, int, bool or tuple (of texts)."""

    name: str
    type: type
    nullable: bool


def columns(kind: type[Row]) -> tuple[Column, ...]:
    """Return the columns of a kind of rows, in order."""
    return tuple(_column(name, hint) for name, hint in get_type_hints(kind).items())


def _column(name: str, hint: Any) -> Column:
    if hint == tuple[str, ...]:
        return Column(name, tuple, False)
    if isinstance(hint, type):
        return Column(name, hint, False)
    return Column(name, next(each for each in hint.__args__ if each is not type(None)), True)
