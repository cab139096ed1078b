"""Upstream's rule for tables, with one token for each row instead of three for each cell."""

from __future__ import annotations

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from shelfread.core.patterns import lazy

_DELIMITER_ROW = lazy(r"(?:[|:][-|: \t]|-[-|:])[-|: \t]*")
_DELIMITER_CELL = lazy(r":?-+:?")
_PIPE = lazy(r"(?<!\\)\|")


def table_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table. `meta["cells"]` of a `row` token has the contents of the cells; its `content` is empty."""
    if start + 2 > end or state.sCount[start + 1] < state.blkIndent or state.is_code_block(start + 1):
        return False
    width = _count_columns(_line(state, start + 1))
    if not width or state.is_code_block(start):
        return False
    header = _line(state, start).strip(MD_TRIM_CHARS)
    if "|" not in header:
        return False
    cells = split_row(header)
    if len(cells) != width:
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    end_rules = state.md.block.ruler.getRules("blockquote")
    opening = state.push("table_open", "table", 1)
    _add_row(state, start, cells)
    line = start + 2
    completed = 0
    while line < end and state.sCount[line] >= state.blkIndent:
        if any(rule(state, line, end, True) for rule in end_rules):
            break
        text = _line(state, line).strip(MD_TRIM_CHARS)
        if not text or state.is_code_block(line):
            break
        cells = split_row(text)
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


def _count_columns(line: str) -> int:
    """Return the number of columns of a delimiter row, or 0 if the line is not one."""
    if not _DELIMITER_ROW.fullmatch(line):
        return 0
    cells = [cell.strip(MD_TRIM_CHARS) for cell in line.split("|")]
    # Only the cells before the first pipe and after the last one may be empty.
    inner = [cell for index, cell in enumerate(cells) if cell or 0 < index < len(cells) - 1]
    return len(inner) if all(map(_DELIMITER_CELL.fullmatch, inner)) else 0


def split_row(row: str) -> list[str]:
    """Return the cells of a row, without the empty ones outside of its outermost pipes."""
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
