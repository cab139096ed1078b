"""Headings: a `#` for each level, one blank, the title."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.source import Source
from shelfread.format.layout.replacement import Piece
from shelfread.markdown.node import Block


def heading_pieces(source: Source, block: Block) -> Iterator[Piece]:
    """The rewriting of one heading of the page; one that is underlined and has several lines stays."""
    start = source.starts[block.first]
    if not block.inlines:
        return
    title = block.inlines[0].start
    marks = "#" * block.level + " "
    if block.marker == "#":
        if source.text[start:title] != marks:
            yield Piece(start, title, marks)
    elif block.last - block.first == 2:
        end = source.starts[block.first] + len(source.lines[block.first].rstrip(" \t"))
        yield Piece(start, title, marks)
        yield Piece(end, source.starts[block.last - 1] + len(source.lines[block.last - 1]), "")
