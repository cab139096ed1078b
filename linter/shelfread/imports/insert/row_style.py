"""How the rows of a table are written: pipes, blanks, and the widths of columns that are aligned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Entry

_MOST = 40
"""Rows that are looked at, from the end."""
_LEAST_ALIGNED = 3
_DELIMITERS = lazy(r"[\s>]*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*")


class RowStyle(NamedTuple):
    """What stands before, between and behind the cells of a row, and the words of the header."""

    before: str
    between: str
    behind: str
    widths: tuple[int, ...]
    """Those of the cells, if the pipes are below each other; else none."""
    header: tuple[str, ...]
    """Empty for the columns that most rows leave empty."""

    def write(self, cells: Sequence[str]) -> str:
        """Return a row, without indentation."""
        if len(self.widths) == len(cells):
            cells = [cell.ljust(width) for cell, width in zip(cells, self.widths, strict=True)]
        return f"{self.before}{self.between.join(cells)}{self.behind}"


def learn_rows(run: Sequence[Entry], source: Source) -> RowStyle:
    """Return how most of the last rows of a table are written."""
    befores, betweens, behinds = Counter[str](), Counter[str](), Counter[str]()
    shapes: list[tuple[int, ...]] = []
    last_rows = run[-_MOST:]
    for entry in last_rows:
        line = source.lines[entry.block.first].rstrip()
        start = source.starts[entry.block.first]
        cells = [(cell.start - start, cell.end - start) for cell in entry.block.blocks]
        if not cells or cells[-1][1] > len(line):
            continue
        lead, behind = line[: cells[0][0]].lstrip(), line[cells[-1][1] :]
        befores["|" + _blank(lead[1:]) if lead.startswith("|") else ""] += 1
        behinds[_blank(behind[:-1]) + "|" if behind.endswith("|") else ""] += 1
        for (_, end), (begin, _) in pairwise(cells):
            left, _, right = line[end:begin].partition("|")
            betweens[f"{_blank(left)}|{_blank(right)}"] += 1
        shapes.append((*(begin for begin, _ in cells), len(line)))
    before, between, behind = (
        counts.most_common(1)[0][0] if counts else default
        for counts, default in ((befores, "| "), (betweens, " | "), (behinds, " |"))
    )
    widths: list[int] = []
    if len(shapes) >= _LEAST_ALIGNED and len(set(shapes)) == 1:
        gaps = [len(between)] * (len(shapes[0]) - 2) + [len(behind)]
        widths = [end - begin - gap for (begin, end), gap in zip(pairwise(shapes[0]), gaps, strict=True)]
    rows = [[source.text[cell.start : cell.end] for cell in entry.block.blocks] for entry in last_rows]
    filled = Counter(column for row in rows for column, cell in enumerate(row) if cell)
    header = [
        words if 2 * filled[column] > len(rows) else "" for column, words in enumerate(_header(run, source))
    ]
    return RowStyle(before, between, behind, tuple(widths), tuple(header))


def _header(run: Sequence[Entry], source: Source) -> tuple[str, ...]:
    """Return the words of the header above a table's first rows; none if it is not found."""
    line = run[0].block.first - 1
    while line > 0 and source.lines[line].strip() and not _DELIMITERS.fullmatch(source.lines[line]):
        line -= 1
    if line <= 0 or not _DELIMITERS.fullmatch(source.lines[line]):
        return ()
    cells = source.lines[line - 1].strip().removeprefix("|").removesuffix("|").split("|")
    return tuple(cell.strip(" *_\t") for cell in cells)


def _blank(text: str) -> str:
    """Return one blank for any number of them."""
    return " " if text.startswith((" ", "\t")) or text.endswith((" ", "\t")) else ""
