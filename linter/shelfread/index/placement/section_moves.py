"""Edits that move an entry to another section of its list."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from shelfread.core.diagnostics import Edit
from shelfread.document.model import Document, Entry
from shelfread.index.order_moves import RunLines
from shelfread.index.sorted_lists import runs


class SectionMoves:
    """What moves entries of a document to the end of the list of a section.

    Nothing moves rows of tables and numbered items, and nothing moves to a section with several lists, or with a list of
    another form.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    @cached_property
    def _runs(self) -> list[list[Entry]]:
        return runs(self._document, 1)

    def edits(self, index: int, section: int) -> tuple[Edit, ...]:
        """Return the edits that move an entry, by its index; none if that cannot be done."""
        entry = self._document.entries[index]
        here = next((run for run in self._runs if any(other is entry for other in run)), None)
        there = [run for run in self._runs if any(other.section == section for other in run)]
        if here is None or len(there) != 1 or any(other.section != section for other in there[0]):
            return ()
        target = there[0]
        if not self._are_alike(entry, target):
            return ()
        lines, target_lines = (RunLines(self._document.source, run) for run in (here, target))
        if not lines.have_own_lines() or not target_lines.have_own_lines():
            return ()
        place = next(place for place, other in enumerate(here) if other is entry)
        edits = (
            target_lines.insertion(len(target) - 1, None, [lines.text_of(place, None)]),
            lines.removal(place, {place}),
        )
        return tuple(sorted(edits))

    def _are_alike(self, entry: Entry, run: Sequence[Entry]) -> bool:
        """Return whether an entry can stand in a list as it is: an item with the same bullet and indentation."""
        other = run[0]
        return (
            entry.block.kind == other.block.kind == "item"
            and entry.block.marker == other.block.marker
            and entry.block.marker in ("-", "*", "+")
            and entry.dialect == other.dialect
            and self._indentation(entry) == self._indentation(other)
        )

    def _indentation(self, entry: Entry) -> str:
        source = self._document.source
        return source.text[source.starts[entry.block.first] : entry.block.start]
