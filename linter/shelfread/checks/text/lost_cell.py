"""The rule `text/lost-cell`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block
from shelfread.markdown.table_rule import split_row

_WORD = lazy(r"[^\W\d_]{2}|\d{2}")
_FEW = 3
"""More rows than these with too many cells have a header that lacks a column."""


def lost_cell(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report cells to the right of a table's last column, which the page does not show."""
    waiting: list[Sequence[Block]] = [document.tree.blocks]
    while waiting:
        for block in waiting.pop():
            if block.kind == "table":
                yield from _in_table(block, document.source.text)
            elif block.blocks:
                waiting.append(block.blocks)


def _in_table(table: Block, text: str) -> Iterator[RawDiagnostic]:
    header, *rows = table.blocks
    width = len(header.blocks)
    wide = [row for row in rows if _is_wide(text[row.start : row.end], width)]
    found = [(row, cell) for row in wide if (cell := _first_lost(text[row.start : row.end], width))]
    if not found:
        return
    row, (start, end) = found[0]
    values = {"columns": width, "count": len(found)}
    if len(found) > _FEW and len(found) * 2 > len(rows):
        yield RawDiagnostic(Span(header.start, header.end), values, message="header")
        return
    for row, (start, end) in found:
        yield RawDiagnostic(Span(row.start + start, row.start + end), values, message="cell")


def _is_wide(row: str, width: int) -> bool:
    """Return whether a row has pipes for more cells; those at its ends part none."""
    row = row.strip()
    return row.count("|") >= width + row.startswith("|") + row.endswith("|")


def _is_content(cell: str) -> bool:
    """Return whether a cell has words, and is no comment (`[//]: #08/20`), which is there because it is not shown."""
    return _WORD.search(cell) is not None and not cell.startswith(("[//]:", "<!--"))


def _first_lost(row: str, width: int) -> tuple[int, int] | None:
    """Return where the first cell with content that a table has no column for stands in its row."""
    cells = split_row(row.strip())
    first = next((index for index in range(width, len(cells)) if _is_content(cells[index])), None)
    if first is None:
        return None
    content = cells[first].replace("|", "\\|")
    # The cells before it are as long as their pipes tell.
    position = -1
    for _ in range(first + row.lstrip().startswith("|")):
        position = row.find("|", position + 1)
        while row[position - 1 : position] == "\\":
            position = row.find("|", position + 1)
    start = row.find(content, position + 1)
    return (start, start + len(content)) if start >= 0 else (position + 1, len(row.rstrip()))
