"""Entries that are siblings: runs of list items or table rows that one order may hold for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.markdown.node import Block


class Sibling(NamedTuple):
    """An entry's lines from 0, half open, with the comments directly above that speak of it."""

    entry: Entry
    top: int
    bottom: int


def runs(document: Document, least: int) -> list[list[Entry]]:
    """The entries of each list or table, so many at least, with nothing else between them."""
    entries: dict[int, Entry] = {}
    for entry in document.entries:
        if entry.block.kind in ("item", "row"):
            entries.setdefault(entry.block.start, entry)
    levels: list[Sequence[Block]] = [document.tree.blocks]
    found: list[list[Entry]] = []
    while levels:
        level = levels.pop()
        for blocks in _families(level, document.source):
            if len(blocks) >= least:
                found += _unbroken(blocks, entries, least)
        for block in level:
            if block.kind == "list":
                levels += [item.blocks for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                levels.append(block.blocks)
    return sorted(found, key=lambda run: run[0].line)


def _families(level: Sequence[Block], source: Source) -> Iterator[Sequence[Block]]:
    """The items or rows of each list and table; what only a comment line parts is one list."""
    family: list[Block] = []
    mark, last = "", -1
    for block in level:
        kind = block.kind
        if kind == "list":
            if block.marker == mark and block.first == last:
                family += block.blocks
            else:
                yield family
                family, mark = [*block.blocks], block.marker
            last = block.last
        elif kind == "table":
            yield [row for row in block.blocks if row.level]
        elif kind == "html" and block.first == last and are_comments(block.first, block.last, source):
            last = block.last
    yield family


def _unbroken(blocks: Sequence[Block], entries: dict[int, Entry], least: int) -> Iterator[list[Entry]]:
    """The entries of items without one between them that is no entry: nothing is to move across it."""
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
    """The entries with their lines; a comment's line at the end of one is about the next."""
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
    """Whether each of these lines is a comment."""
    lines = (line.strip(" \t>") for line in source.lines[first:last])
    return all(line.startswith("<!--") and line.endswith("--") for line in lines)
