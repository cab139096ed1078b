"""Runs of paragraphs as lists: each paragraph is an item, and what lists read of items is read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.entry.sub_lines import read_field_name, read_labelled_field
from shelfread.document.outline import bold_title
from shelfread.document.paragraphs import inline_lines, joined_lines, named_lines, sub_block
from shelfread.document.plain_text import render_plain_text
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_MIN_LABELLED = 3
"""A label that begins lines of so many paragraphs labels a field."""


class Run(NamedTuple):
    """Paragraphs that follow each other, as a list, and how many blocks they are."""

    items: Block
    length: int


def find_runs(blocks: Sequence[Block], source: Source, vocabulary: Vocabulary) -> dict[int, Run]:
    """Return the runs of paragraphs by the index of their first block. A quote belongs to the paragraph above it."""
    spans = list(_runs(blocks))
    labels = Counter(
        label
        for start, end in spans
        for block in blocks[start:end]
        if block.kind == "paragraph"
        for label in {_label(line) for line in inline_lines(block.inlines)[1:]}
    )
    known = {label for label, count in labels.items() if label and count >= _MIN_LABELLED}
    runs: dict[int, Run] = {}
    for start, end in spans:
        items: list[Block] = []
        for block in blocks[start:end]:
            named = named_lines(block.inlines, vocabulary) if block.kind == "paragraph" else []
            if len(named) > 1:
                items += [_item(sub_block(line, block, source), known, source) for line in named]
            elif block.kind == "quote":
                below = tuple(child for child in block.blocks if child.kind == "paragraph")
                items[-1] = items[-1]._replace(
                    end=block.end, last=block.last, blocks=(*items[-1].blocks, *below)
                )
            else:
                items.append(_item(block, known, source))
        whole = blocks[start]._replace(
            kind="list", end=items[-1].end, last=items[-1].last, blocks=tuple(items), inlines=()
        )
        runs[start] = Run(whole, end - start)
    return runs


def _runs(blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs that are no bold headings, and quotes below them, begin and end."""
    start = end = -1
    for index, block in enumerate(blocks):
        if block.kind == "paragraph" and bold_title(block) is None:
            start, end = (start if index == end else index), index + 1
        elif block.kind == "quote" and index == end:
            end = index + 1
        if index >= end > start:
            yield start, end
            start = end = -1
    if end > start:
        yield start, end


def _item(block: Block, labels: set[str], source: Source) -> Block:
    """Return a paragraph with its first lines and each line of a field as blocks of their own."""
    parts: list[list[tuple[Inline, ...]]] = [[]]
    for line in inline_lines(block.inlines):
        if parts[0] and (_is_field(line) or _label(line) in labels or _is_link(line)):
            parts.append([])
        parts[-1].append(line)
    below = (sub_block(joined_lines(part), block, source) for part in parts if joined_lines(part))
    return block._replace(blocks=tuple(below), inlines=joined_lines(parts[0]))


def _is_field(line: tuple[Inline, ...]) -> bool:
    return read_labelled_field(render_plain_text(line).text) is not None


def _label(line: tuple[Inline, ...]) -> str:
    """Return the words before the colon that a line begins with, folded; empty if there are none."""
    return (read_field_name(render_plain_text(line)) or "").casefold()


def _is_link(line: tuple[Inline, ...]) -> bool:
    """Return whether a line is a URL: `https://example.org/shelves.pdf`."""
    nodes = joined_lines([line])
    return len(nodes) == 1 and isinstance(nodes[0], Link) and nodes[0].form in ("bare", "autolink")
