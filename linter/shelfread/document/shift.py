"""Moves what was read of a part of a text to where the part stands in the whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shelfread.core.diagnostics import Span
from shelfread.document.model import Citation, Entry, Field, LabelledLink, NonEntry, Section
from shelfread.markdown.node import Block, Break, Code, Definition, Emphasis, Html, Inline, Link, Text

# The tuples are made directly: a list has tens of thousands of them.
_new = tuple.__new__


class Shift:
    """Moves nodes and entries by an offset and a number of lines.

    `sections` has the index in the whole of each section of the part. A node that is met twice is moved once.
    """

    def __init__(self, offset: int, lines: int, sections: Sequence[int]) -> None:
        self.offset, self.lines, self._sections = offset, lines, sections
        self._moved: dict[int, Any] = {}

    @property
    def place(self) -> tuple[object, ...]:
        """What the result depends on, apart from what is moved."""
        return self.offset, self.lines, *self._sections

    def section_index(self, index: int | None) -> int | None:
        """Return the index in the whole of a section of the part."""
        return None if index is None else self._sections[index]

    def span(self, span: Span) -> Span:
        """Return a span, moved."""
        return _new(Span, (span[0] + self.offset, span[1] + self.offset))

    def blocks(self, blocks: Iterable[Block]) -> tuple[Block, ...]:
        """Return blocks with everything in them, moved."""
        return tuple([self._block(block) for block in blocks])

    def _block(self, block: Block) -> Block:
        offset, lines = self.offset, self.lines
        kind, start, end, first, last, blocks, inlines, level, marker, tight = block
        moved = _new(
            Block,
            (
                *(kind, start + offset, end + offset, first + lines, last + lines),
                self.blocks(blocks) if blocks else (),
                self.inlines(inlines) if inlines else (),
                *(level, marker, tight),
            ),
        )
        self._moved[id(block)] = moved
        return moved

    def inlines(self, nodes: Iterable[Inline]) -> tuple[Inline, ...]:
        """Return inline nodes, moved."""
        offset = self.offset
        moved: list[Inline] = []
        for node in nodes:
            kind = node.__class__
            if kind is Text or kind is Code or kind is Break:
                moved.append(_new(kind, (node[0] + offset, node[1] + offset, node[2])))
            elif isinstance(node, Link):
                moved.append(self.link(node))
            elif isinstance(node, Html):
                moved.append(self.html(node))
            elif isinstance(node, Emphasis):
                children = self.inlines(node.children)
                moved.append(_new(Emphasis, (node[0] + offset, node[1] + offset, node[2], children)))
        return tuple(moved)

    def html(self, node: Html) -> Html:
        """Return a tag or comment, moved."""
        return _new(Html, (node[0] + self.offset, node[1] + self.offset, node[2], node[3]))

    def link(self, link: Link) -> Link:
        """Return a link, moved."""
        known: Link | None = self._moved.get(id(link))
        if known is not None:
            return known
        start, end, form, url, text, destination, title, label, image, children = link
        moved = _new(
            Link,
            (
                *(start + self.offset, end + self.offset, form, url, self.span(text)),
                destination and self.span(destination),
                title and self.span(title),
                *(label, image, self.inlines(children) if children else ()),
            ),
        )
        self._moved[id(link)] = moved
        return moved

    def definition(self, definition: Definition) -> Definition:
        """Return a definition, moved."""
        start, end, label, text, url, destination, title = definition
        title = title and self.span(title)
        spans = start + self.offset, end + self.offset
        return Definition(*spans, label, self.span(text), url, self.span(destination), title)

    def section(self, section: Section) -> Section:
        """Return a section, moved."""
        return Section(
            section.title,
            self.span(section.span),
            section.kind,
            section.level,
            section.path,
            self.section_index(section.parent),
            section.line + self.lines,
            self._citation(section.citation),
            section.year,
        )

    def entry(self, entry: Entry, block: Block | None = None) -> Entry:
        """Return an entry with its block, moved; `block` is that if it was moved before."""
        block = block or self._moved.get(id(entry.block)) or self._block(entry.block)
        links = [_new(LabelledLink, (label, role, self.link(link))) for label, role, link in entry.links]
        return _new(
            Entry,
            (
                *(entry.kind, entry.dialect, self._field(entry.title), self._field(entry.name), tuple(links)),
                *(entry.identifiers, self.section_index(entry.section)),
                *(self.span(entry.span), self.span(entry.title_line), block),
                *(entry.line + self.lines, entry.end_line + self.lines),
                *(self._field(entry.description), self._citation(entry.citation), entry.year),
                *(self._fields(entry.authors), self._fields(entry.affiliations), self._fields(entry.notes)),
                *(entry.year_from_arxiv_id, entry.uncertain),
            ),
        )

    def non_entry(self, item: NonEntry) -> NonEntry:
        """Return what is no entry, moved."""
        lines = item.line + self.lines, item.end_line + self.lines
        return NonEntry(self.span(item.span), *lines, item.reason)

    def _field(self, field: Field | None) -> Field | None:
        return field and _new(Field, (field[0], self.span(field[1])))

    def _fields(self, fields: tuple[Field, ...]) -> tuple[Field, ...]:
        return tuple([_new(Field, (value, self.span(span))) for value, span in fields]) if fields else ()

    def _citation(self, citation: Citation | None) -> Citation | None:
        if citation is None:
            return None
        text, span, venue, year, name = citation
        return _new(Citation, (text, self.span(span), venue, year, self._field(name)))
