"""Headings as list items: sibling headings that each are a title, with people, a venue and links below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from shelfread.core.source import Source
from shelfread.document.heading_subjects import is_general
from shelfread.document.item_reader import ItemReader, ListItem, may_be_paper
from shelfread.document.non_entries import is_internal_url
from shelfread.document.paragraphs import inline_lines, joined_lines, sub_block
from shelfread.document.plain_text import plain_text
from shelfread.markdown.node import Block, Break, Html, Link

_MIN_TITLES, _MOST = 3, 0.6
"""So many headings of a level, and this share of those that open no other heading, are titles of papers."""
_MIN_OWN_WORDS = 4
_MIN_WORDS, _MAX_BLOCKS, _MAX_LINES = 2, 8, 12
"""What stands below a title is no more than so many blocks, each of no more than so many lines or items."""


def find_heading_items(blocks: Sequence[Block], source: Source) -> dict[int, Block]:
    """Return the headings that may be titles by their index: as items, with the lines that stand below them."""
    items: dict[int, Block] = {}
    starts = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    for start, end in pairwise([*starts, len(blocks)]):
        heading, body = blocks[start], blocks[start + 1 : end]
        opens = end < len(blocks) and blocks[end].level > heading.level
        if (
            opens
            or not body
            or len(body) > _MAX_BLOCKS
            or any(block.kind == "list" and len(block.blocks) > _MAX_LINES for block in body)
            or len(plain_text(heading.inlines).split()) < _MIN_WORDS
        ):
            continue
        title = sub_block(heading.inlines, heading, source)
        lines = (line for block in body for line in _lines(block, source))
        items[start] = heading._replace(
            kind="item", end=body[-1].end, last=body[-1].last, blocks=(title, *lines)
        )
    return items


def find_titles(
    blocks: Sequence[Block], items: Mapping[int, Block], entries: Collection[int], reader: ItemReader
) -> dict[int, ListItem]:
    """Return the items that are papers, of the levels at which most headings are.

    `entries` has where paragraphs begin that are entries themselves.
    """
    read = {
        index: reader.read(item)
        for index, item in items.items()
        if not any(block.start in entries for block in item.blocks)
    }
    papers = {index for index, item in read.items() if _is_paper(item, reader)}
    levels = Counter(blocks[index].level for index in papers)
    headings = [block.level for block in blocks if block.kind == "heading"]
    leaves = Counter(level for level, below in pairwise([*headings, 0]) if below <= level)
    usual = {level for level, count in levels.items() if count >= max(_MIN_TITLES, _MOST * leaves[level])}
    return {
        index: item
        for index, item in read.items()
        if blocks[index].level in usual and (index in papers or (item.sub_lines and may_be_paper(item)))
    }


def _is_paper(item: ListItem, reader: ItemReader) -> bool:
    """Return whether a heading surely is the title of a paper, and no subject of several."""
    line = item.title_line
    if line is None or not item.is_paper or is_general(line.title_text):
        return False
    below = [reader.read(child) for block in item.lists for child in block.blocks]
    return not any(_has_own_title(child) or reader.title_below(child) is not None for child in below)


def _has_own_title(item: ListItem) -> bool:
    """Return whether an item below a heading is a paper of its own."""
    line = item.title_line
    return line is not None and item.is_paper and len(line.title_text.split()) >= _MIN_OWN_WORDS


def _lines(block: Block, source: Source) -> Iterator[Block]:
    """Yield the lines of a paragraph, and what else stands below a title, as it is. `(back to top)` is none of it."""
    if block.kind == "list" and len(block.blocks) <= _MAX_LINES:
        yield block
    lines = inline_lines(block.inlines) if block.kind == "paragraph" else []
    if len(lines) > _MAX_LINES:
        lines = [block.inlines]
    for line in lines:
        links = (node for node in line if isinstance(node, Link))
        if not all(isinstance(node, Break | Html) for node in line) and not any(
            is_internal_url(link.url) for link in links
        ):
            yield sub_block(joined_lines([line]), block, source)
