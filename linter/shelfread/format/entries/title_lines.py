"""The title lines of a list's papers that can be rewritten."""

from __future__ import annotations

from itertools import pairwise

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.format.entries.title_parts import TitleLine, parse_title_line
from shelfread.format.layout.protected import find_protected, overlaps_any


def find_title_lines(document: Document, *, with_rows: bool) -> tuple[dict[int, TitleLine], dict[int, str]]:
    """Return the title lines of papers in list items, and if asked for in rows, by the entries' indexes.

    Then for the other papers in lists the reason why they cannot be rewritten.
    """
    text = document.source.text
    protected = find_protected(document.source, document.tree)
    shared = {
        before.title_line.start
        for before, after in pairwise(document.entries)
        if before.title_line.start <= after.title_line.start < before.title_line.end
    }
    lines: dict[int, TitleLine] = {}
    reasons: dict[int, str] = {}
    for index, entry in enumerate(document.entries):
        title, line = entry.title.span, entry.title_line
        if entry.kind != "paper" or overlaps_any(*line, protected):
            continue
        if entry.block.kind == "row":
            for cell in entry.block.blocks if with_rows else ():
                if cell.start <= title.start < cell.end:
                    lines[index] = parse_title_line(entry, Span(cell.start, cell.end), cell.inlines, text)
        elif entry.block.kind != "item":
            reasons[index] = "it is not an item of a list"
        elif line.start in shared or not entry.block.blocks or entry.block.inlines:
            reasons[index] = "it shares its paragraph with another entry"
        elif not line.start <= title.start < title.end <= line.end:
            reasons[index] = "its title is not in its first line"
        else:
            lines[index] = parse_title_line(entry, line, entry.block.blocks[0].inlines, text)
    return lines, reasons
