"""The rule `entry/swallowed`: entries that the page shows as a part of the entry above.

Markdown reads a line without its bullet, or behind another entry, as text of the item above, and an indented one as its child.
Whether that was meant, the other items say: here only lists count whose items begin with a link.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import (
    STRUCTURE,
    Applicability,
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
)
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link, Text

_LEAST = 10
"""So many items show how a list is written; nine of ten have to begin with a link."""
_LEAST_FLAT = 30
"""So many items show that a list has no children."""
_JOINT = lazy(r"(?:(?P<end>[.!?)\]…。！？]|[^\W_])|(?<![ \t]))(?P<gap>[ \t]*)(?P<mark>[-*+])[ \t]+$")
_SEPARATOR = lazy(r"[ \t]*(?:[-–—:]|\([^()]*\)[ \t]*[-–—:])[ \t]*\S.{9}")
_ENDED = lazy(r"[.!?)\]…。！？*`>][ \t]*$")
_WORD = lazy(r"[^\W_]{3,}")


class _Habits(NamedTuple):
    """How the items of a document are written."""

    items: int
    linked: int
    described: int
    """How many links at the beginning of an item a separator follows."""
    holders: int
    """Items with children."""
    inner: int
    """Links in the middle of items that look like the beginning of another one."""
    lazy_lines: int
    """Lines of items that are not indented."""


def swallowed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Report entries that are shown as text or as a child of the entry above, in lists whose items begin with a link."""
    source = document.source
    lists = list(_lists(document.tree.blocks, 0))
    habits = _habits([items for items, depth in lists if depth == 0], source)
    if habits.items < _LEAST or habits.linked * 10 < habits.items * 9:
        return
    for items, depth in lists:
        for item in items.blocks:
            if item.blocks and item.blocks[0].kind == "paragraph":
                yield from _in_paragraph(item, items, habits, source, context)
            if depth == 0:
                yield from _children(item, items, habits, source, context)
    yield from _above_lists(document.tree.blocks, habits, source)


def _lists(blocks: Sequence[Block], depth: int) -> Iterator[tuple[Block, int]]:
    """Yield the lists of some blocks with the items of a list within them, and in how many items each is."""
    waiting = [(block, depth) for block in reversed(blocks)]
    while waiting:
        block, depth = waiting.pop()
        if block.kind == "list":
            yield block, depth
        if block.kind in ("list", "item", "quote"):
            waiting += [(inner, depth + (block.kind == "item")) for inner in reversed(block.blocks)]


def _habits(lists: Sequence[Block], source: Source) -> _Habits:
    counts: Counter[str] = Counter()
    for item in (item for items in lists for item in items.blocks):
        inlines = item.blocks[0].inlines if item.blocks else ()
        if inlines and isinstance(inlines[0], Link) and inlines[0].url.startswith("#"):
            continue  # of a table of contents
        counts["items"] += 1
        counts["linked"] += _begins_with_link(inlines, 0)
        counts["described"] += _begins_with_link(inlines, 0) and _is_described(inlines, 0, source)
        counts["holders"] += any(block.kind == "list" for block in item.blocks)
        counts["inner"] += sum(1 for _ in _joints(inlines, source))
        counts["lazy"] += sum(1 for _ in _lazy_lines(item, source))
    names = ("items", "linked", "described", "holders", "inner", "lazy")
    return _Habits(*(counts[name] for name in names))


def _begins_with_link(inlines: Sequence[Inline], index: int) -> bool:
    """Return whether a link of the web with a text begins at an index of some inlines, `**` around it aside."""
    if index >= len(inlines):
        return False
    node = inlines[index]
    if isinstance(node, Emphasis) and node.children:
        node = node.children[0]
    return isinstance(node, Link) and not node.image and node.form == "inline" and node.url.startswith("http")


def _is_described(inlines: Sequence[Inline], index: int, source: Source) -> bool:
    """Return whether a separator and words follow the link at an index."""
    return _SEPARATOR.match(source.text, inlines[index].end, inlines[-1].end) is not None


def _joints(inlines: Sequence[Inline], source: Source) -> Iterator[int]:
    """Yield the indexes of links in the middle of a line that a bullet is before, and a description behind."""
    for index in range(2, len(inlines)):
        if (
            isinstance(inlines[index - 1], Text)
            and _begins_with_link(inlines, index)
            and _JOINT.search(source.text, inlines[index - 1].start, inlines[index].start)
            and _is_described(inlines, index, source)
        ):
            yield index


