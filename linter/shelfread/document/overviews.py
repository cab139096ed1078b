"""Recognises tables that repeat what is listed elsewhere in the same document: rankings, classifications."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from shelfread.core.diagnostics import Span
from shelfread.document.model import Entry, NonEntry
from shelfread.document.non_entries import REPEATED
from shelfread.taxonomy.words import fold

_DIALECTS = frozenset({"table-row", "html-table"})
_MIN_ROWS = 5
_SHARE = 0.8


class Listed:
    """What the entries outside of tables link to, and the names of all with links, which is found when needed."""

    def __init__(self, entries: Iterable[Sequence[Entry]]) -> None:
        """`entries` are those of each part of a document."""
        self._entries = tuple(entries)

    @cached_property
    def urls(self) -> frozenset[str]:
        """The URLs."""
        entries = chain.from_iterable(self._entries)
        return frozenset(
            [entry.links[0].link.url for entry in entries if entry.links and entry.dialect not in _DIALECTS]
        )

    @cached_property
    def names(self) -> frozenset[str]:
        """The names, folded."""
        entries = chain.from_iterable(self._entries)
        return frozenset([fold(entry.title.value) for entry in entries if entry.links])


def has_tables(entries: Iterable[Entry]) -> bool:
    """Return whether any entry is in a table."""
    return any(entry.dialect in _DIALECTS for entry in entries)


def part_overviews(
    entries: Sequence[Entry], listed: Listed | None = None, follows_other: bool = False
) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries without the rows of overviews, and the overviews.

    The rows of an overview link to what entries outside of tables link to. Without links, they repeat names. `listed`
    is what the whole document lists, and `follows_other` whether it has an overview above these entries.
    """
    if not has_tables(entries):
        return list(entries), []
    listed = listed or Listed([entries])
    kept: list[Entry] = []
    overviews: list[NonEntry] = []
    for group in _tables(entries):
        linked = sum(1 for entry in group if entry.links and entry.links[0].link.url in listed.urls)
        named = 0
        if len(group) >= _MIN_ROWS and not any(entry.links for entry in group):
            named = sum(1 for entry in group if fold(entry.title.value) in listed.names)
        is_first = not (follows_other or overviews)
        enough = len(group) >= _MIN_ROWS or (not is_first and group[0].dialect in _DIALECTS)
        if enough and max(linked, named) >= (_SHARE if len(group) >= _MIN_ROWS else 1) * len(group):
            first, last = group[0], group[-1]
            span = Span(first.span.start, last.span.end)
            overviews.append(NonEntry(span, first.line, last.end_line, REPEATED))
        else:
            kept += group
    return kept, overviews


def _tables(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Yield the entries of each table, and every other entry alone."""
    group: list[Entry] = []
    for entry in entries:
        if group and not (entry.dialect in _DIALECTS and entry.section == group[-1].section):
            yield group
            group = []
        group.append(entry)
        if entry.dialect not in _DIALECTS:
            yield group
            group = []
    if group:
        yield group
