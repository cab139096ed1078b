"""The rule `entry/indent`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.sorted_lists import levels
from shelfread.markdown.node import Block


def indent(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report items that should be nested in the item above."""
    source = document.source
    uneven: list[Block] = []
    for _, level in levels(document):
        for block in level:
            columns = {item.start - source.starts[item.first] for item in block.blocks}
            if block.kind == "list" and len(columns) > 1:
                uneven.append(block)
    if uneven:
        entries = {entry.block.start for entry in document.entries}
        for block in uneven:
            yield from _beside(block, entries, source)


def _beside(siblings: Block, entries: set[int], source: Source) -> RawDiagnostics:
    """Yield items that are indented further than their siblings, most of which have nested items."""
    columns = [_column(item, source) for item in siblings.blocks]
    usual = Counter(columns).most_common(1)[0][0]
    if usual < 0 or not _hold_items([i for i, c in zip(siblings.blocks, columns, strict=True) if c == usual]):
        return
    holder: Block | None = None
    for item, column, last in zip(siblings.blocks, columns, [None, *siblings.blocks], strict=False):
        if column == usual:
            holder = item
        elif (
            holder is not None
            and last is not None
            and column > usual
            and last.last == item.first
            and item.start not in entries
            and holder.start in entries
            and not _has_list(item)
        ):
            yield _indent(item, _content(holder, source) - column, source)


def _indent(block: Block, missing: int, source: Source) -> RawDiagnostic:
    """Return a diagnostic about a block whose lines all need more spaces."""
    edits = tuple(
        Edit(source.starts[line], source.starts[line], " " * missing, STRUCTURE)
        for line in range(block.first, block.last)
        if source.lines[line].strip()
    )
    return RawDiagnostic(Span(block.start, block.start + 1), {}, edits)


def _hold_items(items: Sequence[Block]) -> bool:
    """Return whether most of several items have nested items."""
    return len(items) > 1 and sum(map(_has_list, items)) * 2 >= len(items) - 1


def _has_list(item: Block) -> bool:
    return any(block.kind == "list" for block in item.blocks)


def _column(block: Block, source: Source) -> int:
    """Return how many spaces precede a block in its line; -1 if anything else does."""
    start = source.starts[block.first]
    return -1 if source.text[start : block.start].strip(" ") else block.start - start


def _content(item: Block, source: Source) -> int:
    """Return the column, from 0, of an item's text; 0 if it is empty."""
    return item.blocks[0].start - source.starts[item.first] if item.blocks else 0