def _lazy_lines(item: Block, source: Source) -> Iterator[int]:
    """Yield the indexes of line breaks in an item's first paragraph whose next line is not indented."""
    inlines = item.blocks[0].inlines if item.blocks and item.blocks[0].kind == "paragraph" else ()
    column = item.start - source.starts[item.first]
    for index, node in enumerate(inlines):
        if isinstance(node, Break) and index + 1 < len(inlines):
            start = inlines[index + 1].start
            if start - source.starts[source.line_at(start)] == column:
                yield index


def _in_paragraph(
    item: Block, items: Block, habits: _Habits, source: Source, context: RuleContext
) -> RawDiagnostics:
    """Yield entries in the text of an item: behind another one, or in a line of their own without a bullet."""
    inlines, text = item.blocks[0].inlines, source.text
    if not _begins_with_link(inlines, 0) or habits.described * 2 < habits.items:
        return
    line = source.starts[item.first]
    prefix = text[line : item.start]
    if prefix.strip(" \t>"):
        return
    marker = text[item.start : item.blocks[0].start]
    if habits.inner * 50 <= habits.items or habits.inner <= 1:
        for index in _joints(inlines, source):
            link = inlines[index]
            match = _JOINT.search(text, inlines[index - 1].start, link.start)
            assert match is not None
            if match["mark"] != items.marker or (match["gap"] and (match["end"] or "").isalnum()):
                continue
            if isinstance(link, Link) and context.vocabulary.role(text[slice(*link.text)]) is not None:
                continue
            edit = Edit(match.start("gap"), link.start, f"\n{prefix}{marker}", STRUCTURE)
            yield RawDiagnostic(Span(match.start("mark"), link.end), {}, (edit,), message="joined")
    if habits.lazy_lines * 50 <= habits.items or habits.lazy_lines <= 1:
        for index in _lazy_lines(item, source):
            start = inlines[index + 1].start
            ended = _ENDED.search(text, item.start, inlines[index].start) is not None
            if _begins_with_link(inlines, index + 1) and ended and _is_described(inlines, index + 1, source):
                edit = Edit(start, start, marker, STRUCTURE)
                yield RawDiagnostic(Span(start, inlines[index + 1].end), {}, (edit,), message="bullet")


def _above_lists(blocks: Sequence[Block], habits: _Habits, source: Source) -> RawDiagnostics:
    """Yield lines directly above a list that are written as its items."""
    for block, below in pairwise(blocks):
        if block.kind != "paragraph" or below.kind != "list" or block.last != below.first:
            continue
        item = below.blocks[0]
        if block.last - block.first > 1 or not item.blocks or habits.described * 2 < habits.items:
            continue
        if _begins_with_link(block.inlines, 0) and _is_described(block.inlines, 0, source):
            marker = source.text[item.start : item.blocks[0].start]
            edit = Edit(block.start, block.start, marker, STRUCTURE)
            yield RawDiagnostic(Span(block.start, block.inlines[0].end), {}, (edit,), message="bullet")


def _children(
    item: Block, items: Block, habits: _Habits, source: Source, context: RuleContext
) -> RawDiagnostics:
    """Yield the only child of an item that is written as its siblings are, where hardly an item has a child."""
    inner = item.blocks[1] if len(item.blocks) == 2 else None
    if inner is None or inner.kind != "list" or len(inner.blocks) != 1 or inner.first != item.blocks[0].last:
        return
    if habits.items < _LEAST_FLAT or (habits.holders - 1) * 50 > habits.items:
        return
    child = inner.blocks[0]
    inlines, own = child.blocks[0].inlines if len(child.blocks) == 1 else (), item.blocks[0].inlines
    if child.last - child.first > 1 or inner.marker != items.marker or not _begins_with_link(inlines, 0):
        return
    if habits.described * 2 >= habits.items and not _is_described(inlines, 0, source):
        return
    if not _begins_with_link(own, 0) or _names(own[0], source) & _names(inlines[0], source):
        return  # `Acme` and `Acme for Python`
    line = source.starts[child.first]
    edit = Edit(line, child.start, source.text[source.starts[item.first] : item.start], STRUCTURE)
    is_new = context.base is not None
    yield RawDiagnostic(
        Span(child.start, inlines[0].end),
        {"items": habits.items},
        (edit,),
        Applicability.SAFE if habits.holders == 1 and is_new else Applicability.UNSAFE,
        Severity.ERROR if is_new else Severity.INFO,
        message="child",
    )


def _names(node: Inline, source: Source) -> set[str]:
    """Return the words of a link's text and of the end of its address."""
    return {word.casefold() for word in _WORD.findall(source.text[node.start : node.end])} - {
        "http", "https", "www", "com", "org", "github", "net", "dev", "html",
    }  # fmt: skip
