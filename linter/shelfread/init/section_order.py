"""Infers whether sections that are years or venues have an order."""

from __future__ import annotations

from collections.abc import Iterable

from shelfread.document.dated_sections import VENUE, YEAR, dated_rows
from shelfread.document.model import Document
from shelfread.index.conventions.line_style import sections_with_entries

_MIN_SECTIONS = 3
_ORDERS = ((VENUE, YEAR), (YEAR,), (VENUE,))


def find_order(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return the order that all sections have that are years or venues, empty if there are few or none has.

    The strictest one is returned that the sections show: at least one venue with two editions, for an order by venue.
    """
    files = [(document, sorted(sections_with_entries(document))) for document in documents]
    for order in _ORDERS:
        rows = [row for document, indexes in files for row in dated_rows(document, indexes, order)]
        is_kept = all(list(row.ranks) == sorted(row.ranks) for row in rows)
        if is_kept and sum(len(row.sections) for row in rows) >= _MIN_SECTIONS and _is_shown(order, files):
            return order
    return ()


def _is_shown(order: tuple[str, ...], files: list[tuple[Document, list[int]]]) -> bool:
    """Return whether sections show the order: years do always, venues if one has several sections below one parent."""
    if order == (YEAR,):
        return True
    for document, indexes in files:
        for row in dated_rows(document, indexes, (VENUE,)):
            if len(set(row.ranks)) < len(row.ranks):
                return True
    return False
