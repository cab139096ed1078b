"""Write the entries of a list in one style: as bracket links, linked titles or rows of tables.

Each entry is rewritten as well as possible without changing how any field is read. An entry for which no way
is found stays, and is reported. Entries that have the style already stay byte for byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

from shelfread.core.edits import TextEdit, apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fixes.verify.conservation import Damage
from shelfread.format.entries import bracket_links, linked_title, same_fields
from shelfread.format.entries.house_style import Counts, HouseStyle, count_forms, find_house_style
from shelfread.format.entries.rewrite import Rewrite, Variant
from shelfread.format.entries.table import Row, write_list, write_row, write_tables
from shelfread.format.entries.title_lines import find_title_lines
from shelfread.format.entries.title_parts import TORN, TitleLine
from shelfread.format.halving import keep_harmless
from shelfread.format.layout.protected import find_protected, overlaps_any
from shelfread.format.result import FormatResult, UnformattedBlock, line_origins, unchanged
from shelfread.format.style import EntryStyle
from shelfread.taxonomy.taxonomy import Taxonomy

_MAX_PASSES = 4
_MAX_ROUNDS = 24
_MAX_TRIES = 64


def restyle(
    source: Source, style: EntryStyle, taxonomy: Taxonomy, others: Counts | None = None
) -> tuple[FormatResult, bool]:
    """Write all entries in one style; all fields that `export` gives stay the same.

    `others` are the forms of the entries in the project's other files. Then return whether another call would
    change nothing.
    """
    document = read(source, taxonomy.vocabulary)
    result = unchanged(source)
    for _ in range(_MAX_PASSES):  # a table becomes a list, whose entries are then rewritten
        one_pass = _Pass(document, style, taxonomy, others)
        after = one_pass.run()
        settled = after.source.text == document.source.text
        unformatted = sorted(
            UnformattedBlock(document.entries[index].line, reason)
            for index, reason in one_pass.reasons.items()
        )
        if settled:
            break
        origins = line_origins(document.source, after.source, one_pass.edits)
        result = FormatResult(after.source.text, (), origins).following(result)
        document = after
    return result._replace(unformatted=tuple(unformatted)), settled


class _Pass:
    """One rewriting of all entries that do not have the style yet."""

    def __init__(
        self, document: Document, style: EntryStyle, taxonomy: Taxonomy, others: Counts | None
    ) -> None:
        self.document, self.style, self.taxonomy = document, style, taxonomy
        self.source, self.vocabulary = document.source, taxonomy.vocabulary
        self.lines, self.reasons = find_title_lines(document, with_rows=style == "table")
        counts = count_forms(self.lines.values(), self.vocabulary)
        house_style = find_house_style(counts + others if others else counts)
        self.variants: dict[int, list[Variant]] = {}
        self.rows: dict[int, Row] = {}
        self.lists: list[Rewrite] = []
        self.edits: list[TextEdit] = []
        """The edits that `run` made."""
        if style == "table":
            self.rows = dict(self._find_rows(house_style))
        else:
            for index, line in self.lines.items():
                if variants := self._find_variants(index, line, house_style):
                    self.variants[index] = variants
            self.lists = list(self._find_lists())

    def _find_variants(self, index: int, line: TitleLine, house_style: HouseStyle) -> list[Variant]:
        """Return the variants of an entry's line in the style; none if it has the style."""
        if line.entry.block.kind == "row":
            return []
        found = None
        if self.style == "bracket-links" and not bracket_links.has_style(line, house_style):
            found = bracket_links.find_variants(line, house_style, self.vocabulary)
        elif self.style == "linked-title" and line.main is None:
            found = linked_title.find_variants(line, house_style, self.vocabulary)
        if found is None:
            return []
        if line.is_torn:
            found = TORN
        if isinstance(found, str):
            self.reasons[index] = found
            return []
        variants = list(dict.fromkeys(found))
        if not variants:
            self.reasons[index] = "its venue is before its title, and more than links is behind it"
        return variants

    def _find_rows(self, house_style: HouseStyle) -> Iterator[tuple[int, Row]]:
        """Yield the entries of lists that can be rows of tables, each with its index."""
        lists = (block for block in self.document.tree.blocks if block.kind == "list")
        top_level = {item.start for block in lists for item in block.blocks}
        for index, line in self.lines.items():
            if line.entry.block.kind == "row":
                continue
            row: Row | str = "it is nested in another item"
            if line.entry.block.start in top_level:
                row = write_row(line, house_style, self.vocabulary)
            if isinstance(row, str):
                self.reasons[index] = row
            else:
                yield index, row

    def _find_lists(self) -> Iterator[Rewrite]:
        """Yield the tables that can be lists."""
        protected = find_protected(self.source, self.document.tree)
        tables = {block.start: block for block in self.document.tree.blocks if block.kind == "table"}
        table_of_row = {row.start: start for start, table in tables.items() for row in table.blocks}
        found: dict[int, list[int]] = {}
        for index, entry in enumerate(self.document.entries):
            is_row = entry.kind == "paper" and entry.block.kind == "row"
            if is_row and not overlaps_any(*entry.span, protected):
                table = table_of_row.get(entry.block.start)
                if table is None:
                    self.reasons[index] = "its table is nested in another block"
                else:
                    found.setdefault(table, []).append(index)
        for start, indexes in found.items():
            entries = {index: self.document.entries[index] for index in indexes}
            rewrite = write_list(tables[start], entries, self.document, self.vocabulary)
            if isinstance(rewrite, str):
                self.reasons.update(dict.fromkeys(indexes, rewrite))
            else:
                yield rewrite

    # ----------------------------------------------------------------------------- apply what is harmless
    def run(self) -> Document:
        """Return the document in which every entry is rewritten that can be."""
        old: Sequence[same_fields.Fields] = ()
        for _ in range(_MAX_ROUNDS):
            rewrites = self._plan()
            if not rewrites:
                return self.document
            failed = {
                index: reason
                for rewrite in rewrites
                if (reason := same_fields.find_lost_word(rewrite, self.source.text))
                for index in rewrite.entries
            }
            if not failed:
                old = old or same_fields.read_fields(self.document, self.taxonomy)
                after = read(self._apply(rewrites), self.vocabulary)
                new = same_fields.read_fields(after, self.taxonomy)
                failed = same_fields.find_misread(rewrites, self.document, old, after, new)
                failed = failed or self._find_page_damage(rewrites)
                if not failed:
                    self.edits = _edits_of(rewrites)
                    return after
            for index, reason in failed.items():
                self._reject(index, reason)
        self.reasons.update(
            dict.fromkeys([*self.variants, *self.rows], "its list is read differently when it is rewritten")
        )
        return self.document

    def _plan(self) -> list[Rewrite]:
        rewrites = list(self.lists)
        for index, variants in self.variants.items():
            if variants:
                rewrites.append(Rewrite((index,), self.lines[index].span, variants[0]))
        if self.rows:
            indexes = {self.document.entries[index].block.start: index for index in self.rows}
            tables, reasons = write_tables(self.document, indexes, self.rows)
            self.reasons.update(reasons)
            rewrites += tables
        return sorted(rewrites, key=lambda rewrite: rewrite.span)

    def _reject(self, index: int, reason: str) -> None:
        """Try the next variant of an entry, or leave it; of a table leave all rows."""
        table = next((rewrite for rewrite in self.lists if index in rewrite.entries), None)
        if table is not None:
            self.lists.remove(table)
            self.reasons.update(dict.fromkeys(table.entries, reason))
        elif index in self.variants:
            self.variants[index].pop(0)
            if not self.variants[index]:
                self.reasons[index] = reason
        elif self.rows.pop(index, None) is not None:
            self.reasons[index] = reason

    def _apply(self, rewrites: Sequence[Rewrite]) -> Source:
        return Source(apply_edits(self.source.text, _edits_of(rewrites)), self.source.path)

    def _find_page_damage(self, rewrites: list[Rewrite]) -> dict[int, str]:
        """Return the entries, by index, whose rewriting changes the page otherwise, with the reason."""

        def find_damage(rewrites: Sequence[Rewrite]) -> list[Damage]:
            return same_fields.find_page_damage(self.document, self._apply(rewrites), rewrites)

        _, harmful = keep_harmless(rewrites, attrgetter("span"), find_damage, _MAX_TRIES)
        return {index: reason for rewrite, reason in harmful for index in rewrite.entries}


def _edits_of(rewrites: Sequence[Rewrite]) -> list[TextEdit]:
    return [TextEdit(*rewrite.span, rewrite.variant.text) for rewrite in rewrites]
