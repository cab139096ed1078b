"""Headings: one `#` for each level, one space, the title."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core.edits import TextEdit
from shelfread.core.source import Source
from shelfread.markdown.node import Block


def heading_edits(source: Source, block: Block) -> Iterator[TextEdit]:
    """Yield the edits of a heading; a setext heading of several lines stays."""
    start = source.starts[block.first]
    if not block.inlines:
        return
    title = block.inlines[0].start
    marker = "#" * block.level + " "
    if block.marker == "#":
        if source.text[start:title] != marker:
            yield TextEdit(start, title, marker)
    elif block.last - block.first == 2:
        end = start + len(source.lines[block.first].rstrip(" \t"))
        yield TextEdit(start, title, marker)
        yield TextEdit(end, source.starts[block.last - 1] + len(source.lines[block.last - 1]), "")
