"""Runs of paragraphs as lists: each paragraph is an item, and what lists read of items is read of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.sub_lines import read_field_name, read_labelled_field
from shelfread.document.outline import bold_title
from shelfread.document.paragraphs import inline_lines, joined_lines, named_lines, sub_block
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.markdown.node import Block, Break, Html, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_MAY_CITE = lazy(r"://|\]\(|\]\[|(?:19|20)\d\d|'\d\d|[:：]")
"""What a paragraph has that is an entry: a link, a year, a label."""
_MIN_LABELLED = 3
"""A label that begins so many lines of paragraphs labels a field."""
_MAX_FIELDS, _FEW_WORDS = 12, 6


class Run(NamedTuple):
    """Paragraphs that follow each other, as a list, and how many blocks they are."""

    items: Block
    length: int


def find_runs(blocks: Sequence[Block], source: Source, vocabulary: Vocabulary) -> dict[int, Run]:
    """Return the runs of paragraphs by the index of their first block. A quote belongs to the paragraph above it."""
    spans = [
        span
        for span in _runs(blocks)
        if _MAY_CITE.search(source.text, blocks[span[0]].start, blocks[span[1] - 1].end)
    ]
    labels = Counter(
        label
        for start, end in spans
        for block in blocks[start:end]
        if block.kind == "paragraph"
        for label in map(_label, inline_lines(block.inlines)[1:])
    )
    known = {label for label, count in labels.items() if label and count >= _MIN_LABELLED}
    runs: dict[int, Run] = {}
    for start, end in spans:
        items: list[Block] = []
        for block in blocks[start:end]:
            if block.kind == "paragraph" and not (items and _are_fields(block)):
                lines = named_lines(block.inlines, vocabulary)
                parts = [sub_block(line, block, source) for line in lines] if len(lines) > 1 else [block]
                items += [item for part in parts for item in _items(part, known, source)]
            elif items:
                below = block.blocks if block.kind == "quote" else (block,)
                below = tuple(child for child in below if child.kind in ("paragraph", "list"))
                items[-1] = items[-1]._replace(
                    end=block.end, last=block.last, blocks=(*items[-1].blocks, *below)
                )
        if items:
            last = items[-1]
            whole = blocks[start]._replace(
                kind="list", end=last.end, last=last.last, blocks=tuple(items), inlines=()
            )
            runs[start] = Run(whole, end - start)
    return runs


def _runs(blocks: Sequence[Block]) -> Iterator[tuple[int, int]]:
    """Yield where paragraphs that are no bold headings, and quotes and lists of fields below them, begin and end."""
    start = end = -1
    for index, block in enumerate(blocks):
        if block.kind == "paragraph":
            following = blocks[index + 1] if index + 1 < len(blocks) else None
            if (following is not None and _are_fields(following)) or bold_title(block) is None:
                start, end = (start if index == end else index), index + 1
        elif index == end and (block.kind == "quote" or _are_fields(block)):
            end = index + 1
        if index >= end > start:
            yield start, end
            start = end = -1
    if end > start:
        yield start, end


def _are_fields(block: Block) -> bool:
    """Return whether a paragraph, or most items of a list, state a field: `Code: https://github.com/stone/shelf`."""
    if block.kind == "paragraph":
        return _is_field(inline_lines(block.inlines)[0])
    if block.kind != "list" or len(block.blocks) > _MAX_FIELDS:
        return False
    lines = [item.blocks[0].inlines if item.blocks else () for item in block.blocks]
    fields = [line for line in lines if _is_field(line) or (_label(line) and isinstance(line[-1], Link))]
    others = (plain_text(line) for line in lines if line not in fields)
    return 2 * len(fields) >= len(lines) and all(len(text.split()) <= _FEW_WORDS for text in others)


def _items(block: Block, labels: set[str], source: Source) -> Iterator[Block]:
    """Yield the entries of a paragraph, with each line of a field as a block of its own.

    What follows the fields of an entry is the next one.
    """
    parts: list[list[tuple[Inline, ...]]] = []
    for line in inline_lines(block.inlines):
        if all(isinstance(node, Break | Html) for node in line):
            continue
        is_field = bool(parts) and (_is_field(line) or _label(line) in labels or _is_link(line))
        if is_field or not parts:
            parts.append([])
        elif len(parts) > 1:
            yield _item(parts, block, source)
            parts = [[]]
        parts[-1].append(line)
    if parts:
        yield _item(parts, block, source)


def _item(parts: list[list[tuple[Inline, ...]]], block: Block, source: Source) -> Block:
    blocks = tuple(sub_block(joined_lines(part), block, source) for part in parts)
    first, last = blocks[0], blocks[-1]
    return first._replace(end=last.end, last=last.last, blocks=blocks)


def _is_field(line: tuple[Inline, ...]) -> bool:
    """Return whether a line states a field by a label; a note may be a title: `TRACE: Temporal Regression`."""
    labelled = read_labelled_field(render_plain_text(line).text)
    return labelled is not None and labelled[0] != "note"


def _label(line: tuple[Inline, ...]) -> str:
    """Return the words before the colon that a line begins with, folded; empty if there are none."""
    return (read_field_name(render_plain_text(line)) or "").casefold()


def _is_link(line: tuple[Inline, ...]) -> bool:
    """Return whether a line is a URL: `https://example.org/shelves.pdf`."""
    nodes = joined_lines([line])
    return len(nodes) == 1 and isinstance(nodes[0], Link) and nodes[0].form in ("bare", "autolink")
