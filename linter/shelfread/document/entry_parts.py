"""Parts of entries that have no field of their own, and that a taxonomy may name: cells, and links by their role."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.document.model import Document, Entry, Field
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.markdown.node import Block, Code, Inline
from shelfread.taxonomy.label_forms import fold


class Table(NamedTuple):
    """The header of a Markdown table, each cell with its span."""

    header: tuple[Field, ...]
    span: Span
    """The span of the header row."""

    def column(self, name: str) -> int | None:
        """Return the index of a column, whatever the case and markup of its header."""
        key = fold(name)
        return next((index for index, cell in enumerate(self.header) if fold(cell.value) == key), None)


def tables_by_row(document: Document) -> dict[int, tuple[Table, Block]]:
    """Return the tables of a document by the offset of each of their rows, with that row."""
    tables: dict[int, tuple[Table, Block]] = {}
    for block in _tables(document.tree.blocks):
        header, *rows = block.blocks
        table = Table(tuple(map(_cell, header.blocks)), Span(header.start, header.end))
        tables |= {row.start: (table, row) for row in rows}
    return tables


def cells(table: Table, row: Block, columns: Sequence[str]) -> dict[str, Field]:
    """Return the cells of a row by the names of the table's columns; of a row that is too short, those that it has."""
    indexes = {name: index for name in columns if (index := table.column(name)) is not None}
    return {name: _cell(row.blocks[index]) for name, index in indexes.items() if index < len(row.blocks)}


def links_by_role(entry: Entry) -> Mapping[str, Field]:
    """Return the URL of an entry's first link of each role, with the span of the link's text.

    The link of the title comes last: it leads to a repository, but is not the label `Source Code`.
    """
    links: dict[str, Field] = {}
    for label in sorted(entry.links, key=lambda label: label.link.text == entry.title.span):
        if label.role is not None and label.link.url:
            links.setdefault(label.role.id, Field(label.link.url, label.link.text))
    return links


def _tables(blocks: Sequence[Block]) -> Iterator[Block]:
    waiting = [*blocks]
    while waiting:
        block = waiting.pop()
        if block.kind == "table" and block.blocks:
            yield block
        elif block.kind not in ("paragraph", "heading", "code", "html"):
            waiting += block.blocks


def first_line(block: Block) -> tuple[Inline, ...]:
    """Return the inline nodes of the first paragraph in a block."""
    while block.blocks and block.kind != "paragraph":
        block = block.blocks[0]
    return block.inlines if block.kind == "paragraph" else ()


def _cell(block: Block) -> Field:
    """Return a cell's text. The span of a code span alone is that of its words."""
    if len(block.inlines) == 1 and isinstance(only := block.inlines[0], Code):
        return code_words(only)
    plain = render_plain_text(block.inlines)
    span = plain.span(0, len(plain.text)) if plain.text else Span(block.start, block.end)
    return Field(plain_text(block.inlines), span)


def code_words(node: Code) -> Field:
    """Return the words of a code span."""
    padding = (node.end - node.start - len(node.value)) // 2
    return Field(node.value, Span(node.start + padding, node.start + padding + len(node.value)))
