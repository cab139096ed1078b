"""Whether a place is plain text: what the tree holds no node for is sought there alone."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import TypeVar

from shelfread.diagnostic import Span
from shelfread.document.model import Document
from shelfread.syntax.node import Block, Emphasis, Inline, Link, Text

_PROSE = frozenset({"paragraph", "heading", "cell"})
_Node = TypeVar("_Node", bound="Block | Inline | Span")


def leaf(document: Document, at: int) -> Block | None:
    """The innermost block that an offset is in."""
    found: Block | None = None
    blocks = document.tree.blocks
    while (block := _holding(blocks, at)) is not None:
        found, blocks = block, block.blocks
    return found


def is_text(document: Document, at: int, *, of_link: bool = False) -> bool:
    """Whether an offset is that of a character which the page shows as it stands; `of_link` in a link, too."""
    block = leaf(document, at)
    if block is None or block.kind not in _PROSE or _holding(document.tree.opaque, at) is not None:
        return False
    node = _holding(block.inlines, at)
    while isinstance(node, Emphasis) or (of_link and isinstance(node, Link)):
        node = _holding(node.children, at)
    return isinstance(node, Text) and len(node.value) == node.end - node.start


def opening(text: str, close: int, marks: str, longest: int) -> int:
    """Where the bracket was opened that ends at `close`, in its line; -1 where that is too far away or nowhere."""
    depth, at, floor = 0, close, max(-1, close - longest)
    floor = max(floor, text.rfind("\n", floor + 1, close), text.rfind("\r", floor + 1, close))
    while at > floor:
        if text[at] in marks and text[at - 1 : at] != "\\":
            depth += 1 if text[at] == marks[1] else -1
            if depth == 0:
                return at
        at -= 1
    return -1


def _holding(nodes: Sequence[_Node], at: int) -> _Node | None:
    """Of nodes that follow each other the one that an offset is in."""
    number = bisect_right(nodes, at, key=lambda node: node.start) - 1
    return nodes[number] if number >= 0 and at < nodes[number].end else None
