"""Entries in tables."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.document.entry.table_row import continue_entry, read_row
from shelfread.document.entry.title_line import TitleLine, read_simple_title_line, read_title_line
from shelfread.document.model import Entry, NonEntry
from shelfread.document.non_entries import INTERNAL, links_internally, non_entry
from shelfread.document.plain_text import plain_text
from shelfread.document.table_cells import Cell, Row, cell_at, to_cell
from shelfread.document.table_columns import find_columns
from shelfread.document.table_kind import why_no_entries
from shelfread.markdown.node import Block
from shelfread.taxonomy.vocabulary import Vocabulary


def read_table(
    table: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> list[Entry | NonEntry]:
    """Return the entries of a Markdown table."""
    if not table.blocks or table.blocks[0].level != 0:
        return []
    header = [plain_text(cell.inlines) for cell in table.blocks[0].blocks]
    rows = [Row([to_cell(cell.inlines) for cell in row.blocks], row) for row in table.blocks[1:]]
    return read_rows(header, rows, vocabulary, section=section, dialect="table-row", source=source)


def read_rows(
    header: list[str],
    rows: list[Row],
    vocabulary: Vocabulary,
    section: int | None,
    dialect: str,
    source: Source,
) -> list[Entry | NonEntry]:
    """Return the entries of a table's rows, or one non-entry if the table lists something else."""
    rows = [row for row in rows if not _repeats_header(row, header)]
    if not rows:
        return []
    columns = find_columns(header, rows, vocabulary)
    reason = why_no_entries(header, rows, columns, vocabulary)
    if reason is not None:
        last = rows[-1].block
        return [non_entry(rows[0].block._replace(end=last.end, last=last.last), reason)]
    found: list[Entry | NonEntry] = []
    for row in rows:
        previous = found[-1] if found else None
        title = columns.indexes["title"]
        cell = cell_at(row, title)
        if cell.continues and isinstance(previous, Entry):
            own = next((i for i, cell in enumerate(row.cells) if not cell.continues), None)
            if own is None or len(row.cells) <= len(header) or not header:
                found[-1] = continue_entry(previous, row, header, columns, vocabulary)
                continue
            title, cell = own, row.cells[own]  # the title spans too many rows: it pushed this row aside
        line = _title_line(cell, vocabulary)
        if not any(map(str.isalnum, line.title_text)) and "name" in columns.indexes:
            title = columns.indexes["name"]
            line = _title_line(cell_at(row, title), vocabulary)
        if not any(map(str.isalnum, line.title_text)) and line.title_link is None:
            continue
        if links_internally(line):
            found.append(non_entry(row.block, INTERNAL))
            continue
        found.append(
            read_row(
                row, line, title, header, columns, vocabulary, section=section, dialect=dialect, source=source
            )
        )
    return found


def _title_line(cell: Cell, vocabulary: Vocabulary) -> TitleLine:
    line = read_simple_title_line(cell.inlines, cell.plain, vocabulary) if cell.inlines else None
    return line or read_title_line(cell.plain, vocabulary, named=True)


def _repeats_header(row: Row, header: list[str]) -> bool:
    """Return whether a row is the header once more, or the second line of a header that spans two."""
    texts = [" ".join(cell.plain.text.split()).casefold() for cell in row.cells]
    return any(texts) and texts == [text.casefold() for text in header[: len(texts)]]
