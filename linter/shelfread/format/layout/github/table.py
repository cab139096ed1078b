"""The rows of tables."""

from __future__ import annotations

from shelfread.core.support.regex import lazy

_MARKER = r"[ \t\v\f]*:?-+:?[ \t\v\f]*"
DELIMITER_ROW = lazy(rf"\|?{_MARKER}(?:\|{_MARKER})*\|?[ \t\v\f]*$")
_CELL = lazy(r"(?:\\[!-/:-@\[-`{-~]|[^|\n])*")
_CELL_END = lazy(r"\|[ \t\v\f]*")
_ROW_END = lazy(r"[ \t\v\f]*\n?")


def split_row(text: str) -> list[str]:
    """Return the cells of a row; any text is a row of one cell or more, if it is not empty."""
    offset = match.end() if (match := _CELL_END.match(text)) else 0
    cells: list[str] = []
    while offset < len(text):
        cell = _CELL.match(text, offset)
        end = cell.end() if cell is not None else offset
        pipe = _CELL_END.match(text, end)
        if end > offset or pipe:
            cells.append(text[offset:end].strip(" \t\v\f").replace("\\|", "|"))
        if pipe is None:
            break
        offset = pipe.end()
    return cells
