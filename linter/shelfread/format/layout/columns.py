"""Columns of a line and the markers of list items.

Columns count from 0; a tab reaches to the next multiple of 4, as in CommonMark.
"""

from __future__ import annotations

TAB = 4


def column(line: str, index: int) -> int:
    """Return the column of the character at an index of a line."""
    if "\t" not in line[:index]:
        return index
    found = 0
    for character in line[:index]:
        found = found + TAB - found % TAB if character == "\t" else found + 1
    return found


def indentation(line: str) -> str:
    """Return the spaces and tabs at the start of a line."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def marker_at(line: str, index: int, ordered: bool) -> str:
    """Return the list marker at an index of a line: `-`, `12.`."""
    end = index
    while ordered and end < len(line) and line[end].isdigit():
        end += 1
    return line[index : end + 1]
