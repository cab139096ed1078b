"""Entries in tables written in HTML."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.entry.table_row import Row
from shelfread.document.model import Entry, NonEntry
from shelfread.document.plain_text import plain_text
from shelfread.document.table import read_rows
from shelfread.markdown.html import attributes
from shelfread.markdown.node import Block, Html, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_MAX_ROWS = 10_000
_MAX_COLUMNS = 100


class _Cell(NamedTuple):
    """A cell and the number of rows and columns that it spans."""

    inlines: list[Inline]
    rows: int
    columns: int


def read_html_table(
    block: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> list[Entry | NonEntry]:
    """Return the entries of the tables in an HTML block. A cell that spans rows or columns is in each of them."""
    if not any(isinstance(node, Html) and node.tag == "tr" for node in block.inlines):
        return []
    rows: list[Row] = []
    cells: list[_Cell] = []
    above: list[_Cell] = []
    start, has_header = -1, False
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if tag == "tr":
            cells, start = [], node.start
        elif tag == "/tr" and start >= 0:
            above = _lay_out(cells, above)
            rows.append(_row(above, start, node.end, block, source))
            start = -1
        elif tag in ("td", "th") and start >= 0 and isinstance(node, Html):
            has_header = has_header or tag == "th"
            cells.append(_Cell([], _size(node, "rowspan", _MAX_ROWS), _size(node, "colspan", _MAX_COLUMNS)))
        elif tag not in ("/td", "/th") and cells and start >= 0:
            cells[-1].inlines.append(node)
    if not rows:
        return []
    header: list[str] = []
    if has_header or not any(isinstance(node, Link) for cell in rows[0].cells for node in cell):
        header = [plain_text(cell) for cell in rows[0].cells]
        rows = rows[1:]
    return read_rows(header, rows, vocabulary, section=section, dialect="html-table", source=source)


def _size(node: Html, name: str, maximum: int) -> int:
    attribute = attributes(node.value).get(name)
    value = attribute.value if attribute else ""
    return min(int(value), maximum) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def _lay_out(cells: list[_Cell], above: list[_Cell]) -> list[_Cell]:
    """Return the cells of a row by column, with those that span down from the row above."""
    row: list[_Cell] = []
    remaining = cells[::-1]
    while remaining or len(row) < len(above):
        if len(row) < len(above) and above[len(row)].rows > 1:
            spanning = above[len(row)]
            row.append(spanning._replace(rows=spanning.rows - 1))
        elif remaining:
            cell = remaining.pop()
            row.extend([cell] * max(cell.columns, 1))
        else:
            break
    return row


def _row(cells: list[_Cell], start: int, end: int, block: Block, source: Source) -> Row:
    first, last = source.line_at(start), source.line_at(end - 1)
    row = block._replace(kind="row", start=start, end=end, first=first, last=last + 1, inlines=())
    return Row([tuple(cell.inlines) for cell in cells], row)
