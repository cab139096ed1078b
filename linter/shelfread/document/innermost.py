"""Finds the innermost entry at a place."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from shelfread.core.diagnostics import Span
from shelfread.core.spans import find_parents
from shelfread.document.model import Entry


class EntryIndex:
    """The entries of a document by their spans. Entries may be nested."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self._entries = sorted(entries, key=lambda entry: (entry.span.start, -entry.span.end))
        self._starts = [entry.span.start for entry in self._entries]
        self._parents = find_parents([entry.span for entry in self._entries])

    def around(self, span: Span) -> Entry | None:
        """Return the innermost entry that contains a span, or None. Of several with the same span, the last."""
        index = bisect_right(self._starts, span.start) - 1
        while index >= 0 and span.end > self._entries[index].span.end:
            index = self._parents[index]
        return self._entries[index] if index >= 0 else None
