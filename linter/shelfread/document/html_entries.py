"""Entries in lists and tables written in HTML: `<li><a href="u">Name</a> - Description</li>`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.model import Entry, NonEntry
from shelfread.document.paragraphs import begins_with_name, sub_block
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.table_cells import NO_CELL, Cell, TableRow, to_cell
from shelfread.document.table_rows import read_rows
from shelfread.markdown.html import attributes
from shelfread.markdown.node import Block, Break, Html, Inline, Link, Text
from shelfread.taxonomy.vocabulary import Vocabulary

_ITEM_ENDS = frozenset({"/li", "li", "ul", "/ul", "ol", "/ol"})
_LINE_ENDS = frozenset({"br", "p", "/p"})
# So many lines, and so large a share of those with links, make a paragraph one of entries.
_MIN_LINES, _MOST = 3, 0.6
_DESCRIPTION = lazy(r"\s{0,9}[-–—:]\s{1,9}\w")
_MAX_ROWS = 10_000
_MAX_COLUMNS = 100


def find_html_items(block: Block, source: Source, vocabulary: Vocabulary) -> Block | None:
    """Return the list items in an HTML block as a list, or else the lines of its paragraphs, None if it has neither."""
    items: list[list[Inline]] = []
    is_open = False
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if tag in _ITEM_ENDS:
            is_open = tag == "li"
            items += [[]] if is_open else []
        elif is_open:
            items[-1].append(node)
    found = [item for item in map(_trimmed, items) if item] or _described_lines(block, vocabulary)
    if not found:
        return None
    blocks = tuple(
        sub_block(item, block, source, "item")._replace(inlines=(), blocks=(sub_block(item, block, source),))
        for item in found
    )
    return block._replace(kind="list", blocks=blocks, inlines=())


def _trimmed(inlines: list[Inline]) -> tuple[Inline, ...]:
    """Return inlines without the line ends and blanks around them."""
    filled = [i for i, node in enumerate(inlines) if not (isinstance(node, Break) or _is_blank(node))]
    return tuple(inlines[filled[0] : filled[-1] + 1]) if filled else ()


def _is_blank(node: Inline) -> bool:
    return isinstance(node, Text) and node.value.isspace()


def _described_lines(block: Block, vocabulary: Vocabulary) -> list[tuple[Inline, ...]]:
    """Return the lines of a `<p>`, up to `<br>`, if most with links have a linked name and its description."""
    lines: list[list[Inline]] = [[]]
    for node in block.inlines:
        if isinstance(node, Html) and node.tag in _LINE_ENDS:
            lines.append([])
        elif lines[-1] or not _is_blank(node):
            lines[-1].append(node)
    filled = [_trimmed(line) for line in lines if any(isinstance(node, Link) for node in line)]
    described = [line for line in filled if _is_described(render_plain_text(line), vocabulary)]
    return described if len(described) >= max(_MIN_LINES, _MOST * len(filled)) else []


def _is_described(plain: PlainText, vocabulary: Vocabulary) -> bool:
    """Return whether a line is a linked name and a dash or colon with words behind it."""
    named = begins_with_name(plain, vocabulary)
    return named and _DESCRIPTION.match(plain.text, plain.links[0].end) is not None


class _Spanning(NamedTuple):
    """A cell and the number of rows and columns that it spans from here."""

    cell: Cell
    rows: int
    columns: int


class _HtmlTable:
    """A table that is being read: its rows so far, and the cells of the row above."""

    def __init__(self) -> None:
        self.rows: list[TableRow] = []
        self.has_header = False
        self.above: list[_Spanning] = []

    def add(self, cells: list[_Spanning], block: Block) -> None:
        """Add a row. A row without cells of its own only lets those above span on."""
        self.above = _lay_out(cells, self.above)
        if cells:
            self.rows.append(TableRow([spanning.cell for spanning in self.above], block))


def read_html_table(block: Block, setting: Setting) -> Iterator[Entry | NonEntry]:
    """Yield the entries of the tables in an HTML block. A cell that spans rows or columns is in each of them."""
    if not any(isinstance(node, Html) and node.tag == "tr" for node in block.inlines):
        return
    for table in _tables(block, setting.source):
        header: list[str] = []
        rows = table.rows
        if table.has_header or not any(cell.plain.links for cell in rows[0].cells):
            header = [" ".join(cell.plain.text.split()) for cell in rows[0].cells]
            rows = rows[1:]
        yield from read_rows(header, rows, setting)


def _tables(block: Block, source: Source) -> list[_HtmlTable]:
    """Return the tables of an HTML block that have rows."""
    tables = [_HtmlTable()]
    cells: list[_Spanning] = []
    opening: Html | None = None  # of the cell
    inlines: list[Inline] = []
    start = -1
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if opening is not None and tag in ("td", "th", "/td", "/th", "tr", "/tr", "/table"):
            cells.append(_spanning(opening, inlines))
            opening = None
        if start >= 0 and tag in ("tr", "/tr", "/table"):
            tables[-1].add(cells, _row_block(block, start, node.end if tag == "/tr" else node.start, source))
            start = -1
        if tag == "tr":
            cells, start = [], node.start
        elif tag in ("td", "th") and start >= 0 and isinstance(node, Html):
            tables[-1].has_header = tables[-1].has_header or tag == "th"
            opening, inlines = node, []
        elif tag in ("table", "/table"):
            tables.append(_HtmlTable())
        elif opening is not None:
            inlines.append(node)
    if opening is not None:
        cells.append(_spanning(opening, inlines))
    if start >= 0:
        tables[-1].add(cells, _row_block(block, start, block.end, source))
    return [table for table in tables if table.rows]


def _spanning(opening: Html, inlines: list[Inline]) -> _Spanning:
    rows, columns = _size(opening, "rowspan", _MAX_ROWS), _size(opening, "colspan", _MAX_COLUMNS)
    return _Spanning(to_cell(_unwrapped(inlines), rows > 1), rows, columns)


def _unwrapped(inlines: list[Inline]) -> tuple[Inline, ...]:
    """Return inlines without the line ends of their source where `<br>` ends the lines: HTML reads those as spaces."""
    if not any(isinstance(node, Html) and node.tag == "br" for node in inlines):
        return tuple(inlines)
    return tuple(
        Text(node.start, node.end, " ")
        if isinstance(node, Break)
        else node._replace(value=node.value.replace("\n", " "))
        if isinstance(node, Text)
        else node
        for node in inlines
    )


def _size(node: Html, name: str, maximum: int) -> int:
    attribute = attributes(node.value).get(name)
    value = attribute.value if attribute else ""
    return max(min(int(value), maximum), 1) if value.isascii() and value.isdigit() and len(value) < 9 else 1


def _lay_out(cells: list[_Spanning], above: list[_Spanning]) -> list[_Spanning]:
    """Return the cells of a row by column, with those that span down from the row above."""
    row: list[_Spanning] = []
    remaining = cells[::-1]
    above = above[:_MAX_COLUMNS]
    while remaining or len(row) < len(above):
        if len(row) < len(above) and above[len(row)].rows > 1:
            spanning = above[len(row)]
            cell = spanning.cell if spanning.cell.continues else spanning.cell._replace(continues=True)
            row.append(spanning._replace(cell=cell, rows=spanning.rows - 1))
        elif remaining:
            spanning = remaining.pop()
            row.append(spanning)
            row.extend([spanning] * min(spanning.columns - 1, max(_MAX_COLUMNS - len(row), 0)))
        else:
            row.append(_Spanning(NO_CELL, 1, 1))  # the row has no cell for this column
    return row


def _row_block(block: Block, start: int, end: int, source: Source) -> Block:
    first, last = source.line_at(start), source.line_at(max(end - 1, start))
    return block._replace(kind="row", start=start, end=end, first=first, last=last + 1, inlines=())
