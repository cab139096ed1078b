"""Write the entries of a text in one style."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from shelfread.core.diagnostics import Span, TextEdit, apply_edits
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.fixes.conservation import Damage, Search
from shelfread.format import unharmed
from shelfread.format.blank_lines import find_protected, overlaps_any
from shelfread.format.entry_styles import (
    Row,
    bracket_link_variants,
    has_bracket_links,
    linked_title_variants,
    write_row,
    write_tables,
)
from shelfread.format.format import format_source
from shelfread.format.house_style import Counts, HouseStyle, count_forms, find_house_style
from shelfread.format.result import EntryStyle, FormatResult, Style, UnformattedBlock, line_origins, unchanged
from shelfread.format.title_parts import TORN, TitleLine, parse_title_line
from shelfread.format.unharmed import Rewrite, Variant
from shelfread.taxonomy.taxonomy import Taxonomy


def find_title_lines(document: Document, *, with_rows: bool) -> tuple[dict[int, TitleLine], dict[int, str]]:
    """Return the title lines of papers in list items (and rows) by the entries' indexes, and why others cannot be rewritten."""
    text = document.source.text
    protected = find_protected(document.source, document.tree)
    shared = {
        before.title_line.start
        for before, after in pairwise(document.entries)
        if before.title_line.start <= after.title_line.start < before.title_line.end
    }
    lines: dict[int, TitleLine] = {}
    reasons: dict[int, str] = {}
    rows: list[int] = []
    for index, entry in enumerate(document.entries):
        title, line = entry.title.span, entry.title_line
        if entry.kind != "paper" or overlaps_any(*line, protected):
            continue
        if entry.block.kind == "row":
            rows.append(index)
            for cell in entry.block.blocks if with_rows else ():
                if cell.start <= title.start < cell.end:
                    lines[index] = parse_title_line(entry, Span(cell.start, cell.end), cell.inlines, text)
        elif entry.block.kind != "item" or entry.is_heading:
            reasons[index] = "it is not an item of a list"
        elif line.start in shared or not entry.block.blocks or entry.block.inlines:
            reasons[index] = "it shares its paragraph with another entry"
        elif not line.start <= title.start < title.end <= line.end:
            reasons[index] = "its title is not in its first line"
        else:
            lines[index] = parse_title_line(entry, line, entry.block.blocks[0].inlines, text)
    return lines, reasons if lines or reasons else dict.fromkeys(rows, "it is a row of a table")


_FEWEST = 10  # of fewer papers, each that stays as it is is named instead
_MAX_PASSES = 4
_MAX_ROUNDS = 24
_MAX_TRIES = 64


