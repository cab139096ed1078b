"""Columns of a line, and what stands before its text.

They count from 0, a tab reaching to the next multiple of 4, as in CommonMark.
"""

from __future__ import annotations


def column(line: str, end: int) -> int:
    """The column of a place in a line."""
    if "\t" not in line[:end]:
        return end
    at = 0
    for character in line[:end]:
        at = at + 4 - at % 4 if character == "\t" else at + 1
    return at


def leading(line: str) -> str:
    """The blanks before a line's text."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def digits(line: str, at: int) -> str:
    """The digits that stand there."""
    end = at
    while end < len(line) and line[end].isdigit():
        end += 1
    return line[at:end]


def mark_of(line: str, at: int, ordered: bool) -> str:
    """The marker that stands there: `-`, `12.`."""
    return line[at : at + len(digits(line, at)) + 1] if ordered else line[at : at + 1]
