"""Runs of entries that may be sorted: adjacent list items or table rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.markdown.node import Block


class Sibling(NamedTuple):
    """An entry and its lines, from 0 and half open, with the comments directly above it."""

    entry: Entry
    top: int
    bottom: int


def runs(document: Document, least: int) -> list[list[Entry]]:
    """Return the runs of at least `least` entries of a list or table without other items between them."""
    entries: dict[int, Entry] = {}
    for entry in document.entries:
        if entry.block.kind in ("item", "row"):
            entries.setdefault(entry.block.start, entry)
    found: list[list[Entry]] = []
    for _, level in levels(document):
        for blocks in _split(level, document.source):
            if len(blocks) >= least:
                found += _unbroken(blocks, entries, least)
    return sorted(found, key=lambda run: run[0].line)


def _split(level: Sequence[Block], source: Source) -> Iterator[Sequence[Block]]:
    """Yield the items or rows of each list and table; lists with only a comment between them are one."""
    items: list[Block] = []
    marker, last = "", -1
    for block in level:
        kind = block.kind
        if kind == "list":
            if block.marker == marker and block.first == last:
                items += block.blocks
            else:
                yield items
                items, marker = [*block.blocks], block.marker
            last = block.last
        elif kind == "table":
            yield [row for row in block.blocks if row.level]
        elif kind == "html" and block.first == last and are_comments(block.first, block.last, source):
            last = block.last
    yield items


def _unbroken(blocks: Sequence[Block], entries: dict[int, Entry], least: int) -> Iterator[list[Entry]]:
    """Yield the runs of entries among items; an item that is not an entry ends a run."""
    run: list[Entry] = []
    for block in blocks:
        entry = entries.get(block.start)
        if entry is not None and entry.block.kind == block.kind:
            run.append(entry)
            continue
        if len(run) >= least:
            yield run
        run = []
    if len(run) >= least:
        yield run


def with_lines(run: Sequence[Entry], source: Source) -> list[Sibling]:
    """Return the entries with their lines; a comment at the end of an item belongs to the next one."""
    siblings: list[Sibling] = []
    top = run[0].block.first
    for entry, after in zip(run, [*run[1:], None], strict=True):
        bottom = entry.block.last
        next_top = after.block.first if after is not None else bottom
        while after is not None and next_top > top + 1 and are_comments(next_top - 1, next_top, source):
            next_top -= 1
        siblings.append(Sibling(entry, top, min(bottom, next_top)))
        top = next_top
    return siblings


def are_comments(first: int, last: int, source: Source) -> bool:
    """Return whether each of the lines, from 0 and half open, is a comment."""
    lines = (line.strip(" \t>") for line in source.lines[first:last])
    return all(line.startswith("<!--") and line.endswith("--") for line in lines)


@lru_cache(maxsize=1)
def levels(document: Document) -> list[tuple[int, tuple[Block, ...]]]:
    """Return the blocks of the document, and of each quote and item with several blocks, and in how many items they are."""
    found = []
    waiting = [(0, document.tree.blocks)]
    while waiting:
        depth, level = waiting.pop()
        found.append((depth, level))
        for block in level:
            if block.kind == "list":
                waiting += [(depth + 1, item.blocks) for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                waiting.append((depth, block.blocks))
    return found
