"""What GitHub adds to CommonMark: tables, with one token for each row instead of three for each cell, and bare URLs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock
from markdown_it.rules_block.table import MAX_AUTOCOMPLETED_CELLS

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.markdown.node import Link, Text

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


_URL = lazy(r"(?<![A-Za-z0-9])(?:(?:https?|ftp)://|www\.)[^\s<>\"]+", re.IGNORECASE)
_TRAILING = "?!.,:;*_~'"
_OPENED_BY = {")": "(", "]": "["}


# How much of a text before and behind a delimiter is looked at: a line may have thousands of them.
_LONGEST = 500
_EDGES = ' \t\n<>"'


def url_end(text: str, offset: int, end: int) -> int:
    """Return where the bare URL ends that a character is within; `offset` if it is in none."""
    first = max(0, offset - _LONGEST)
    first = max(first, *(text.rfind(edge, first, offset) + 1 for edge in _EDGES))
    if may_contain_url(text[first:offset]):
        for match in _URL.finditer(text, first, min(end, offset + _LONGEST)):
            if match.start() >= offset:
                break
            if (last := _trim(text, match.start(), match.end())) > offset:
                return last
    return offset


def may_contain_url(text: str) -> bool:
    """Return False if the text surely contains no bare URL. A cheap test before `text_and_urls`."""
    return "://" in text or "www." in text


def text_and_urls(value: str, first: int, to_source: Callable[[int], int]) -> Iterator[Text | Link]:
    """Yield the text and link nodes of `value`, which begins at `first` of a block's content, with offsets `to_source`."""
    done = 0
    for match in _URL.finditer(value):
        start, end = match.start(), _trim(value, match.start(), match.end())
        url = value[start:end]
        if "." not in url and not url.partition("://")[2][:1].isalnum():
            continue
        url = url if "://" in url else f"http://{url}"
        if start > done:
            yield Text(to_source(first + done), to_source(first + start), value[done:start])
        span = Span(to_source(first + start), to_source(first + end))
        yield Link(*span, "bare", url, span, span, None, "", False, (Text(*span, value[start:end]),))
        done = end
    if done < len(value):
        yield Text(to_source(first + done), to_source(first + len(value)), value[done:])


def _trim(text: str, start: int, end: int) -> int:
    """Return where a URL ends: before closing punctuation, and before a bracket opened outside of it."""
    opened = {"(": 0, "[": 0}
    for index in range(start, end):
        character = text[index]
        if character in opened:
            opened[character] += 1
        elif character in _OPENED_BY:
            opened[_OPENED_BY[character]] -= 1
            if opened[_OPENED_BY[character]] < 0:
                end = index
                break
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end
