"""Entries of several dialects written in one: as bracket links, linked titles or rows of tables.

Each entry is rewritten as well as it can be without any field being read otherwise; one that cannot be stays,
and is named. Those that are written in the style already stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.format.entries import bracket_links, linked_title
from shelfread.format.entries import table as entry_table
from shelfread.format.entries.house_style import Counts, Habits, count_habits, learn_habits
from shelfread.format.entries.rewrite import Rewrite, Way
from shelfread.format.entries.same_fields import blame, conserves, data_of, why_spoilt
from shelfread.format.entries.title_lines import title_lines
from shelfread.format.entries.title_parts import Line
from shelfread.format.layout.protected import find_protected, overlaps_any
from shelfread.format.layout.replacement import Piece, rewrite
from shelfread.format.result import UnformattedBlock
from shelfread.format.style import EntryStyle
from shelfread.taxonomy.taxonomy import Taxonomy

_PASSES = 4
_ROUNDS = 24
_TRIES = 64


class Restyled(NamedTuple):
    """A text whose entries are written in one style, and those that are not."""

    text: str
    unformatted: tuple[UnformattedBlock, ...]
    settled: bool
    """Another run would change nothing."""


def restyle(source: Source, style: EntryStyle, taxonomy: Taxonomy, others: Counts | None = None) -> Restyled:
    """All entries in one style; every field that export gives is the same before and after.

    `others` says how other files of the project write their entries.
    """
    document = read(source, taxonomy.vocabulary)
    for _ in range(_PASSES):  # a table becomes a list, and that list's entries another dialect
        found = _Pass(document, style, taxonomy, others)
        after = found.run()
        settled = after.source.text == document.source.text
        left = tuple(
            sorted(
                UnformattedBlock(document.entries[number].line, reason)
                for number, reason in found.reasons.items()
            )
        )
        if settled:
            break
        document = after
    return Restyled(document.source.text, left, settled)


class _Pass:
    """One rewriting of all entries that are not in the style yet."""

    def __init__(
        self, document: Document, style: EntryStyle, taxonomy: Taxonomy, others: Counts | None
    ) -> None:
        self.document, self.style, self.taxonomy = document, style, taxonomy
        self.source, self.vocabulary = document.source, taxonomy.vocabulary
        self.reasons: dict[int, str] = {}
        self.lines = title_lines(self.document, style == "table", self.reasons)
        self.tables = {block.start: block for block in self.document.tree.blocks if block.kind == "table"}
        counts = count_habits(self.lines.values(), self.source.text, self.vocabulary)
        habits = learn_habits(counts + others if others else counts)
        self.ways = {
            number: ways for number, line in self.lines.items() if (ways := self._ways(number, line, habits))
        }
        self.rows = dict(self._rows(habits))
        self.lists = self._lists()

    def _ways(self, number: int, line: Line, habits: Habits) -> list[Way]:
        """The ways to write an entry's line in the style; none where it is so written."""
        if line.entry.block.kind == "row" or self.style == "table":
            return []
        if self.style == "linked-title":
            if line.main is not None:
                return []
            found = linked_title.ways(line, self.source.text, habits, self.vocabulary)
        else:
            if bracket_links.is_written(line, habits):
                return []
            found = bracket_links.ways(line, self.source.text, habits, self.vocabulary)
        if isinstance(found, str):
            self.reasons[number] = found
            return []
        ways = list(dict.fromkeys(found))
        if not ways:
            self.reasons[number] = "its venue stands before its title, and more behind it than links"
        return ways

    def _rows(self, habits: Habits) -> Iterator[tuple[int, entry_table.Row]]:
        """The cells of the entries that can be rows."""
        if self.style != "table":
            return
        text = self.source.text
        top = {
            item.start for block in self.document.tree.blocks if block.kind == "list" for item in block.blocks
        }
        for number, line in self.lines.items():
            if line.entry.block.kind == "row":
                continue
            row: entry_table.Row | str | None = entry_table.why_no_row(line.entry, line, text)
            if row is None and line.entry.block.start not in top:
                row = "it is nested in another item"
            row = row or entry_table.row_of(line, text, habits, self.vocabulary)
            if isinstance(row, str):
                self.reasons[number] = row
            else:
                yield number, row

    def _lists(self) -> list[Rewrite]:
        """The tables that can be lists."""
        if self.style == "table":
            return []
        frozen = find_protected(self.source, self.document.tree)
        found: dict[int, list[int]] = {}
        rows = {row.start: table for table in self.tables.values() for row in table.blocks}
        for number, entry in enumerate(self.document.entries):
            if (
                entry.kind == "paper"
                and entry.block.kind == "row"
                and not overlaps_any(entry.span.start, entry.span.end, frozen)
            ):
                table = rows.get(entry.block.start)
                if table is None:
                    self.reasons[number] = "its table is nested in another block"
                else:
                    found.setdefault(table.start, []).append(number)
        rewrites = []
        for start, numbers in found.items():
            entries = [self.document.entries[number] for number in numbers]
            one = entry_table.list_of(self.tables[start], entries, numbers, self.document)
            if isinstance(one, str):
                self.reasons.update(dict.fromkeys(numbers, one))
            else:
                rewrites.append(one)
        return rewrites

    # ------------------------------------------------------------------------------- what comes of it
    def run(self) -> Document:
        """The document with every entry rewritten that can be."""
        old: list[dict[str, Any]] = []
        for _ in range(_ROUNDS):
            rewrites = self._plan()
            if not rewrites:
                return self.document
            bad = {
                number: reason
                for one in rewrites
                if (reason := why_spoilt(one, self.source.text))
                for number in one.entries
            }
            if not bad:
                old = old or data_of(self.document, self.taxonomy)
                after = read(self._after(rewrites), self.vocabulary)
                bad = blame(rewrites, self.document, old, after, data_of(after, self.taxonomy))
                bad = bad or self._losses(rewrites)
                if not bad:
                    return after
            for number, reason in bad.items():
                self._refuse(number, reason)
        self.reasons.update(
            dict.fromkeys([*self.ways, *self.rows], "its list is read otherwise when it is rewritten")
        )
        return self.document

    def _plan(self) -> list[Rewrite]:
        rewrites = list(self.lists)
        for number, ways in self.ways.items():
            if ways:
                rewrites.append(Rewrite((number,), self.lines[number].span, *ways[0]))
        if self.rows:
            numbers = {self.document.entries[number].block.start: number for number in self.rows}

            def refuse(number: int, reason: str) -> None:
                self.reasons[number] = reason

            rewrites += entry_table.tables(self.document, numbers, self.rows, refuse)
        return sorted(rewrites, key=lambda one: one.span)

    def _refuse(self, number: int, reason: str) -> None:
        """Try the next way to write an entry that was rewritten wrongly, or leave it; of a table all rows."""
        table = next((one for one in self.lists if number in one.entries), None)
        if table is not None:
            self.lists.remove(table)
            self.reasons.update(dict.fromkeys(table.entries, reason))
        elif number in self.ways:
            self.ways[number].pop(0)
            if not self.ways[number]:
                self.reasons[number] = reason
        elif self.rows.pop(number, None) is not None:
            self.reasons[number] = reason

    def _after(self, rewrites: Sequence[Rewrite]) -> Source:
        text = rewrite(self.source.text, (Piece(*one.span, one.written) for one in rewrites))
        return Source(text, self.source.path)

    def _losses(self, rewrites: list[Rewrite]) -> dict[int, str]:
        """The entries whose rewriting loses something of the page: halves are tried until they stand alone."""
        pending, tries = [rewrites], 0
        kept: list[Rewrite] = []
        lost: dict[int, str] = {}
        while pending:
            group = pending.pop()
            tries += 1
            together = sorted([*kept, *group], key=lambda one: one.span)
            reason = conserves(self.document, self._after(together), together)
            if reason is None:
                kept = together
            elif len(group) == 1 or tries > _TRIES:
                for one in group:
                    lost.update(dict.fromkeys(one.entries, reason))
            else:
                half = len(group) // 2
                pending += [group[half:], group[:half]]
        return lost
