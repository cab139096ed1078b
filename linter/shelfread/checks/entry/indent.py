"""Sub-items that are not nested, because their lines begin a blank or two off."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break

_NUMBERED = (".", ")")
_DEEP = lazy(r"\n[ \t>]{6,}[-*+][ \t]")
_BULLET = lazy(r"[-*+][ \t]+\S")
_HALF = 2


def indent(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Items that the one before was meant to hold, and items that its text has swallowed."""
    source = document.source
    deep = _DEEP.search(source.text.replace("\r", "\n")) is not None
    uneven: list[Block] = []
    levels: list[tuple[Block, ...]] = [document.tree.blocks]
    while levels:
        level = levels.pop()
        before: Block | None = None
        for block in level:
            if block.kind == "list":
                if len({item.start - source.starts[item.first] for item in block.blocks}) > 1:
                    uneven.append(block)
                if deep:
                    yield from _swallowed(block, source)
                if before is not None and before.kind == "list":
                    yield from _between(before, block, source)
                levels += [item.blocks for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                levels.append(block.blocks)
            before = block
    if uneven:
        entries = {entry.block.start for entry in document.entries}
        for block in uneven:
            yield from _beside(block, entries, source)


def _beside(siblings: Block, entries: set[int], source: Source) -> Iterator[RawDiagnostic]:
    """Items further in than their siblings, most of which hold items themselves."""
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
            yield _place(item, _content(holder, source) - column, "stands beside", "the item above", source)


def _between(before: Block, block: Block, source: Source) -> Iterator[RawDiagnostic]:
    """Bullets that are further in than the numbers above them, and not far enough to be nested."""
    if before.marker not in _NUMBERED or block.marker in _NUMBERED or before.last != block.first:
        return
    column = _column(block, source)
    holder = before.blocks[-1]
    if 0 <= _column(holder, source) < column < _content(holder, source):
        yield _place(block, _content(holder, source) - column, "ends", "the numbered list above", source)


def _swallowed(siblings: Block, source: Source) -> Iterator[RawDiagnostic]:
    """Lines with a bullet that are part of the text above, among siblings of which most hold items."""
    found = [
        (item, node)
        for item in siblings.blocks
        if item.blocks and item.blocks[0].kind == "paragraph" and len(item.blocks[0].inlines) > 1
        for node in item.blocks[0].inlines
        if isinstance(node, Break) and _BULLET.match(source.text, node.end)
    ]
    if not found or not _hold_items([*siblings.blocks]):
        return
    for item, node in found:
        line = source.starts[source.line_at(node.end)]
        wanted = _content(item, source)
        edits: tuple[Edit, ...] = ()
        if wanted > 0 and not source.text[line : node.end].strip(" "):
            edits = (Edit(line, node.end, " " * wanted, Effect(Change.STRUCTURE)),)
        yield RawDiagnostic(
            Span(node.end, node.end + 1), {"fault": "is part of", "other": "the text above"}, edits
        )


def _place(block: Block, missing: int, fault: str, other: str, source: Source) -> RawDiagnostic:
    """A block whose lines all want so many more blanks."""
    lines = [line for line in range(block.first, block.last) if source.lines[line].strip()]
    edits = tuple(
        Edit(source.starts[line], source.starts[line], " " * missing, Effect(Change.STRUCTURE))
        for line in lines
    )
    return RawDiagnostic(Span(block.start, block.start + 1), {"fault": fault, "other": other}, edits)


def _hold_items(items: Sequence[Block]) -> bool:
    """Whether most of some items have items of their own."""
    return len(items) > 1 and sum(map(_has_list, items)) * _HALF >= len(items) - 1


def _has_list(item: Block) -> bool:
    return any(block.kind == "list" for block in item.blocks)


def _column(block: Block, source: Source) -> int:
    """So many blanks stand before a block; -1 where more than blanks do."""
    start = source.starts[block.first]
    return -1 if source.text[start : block.start].strip(" ") else block.start - start


def _content(item: Block, source: Source) -> int:
    """The column of an item's text."""
    return item.blocks[0].start - source.starts[item.first] if item.blocks else 0
