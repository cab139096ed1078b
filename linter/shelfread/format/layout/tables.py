"""Tables, where the configuration asks for it: columns padded to one width, or one space around each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import combining, east_asian_width

from shelfread.core.source import Source
from shelfread.core.spans import TextEdit
from shelfread.format.layout.list_items import indentation
from shelfread.format.style import Table
from shelfread.markdown.node import Block

_DELIMITER = re.compile(r":?-+:?")
_MIN_WIDTH = 3


def table_edits(source: Source, block: Block, style: Table) -> Iterator[TextEdit]:
    """Yield the edits of a table; one with rows that have more cells than its header stays."""
    text = source.text
    if style == "keep" or any(_has_extra_cells(row, source) for row in block.blocks):
        return
    rows = [[text[cell.start : cell.end] for cell in row.blocks] for row in block.blocks]
    delimiters = _DELIMITER.findall(source.lines[block.first + 1])
    count = len(delimiters)
    if not rows or any(len(row) > count for row in rows):
        return
    rows = [row + [""] * (count - len(row)) for row in rows]
    widths = [0] * count
    if style == "align":
        widths = [max(_MIN_WIDTH, *map(_width, column)) for column in zip(*rows, strict=True)]
    lines = [_row(row, widths) for row in rows]
    lines.insert(1, _delimiter_row(delimiters, widths))
    for number, new in zip(range(block.first, block.last), lines, strict=False):
        start, old = source.starts[number], source.lines[number]
        indent = len(indentation(old))
        if old[indent:] != new:
            yield TextEdit(start + indent, start + len(old), new)


def _has_extra_cells(row: Block, source: Source) -> bool:
    """Return whether a row has cells beyond those of the header, which the page does not show."""
    line, start = source.lines[row.first], source.starts[row.first]
    index, extra = 0, ""
    for cell in row.blocks:
        extra += line[index : cell.start - start]
        index = max(index, cell.end - start)
    return bool((extra + line[index:]).strip("| \t"))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * max(0, width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    return "|" + "|".join(f" {cell} " if cell else " " for cell in padded) + "|"


def _delimiter_row(delimiters: Sequence[str], widths: Sequence[int]) -> str:
    cells = []
    for delimiter, width in zip(delimiters, widths, strict=True):
        left, right = delimiter.startswith(":"), delimiter.endswith(":")
        dashes = max(_MIN_WIDTH, width) - left - right
        cells.append(f"{':' * left}{'-' * dashes}{':' * right}")
    return "| " + " | ".join(cells) + " |"


def _width(text: str) -> int:
    """Return how many columns a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)
