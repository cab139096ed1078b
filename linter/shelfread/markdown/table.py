"""Upstream's rule for tables with one token for a row, where upstream has three for each cell."""

from __future__ import annotations

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from shelfread.core.support.regex import lazy

_UNDERLINE = lazy(r"(?:[|:][-|: \t]|-[-|:])[-|: \t]*")
_COLUMN = lazy(r":?-+:?")
_PIPE = lazy(r"(?<!\\)\|")


def table_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table; the `content` of its `row` tokens is empty, `meta["cells"]` holds that of the cells."""
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1):
        return False
    width = _width(_line(state, start + 1))
    if not width or state.is_code_block(start):
        return False
    head = _line(state, start).strip(MD_TRIM_CHARS)
    if "|" not in head:
        return False
    cells = _split(head)
    if len(cells) != width:
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    ends = state.md.block.ruler.getRules("blockquote")
    opening = state.push("table_open", "table", 1)
    _add_row(state, start, cells)
    line = start + 2
    completed = 0
    while line < end and state.sCount[line] >= state.blkIndent:
        if any(rule(state, line, end, True) for rule in ends):
            break
        text = _line(state, line).strip(MD_TRIM_CHARS)
        if not text or state.is_code_block(line):
            break
        cells = _split(text)
        completed += width - len(cells)
        if completed > MAX_AUTOCOMPLETED_CELLS:
            break
        _add_row(state, line, cells[:width] + [""] * (width - len(cells)))
        line += 1
    state.push("table_close", "table", -1)
    opening.map = [start, line]
    state.parentType = parent
    state.line = line
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _width(underline: str) -> int:
    """How many columns the line below a table's head makes; 0 if it is no such line."""
    if not _UNDERLINE.fullmatch(underline):
        return 0
    columns = [column.strip(MD_TRIM_CHARS) for column in underline.split("|")]
    # Only before the first pipe and behind the last one there may be nothing.
    inner = [column for at, column in enumerate(columns) if column or 0 < at < len(columns) - 1]
    return len(inner) if all(map(_COLUMN.fullmatch, inner)) else 0


def _split(row: str) -> list[str]:
    """The cells of a row, without those that its outermost pipes make."""
    cells = _PIPE.split(row) if "\\|" in row else row.split("|")
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return [cell.replace("\\|", "|").strip(MD_TRIM_CHARS) for cell in cells]


def _add_row(state: StateBlock, line: int, cells: list[str]) -> None:
    row = state.push("row", "tr", 0)
    row.map = [line, line + 1]
    row.meta = {"cells": cells}
