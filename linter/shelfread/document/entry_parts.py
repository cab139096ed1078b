"""Parts of entries that have no field of their own, and that a taxonomy may name: cells, links by their role, tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document, Entry, Field
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.markdown.node import Block, Break, Code, Inline, Link, Text, walk_blocks
from shelfread.taxonomy.label_forms import fold


class Table(NamedTuple):
    """The header of a Markdown table, each cell with its span."""

    header: tuple[Field, ...]
    span: Span  # the span of the header row

    def column(self, name: str) -> int | None:
        """Return the index of a column, whatever the case and markup of its header."""
        key = fold(name)
        return next((index for index, cell in enumerate(self.header) if fold(cell.value) == key), None)


def tables_by_row(document: Document) -> dict[int, tuple[Table, Block]]:
    """Return the tables of a document by the offset of each of their rows, with that row."""
    tables: dict[int, tuple[Table, Block]] = {}
    blocks = walk_blocks(document.tree.blocks, ("list", "item", "quote", "table"))
    for header, *rows in (block.blocks for block in blocks if block.kind == "table" and block.blocks):
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


_BRACKETED = lazy(r"\[([^\[\]]{1,60})\]")
_BADGE_HOSTS = ("img.shields.io", "badgen.net")
_MOST_PARTS = 3  # of the name of a badge: label, value and colour, or the last two
_LABELLED = lazy(r"(?P<label>[^:\uff1a]{1,40})[:\uff1a]\s*(?P<value>\S.{0,200})")


class Tag(NamedTuple):
    """A tag, with the label that it states itself, else an empty one."""

    label: str
    field: Field


def tags(entry: Entry, names: Sequence[str]) -> dict[str, Field]:
    """Return the tags of an entry by names: the one that a tag states (`Licence: MIT`), else the next that is left.

    Bullets count if they are tags only, and if no tag is on the line of the entry.
    """
    line, _ = _at_end(first_line(entry.block))
    below = [tag for bullet in _bullets(entry.block) for tag in _of_bullet(bullet)]
    by_key = {fold(name): name for name in names}
    stated: dict[str, Field] = {}
    unnamed: list[Field] = []
    for tag in (*line, *below):
        name = by_key.get(fold(tag.label)) if tag.label else None
        if name is not None:
            stated.setdefault(name, tag.field)
        elif tag in line or not (line or tag.label):
            unnamed.append(tag.field)
    left = [name for name in names if name not in stated]
    return {**dict(zip(left, unnamed, strict=False)), **stated}


def _at_end(nodes: Sequence[Inline]) -> tuple[list[Tag], bool]:
    """Return the tags at the end of a line in their order, and whether they are all of it."""
    found: list[Tag] = []
    left = [*nodes]
    while left:
        node = left[-1]
        if isinstance(node, Code):
            found.append(_labelled(code_words(node)))
        elif isinstance(node, Link) and (image := _image(node)) is not None:
            badge = _badge(image)
            found += [badge] if badge else []
        elif isinstance(node, Text | Break):
            run = [left.pop()]
            while left and isinstance(left[-1], Text | Break):
                run.append(left.pop())
            plain = render_plain_text(run[::-1])
            end = len(plain.text.rstrip())
            while match := _last_bracket(plain.text, end):
                found.append(_labelled(Field(match[1], plain.span(*match.span(1)))))
                end = len(plain.text[: match.start()].rstrip())
            if end:
                return found[::-1], False
            continue
        else:
            return found[::-1], False
        left.pop()
    return found[::-1], True


def _last_bracket(text: str, end: int) -> re.Match[str] | None:
    start = text.rfind("[", 0, end)
    return _BRACKETED.fullmatch(text, start, end) if start >= 0 else None


def _bullets(block: Block) -> Iterator[Block]:
    for part in block.blocks:
        if part.kind == "list":
            yield from part.blocks


def _of_bullet(bullet: Block) -> list[Tag]:
    """Return the tags that a bullet consists of, or what its text says: `Licence: MIT`."""
    nodes = first_line(bullet)
    found, is_all = _at_end(nodes)
    if is_all or any(not isinstance(node, Text | Code) for node in nodes):
        return found if is_all else []
    plain = render_plain_text(nodes)
    match = _LABELLED.fullmatch(plain.text)
    if match is None:
        return []
    return [Tag(match["label"].strip(), Field(match["value"], plain.span(*match.span("value"))))]


def _labelled(field: Field) -> Tag:
    match = _LABELLED.fullmatch(field.value)
    if match is None:
        return Tag("", field)
    start = field.span.start + match.start("value")
    return Tag(match["label"].strip(), Field(match["value"], Span(start, field.span.end)))


def _image(link: Link) -> Link | None:
    """Return an image, or that which is all of a link's text."""
    if link.image:
        return link
    only = link.children[0] if len(link.children) == 1 else None
    return only if isinstance(only, Link) and only.image else None


def _badge(image: Link) -> Tag | None:
    """Return what a badge says: by its address, else by its text. A badge whose value is fetched says nothing."""
    address = urlsplit(image.url)
    span = Span(image.start, image.end)
    if address.hostname not in _BADGE_HOSTS:
        value = plain_text(image.children)
        return Tag("", Field(value, span)) if value else None
    _, _, name = address.path.partition("/badge/")
    # `--` is a hyphen, `_` a blank and `__` an underscore.
    parts = [part.replace("\0", "-") for part in unquote(name).replace("--", "\0").split("-")]
    label, value = ("", *parts[:-1])[-2:] if 1 < len(parts) <= _MOST_PARTS else ("", "")
    value = value.replace("__", "\0").replace("_", " ").replace("\0", "_")
    return Tag(label, Field(value, span)) if value else None
