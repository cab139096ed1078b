"""Recognises tables that repeat what is listed elsewhere in the same document: rankings, classifications."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Span
from shelfread.document.model import Entry, NonEntry
from shelfread.document.non_entries import REPEATED
from shelfread.taxonomy.fold import fold

_DIALECTS = frozenset({"table-row", "html-table"})
_MIN_ROWS = 5
_SHARE = 0.8


def part_overviews(entries: Sequence[Entry]) -> tuple[list[Entry], list[NonEntry]]:
    """Return the entries without the rows of overviews, and the overviews.

    The rows of an overview link to what entries outside of tables link to. Without links, they repeat names.
    """
    if not any(entry.dialect in _DIALECTS for entry in entries):
        return list(entries), []
    urls = {entry.links[0].link.url for entry in entries if entry.links and entry.dialect not in _DIALECTS}
    names: set[str] | None = None  # folding all titles takes time
    kept: list[Entry] = []
    overviews: list[NonEntry] = []
    for group in _tables(entries):
        linked = sum(1 for entry in group if entry.links and entry.links[0].link.url in urls)
        named = 0
        if len(group) >= _MIN_ROWS and not any(entry.links for entry in group):
            if names is None:
                names = {fold(entry.title.value) for entry in entries if entry.links}
            named = sum(1 for entry in group if fold(entry.title.value) in names)
        enough = len(group) >= _MIN_ROWS or (overviews and group[0].dialect in _DIALECTS)
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
