"""The title lines of a list's papers: those that can be written anew."""

from __future__ import annotations

from itertools import pairwise

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document, Entry
from shelfread.format.entries.title_parts import Line, take_apart
from shelfread.format.layout.protected import find_frozen, meets


def title_lines(document: Document, rows: bool, reasons: dict[int, str]) -> dict[int, Line]:
    """The lines of papers that are items, and if asked of rows, by their number; `reasons` says why others are not."""
    text = document.source.text
    frozen = find_frozen(document.source, document.tree)
    sharing = {
        one.title_line.start
        for one, other in pairwise(document.entries)
        if one.title_line.start <= other.title_line.start < one.title_line.end
    }
    lines = {}
    for number, entry in enumerate(document.entries):
        if entry.kind != "paper" or meets(entry.title_line.start, entry.title_line.end, frozen):
            continue
        if entry.block.kind == "row":
            line = _title_cell(entry, text) if rows else None
            if line is not None:
                lines[number] = line
        elif entry.block.kind != "item":
            reasons[number] = "it is no item of a list"
        elif entry.title_line.start in sharing or not entry.block.blocks or entry.block.inlines:
            reasons[number] = "it shares its paragraph with another entry"
        elif (
            not entry.title_line.start
            <= entry.title.span.start
            < entry.title.span.end
            <= entry.title_line.end
        ):
            reasons[number] = "its title does not stand in its first line"
        else:
            lines[number] = take_apart(entry, entry.title_line, entry.block.blocks[0].inlines, text)
    return lines


def _title_cell(entry: Entry, text: str) -> Line | None:
    for cell in entry.block.blocks:
        if cell.start <= entry.title.span.start < cell.end:
            return take_apart(entry, Span(cell.start, cell.end), cell.inlines, text)
    return None
