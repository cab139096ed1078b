"""Which headings a table of contents lists."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document
from shelfread.index.contents.item_style import Writer
from shelfread.index.contents.table_of_contents import Contents, Item
from shelfread.markdown.node import Link
from shelfread.taxonomy.taxonomy import Taxonomy


class Listing:
    """The headings that a table of contents lists; an item with a wrong target lists the heading that it means."""

    def __init__(self, document: Document, contents: Contents, taxonomy: Taxonomy) -> None:
        self.document = document
        self.taxonomy = taxonomy
        self.contents = contents
        self.headings = contents.headings
        self.writer = Writer(document.source, contents)
        self.meant: dict[Span, int] = {}
        self.repeated: set[Span] = set()
        items = (item for part in contents.parts for item in part.items)
        self.listed = Counter(item.heading for item in items if item.heading is not None)
        self.start = self._start()

    def _start(self) -> int:
        """Return where the sections may begin: below the large parts of the contents above the first listed one."""
        starts = [part.block.start for part in self.contents.parts if part.is_large]
        below = [
            heading.span.start
            for index, heading in enumerate(self.headings)
            if index in self.listed and heading.span.start > starts[0]
        ]
        return max((start for start in starts if start < min(below, default=0)), default=min(starts))

    def heading_of(self, item: Item) -> int | None:
        """Return the heading that an item means, as far as is known."""
        return self.meant.get(span_of(item), item.heading)

    def set_heading(self, item: Item, heading: int) -> None:
        """Record the heading that an item with a wrong target means."""
        self.meant[span_of(item)] = heading
        self.listed[heading] += 1

    def is_misnamed(self, index: int) -> bool:
        """Return whether the taxonomy suggests another name for a heading; the table of contents waits for it."""
        title = self.headings[index].title
        if not self.taxonomy.concepts:
            return False
        match = self.taxonomy.find(title)
        if match is not None or self.taxonomy.resolve(title).is_known:
            return match is not None and match.kind == "hiddenLabel"
        return self.taxonomy.suggest(title) is not None

    @cached_property
    def ends(self) -> list[int]:
        """For each heading, the index of the first heading after its section."""
        ends = list(range(1, len(self.headings) + 1))
        for index in reversed(range(len(ends))):
            while ends[index] < len(ends) and self.headings[ends[index]].level > self.headings[index].level:
                ends[index] = ends[ends[index]]
        return ends

    @cached_property
    def entries(self) -> list[int]:
        """The offsets at which the entries of the page begin."""
        return sorted(entry.span.start for entry in self.document.entries)

    @cached_property
    def links(self) -> list[Link]:
        """The links of the page in order, without images."""
        return sorted((link for link in self.document.links if not link.image), key=lambda link: link.start)

    @cached_property
    def link_starts(self) -> list[int]:
        """The offsets at which the links begin."""
        return [link.start for link in self.links]

    def line(self, offset: int) -> int:
        """Return the line of an offset, counted from 1."""
        return self.document.source.line_at(offset) + 1


def span_of(item: Item) -> Span:
    return item.link.destination or Span(item.link.start, item.link.end)
