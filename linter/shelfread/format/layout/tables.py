"""Tables, where a person asks for it: columns padded to one width, or one blank around each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from unicodedata import combining, east_asian_width

from shelfread.core.source import Source
from shelfread.format.layout.replacement import Piece
from shelfread.format.style import Table
from shelfread.markdown.node import Block

_DELIMITER = re.compile(r":?-+:?")
_LEAST = 3


def table_pieces(source: Source, block: Block, table: Table) -> Iterator[Piece]:
    """The rewriting of one table of the page; one whose rows hold more cells than its head stays."""
    text = source.text
    if table == "keep" or any(_has_more(text, row, source) for row in block.blocks):
        return
    rows = [[text[cell.start : cell.end] for cell in row.blocks] for row in block.blocks]
    delimiter = _DELIMITER.findall(source.lines[block.first + 1])
    width = len(delimiter)
    if not rows or any(len(row) > width for row in rows):
        return
    rows = [row + [""] * (width - len(row)) for row in rows]
    widths = [
        max(_LEAST, *(_width(row[at]) for row in rows)) if table == "align" else 0 for at in range(width)
    ]
    lines = [_row(rows[0], widths), _rule(delimiter, widths), *(_row(row, widths) for row in rows[1:])]
    for number, line in zip(range(block.first, block.last), lines, strict=False):
        start = source.starts[number]
        before = source.lines[number]
        indent = len(before) - len(before.lstrip(" \t"))
        if before[indent:] != line:
            yield Piece(start + indent, start + len(before), line)


def _has_more(text: str, row: Block, source: Source) -> bool:
    """Whether a row says more than its cells do: those beyond the head's are not shown."""
    line = source.lines[row.first]
    start, at, rest = source.starts[row.first], 0, ""
    for cell in row.blocks:
        rest += line[at : cell.start - start]
        at = max(at, cell.end - start)
    return bool((rest + line[at:]).strip("| \t"))


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * max(0, width - _width(cell)) for cell, width in zip(cells, widths, strict=True)]
    return "|" + "|".join(f" {cell} " if cell else " " for cell in padded) + "|"


def _rule(delimiter: Sequence[str], widths: Sequence[int]) -> str:
    cells = []
    for mark, width in zip(delimiter, widths, strict=True):
        left, right = mark.startswith(":"), mark.endswith(":")
        dashes = max(_LEAST, width) - left - right
        cells.append(f"{':' * left}{'-' * dashes}{':' * right}")
    return "| " + " | ".join(cells) + " |"


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in "WF" else 1 for one in text)
