"""What no entry of a document holds: what reading has missed, or passed over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span, find_overlapping, merged
from shelfread.document.model import Document, Entry
from shelfread.markdown.node import Block, Link, Text
from shelfread.taxonomy.hosts import key_of


class Unread(NamedTuple):
    """The web links of a document that are in no field of an entry, and the lines without links that are in none."""

    # lines, from 1, of links outside of all entries and of all that was taken for no entry.
    lines: Sequence[int]
    links: Mapping[int, Sequence[Link]]  # links inside entries, by the index of the innermost entry
    # lines, from 1, of items and rows without web links outside of all that was read or taken for no entry.
    bare: Sequence[int]


def find_unread(document: Document) -> Unread:
    """Return what was not read, in one pass; images and badges do not count."""
    read = {link.link.start for entry in document.entries for link in entry.links}
    texts = merged(span for entry in document.entries for span in _texts(entry))
    owners = _owners(document.entries)
    parts = [Span(item.line, item.end_line + 1) for item in document.non_entries]
    skipped = merged([*parts, *(Span(section.line, section.line + 1) for section in document.sections)])
    lines: dict[int, None] = {}
    links: dict[int, list[Link]] = {}
    for link in document.links:
        if link.image or link.start in read or key_of(link.url) is None or _is_badge(link):
            continue
        line = document.source.line_at(link.start) + 1
        if any(find_overlapping(skipped, line, line + 1)):
            continue
        owner = owners.get(line)
        if owner is None:
            lines[line] = None
        elif not any(find_overlapping(texts, link.start, link.end)):
            links.setdefault(owner, []).append(link)
    read_lines = owners.keys() | lines.keys()
    bare = (
        line
        for line in sorted(set(_item_lines(document.tree.blocks)))
        if line not in read_lines and not any(find_overlapping(skipped, line, line + 1))
    )
    return Unread(tuple(lines), links, tuple(bare))


def _item_lines(blocks: Sequence[Block]) -> Iterator[int]:
    """Yield the line, from 1, on which each list item and each table row with text begins."""
    remaining = list(blocks)
    while remaining:
        block = remaining.pop()
        first = block.blocks[0] if block.blocks else block
        texts = (
            block.blocks if block.kind == "row" and block.level else (first,) if block.kind == "item" else ()
        )
        if any(text.inlines for text in texts):
            yield block.first + 1
        if block.kind != "row":
            remaining += block.blocks


def _owners(entries: Sequence[Entry]) -> dict[int, int]:
    """Return the index of the innermost entry at each line that has one."""
    owners: dict[int, int] = {}
    for index in sorted(range(len(entries)), key=lambda at: (entries[at].line, -entries[at].end_line)):
        owners.update(dict.fromkeys(range(entries[index].line, entries[index].end_line + 1), index))
    return owners


def _texts(entry: Entry) -> Iterator[Span]:
    """Yield the spans of the fields that may hold links as part of their text."""
    for part in (*entry.authors, *entry.affiliations, *entry.notes, entry.description):
        if part is not None:
            yield part.span


def _is_badge(link: Link) -> bool:
    """Return whether a link shows nothing but images."""
    return bool(link.children) and all(
        (isinstance(node, Link) and node.image) or (isinstance(node, Text) and not node.value.strip())
        for node in link.children
    )