def restyle(
    source: Source,
    style: EntryStyle,
    taxonomy: Taxonomy,
    others: Counts | None = None,
    touched: Sequence[bool] | None = None,
) -> tuple[FormatResult, bool]:
    """Write all entries in one style; all fields that `export` gives stay the same.

    `others` are the forms of the entries in the project's other files. With `touched` only entries on these lines are
    written, and none into a table. Otherwise a style that would leave more than a third of the papers alone changes
    nothing. Then return whether another call would change nothing.
    """
    document = read(source, taxonomy.vocabulary)
    result = unchanged(source)
    for number in range(_MAX_PASSES):  # rewritten entries may change what most of the text has
        lines = None if touched is None else [touched[line] for line in result.origins]
        one_pass = _Pass(document, style, taxonomy, others, lines)
        after = one_pass.run()
        left, papers = one_pass.reasons, len({*one_pass.lines, *one_pass.reasons})
        if number == 0 and touched is None and len(left) * 3 > papers >= _FEWEST:
            reason, count = Counter(left.values()).most_common(1)[0]
            said = (
                f"{style} would leave {len(left)} of {papers} papers as they are, so no entry is changed; "
                f"for {count}, {reason}"
            )
            return unchanged(source)._replace(
                unformatted=(UnformattedBlock(document.entries[min(left)].line, said),)
            ), True
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
        self,
        document: Document,
        style: EntryStyle,
        taxonomy: Taxonomy,
        others: Counts | None,
        touched: Sequence[bool] | None,
    ) -> None:
        self.document, self.style, self.taxonomy = document, style, taxonomy
        self.source, self.vocabulary = document.source, taxonomy.vocabulary
        self.lines, self.reasons = find_title_lines(document, with_rows=style == "table")
        counts = count_forms(self.lines.values(), self.vocabulary)
        if touched is not None:
            entries = document.entries
            is_touched = [all(touched[entry.line - 1 : entry.end_line]) for entry in entries]
            self.lines = {index: line for index, line in self.lines.items() if is_touched[index]}
            self.reasons = {index: reason for index, reason in self.reasons.items() if is_touched[index]}
        house_style = find_house_style(counts + others if others else counts)
        self.variants: dict[int, list[Variant]] = {}
        self.rows: dict[int, Row] = {}
        self.edits: list[TextEdit] = []  # the edits that `run` made
        if style == "table":
            self.rows = {} if touched is not None else dict(self._find_rows(house_style))
        else:
            for index, line in self.lines.items():
                if variants := self._find_variants(index, line, house_style):
                    self.variants[index] = variants

    def _find_variants(self, index: int, line: TitleLine, house_style: HouseStyle) -> list[Variant]:
        """Return the variants of an entry's line in the style; none if it has the style."""
        found = None
        if self.style == "bracket-links" and not has_bracket_links(line, house_style):
            found = bracket_link_variants(line, house_style, self.vocabulary)
        elif self.style == "linked-title" and line.main is None:
            found = linked_title_variants(line, house_style, self.vocabulary)
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

    # ----------------------------------------------------------------------------- apply what is harmless
    def run(self) -> Document:
        """Return the document in which every entry is rewritten that can be."""
        old: Sequence[unharmed.Fields] = ()
        for _ in range(_MAX_ROUNDS):
            rewrites = self._plan()
            if not rewrites:
                return self.document
            failed = {
                index: reason
                for rewrite in rewrites
                if (reason := unharmed.find_lost_word(rewrite, self.source.text))
                for index in rewrite.entries
            }
            if not failed:
                old = old or unharmed.read_fields(self.document, self.taxonomy)
                after = read(self._apply(rewrites), self.vocabulary)
                new = unharmed.read_fields(after, self.taxonomy)
                failed = unharmed.find_misread(rewrites, self.document, old, after, new)
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
        rewrites = []
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
        """Try the next variant of an entry, or leave it."""
        if index in self.variants:
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
            return unharmed.find_page_damage(self.document, self._apply(rewrites), rewrites)

        search = Search(lambda rewrite: [rewrite.span], find_damage, _MAX_TRIES)
        search.run([rewrites] if rewrites else [])
        harmful = (*search.harmful, *search.harmful_together)
        return {index: reason for rewrite, reason in harmful for index in rewrite.entries}


def _edits_of(rewrites: Sequence[Rewrite]) -> list[TextEdit]:
    return [TextEdit(*rewrite.span, rewrite.variant.text) for rewrite in rewrites]


def format_entries(
    source: Source,
    style: Style,
    taxonomy: Taxonomy,
    counts: Counts | None = None,
    touched: Sequence[bool] | None = None,
) -> FormatResult:
    """Return the formatted text, in which only `touched` lines differ, or all; `counts` are the forms of the other files."""

    def lines(result: FormatResult) -> Sequence[bool] | None:
        return None if touched is None else [touched[line] for line in result.origins]

    result = format_source(source, style, touched)
    if style.entry == "keep":
        return result
    for _ in range(_MAX_PASSES):  # rewritten entries may need formatting, or change what most of the text has
        restyled, settled = restyle(
            Source(result.text, source.path), style.entry, taxonomy, counts, lines(result)
        )
        restyled = restyled.following(result)
        if restyled.text != result.text:
            again = format_source(Source(restyled.text, source.path), style, lines(restyled))
            result = again.following(restyled)
        if restyled.text == result.text and settled:
            break
    return result._replace(unformatted=tuple(sorted({*result.unformatted, *restyled.unformatted})))


def count_entry_forms(source: Source, style: Style, taxonomy: Taxonomy) -> Counts:
    """Count the forms of a file's entries."""
    document = read(source, taxonomy.vocabulary)
    lines, _ = find_title_lines(document, with_rows=style.entry == "table")
    return count_forms(lines.values(), taxonomy.vocabulary)
