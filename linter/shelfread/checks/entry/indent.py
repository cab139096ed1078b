"""The rule `entry/indent`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document, Entry
from shelfread.index.context import RuleContext
from shelfread.index.order.runs import levels
from shelfread.markdown.node import Block

_NUMBERED = (".", ")")
_WORD = lazy(r"[^\W_]{3,}")
_MANY = 100
"""As many entries, none of which is nested, make a flat list."""


def indent(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report items that should be nested in the item above, and bullets that are part of its text."""
    source = document.source
    uneven: list[Block] = []
    for _, level in levels(document):
        for before, block in zip((None, *level), level, strict=False):
            if block.kind == "list":
                if len({item.start - source.starts[item.first] for item in block.blocks}) > 1:
                    uneven.append(block)
                if before is not None and before.kind == "list":
                    yield from _between(before, block, source)
    if uneven:
        entries = {entry.block.start for entry in document.entries}
        for block in uneven:
            yield from _beside(block, entries, source)
    yield from _below(document)


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
            yield _indent(item, _content(holder, source) - column, "beside", source)


def _find_nested(items: Sequence[Entry]) -> list[tuple[Entry, Entry]]:
    """Return the items that are nested in others, each after the outer one."""
    nested: list[tuple[Entry, Entry]] = []
    holder: Entry | None = None
    for entry in items:
        if holder is None or entry.span.start >= holder.span.end:
            holder = entry
        else:
            nested.append((holder, entry))
    return nested


def _below(document: Document) -> RawDiagnostics:
    """Yield the only entry that is nested in another one, if the two have no word in common."""
    items = [entry for entry in document.entries if entry.block.kind == "item"]
    nested = _find_nested(items) if len(items) >= _MANY else []
    if len(nested) != 1:
        return
    holder, entry = nested[0]
    if (
        entry.kind != "classic"
        or holder.kind != "classic"
        or entry.description is None
        or holder.description is None
    ):
        return
    source = document.source
    words = _words(holder.title.value) & _words(source.text[entry.title_line.start : entry.title_line.end])
    words |= _words(entry.title.value) & _words(source.text[holder.title_line.start : holder.title_line.end])
    if words or entry.span.end < holder.span.end:
        return
    start = source.starts[entry.line - 1]
    outer = source.starts[holder.line - 1]
    edits: tuple[Edit, ...] = ()
    if not source.text[start : entry.block.start].strip(" \t") and entry.line == entry.end_line:
        indentation = source.text[outer : holder.block.start]
        edits = (Edit(start, entry.block.start, indentation, STRUCTURE),)
    span = Span(entry.block.start, entry.block.start + 1)
    yield RawDiagnostic(span, {"total": len(items)}, edits, message="below")


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()))


def _between(before: Block, block: Block, source: Source) -> RawDiagnostics:
    """Yield bullets that are indented further than the numbers above them, but not enough to be nested."""
    if before.marker not in _NUMBERED or block.marker in _NUMBERED or before.last != block.first:
        return
    column = _column(block, source)
    holder = before.blocks[-1]
    if 0 <= _column(holder, source) < column < _content(holder, source):
        yield _indent(block, _content(holder, source) - column, "ends-list", source)


def _indent(block: Block, missing: int, message: str, source: Source) -> RawDiagnostic:
    """Return a diagnostic about a block whose lines all need more spaces."""
    edits = tuple(
        Edit(source.starts[line], source.starts[line], " " * missing, STRUCTURE)
        for line in range(block.first, block.last)
        if source.lines[line].strip()
    )
    return RawDiagnostic(Span(block.start, block.start + 1), {}, edits, message=message)


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
