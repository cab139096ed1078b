"""Emphasis with the marks that the text mostly uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.format.layout.replacement import Piece
from shelfread.format.style import clear_majority
from shelfread.markdown.node import Block, Emphasis, Inline, Link

_STARS = {"_": "*", "*": "_", "__": "**", "**": "__"}


class Marks:
    """The usual marks of a text's emphasis and strong emphasis."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self.text = text
        counts: dict[int, Counter[str]] = {}
        for block in blocks:
            for node in _emphasis(block):
                if node.delimiter in _STARS:
                    counts.setdefault(len(node.delimiter), Counter())[node.delimiter] += 1
        self.usual = {size: clear_majority(forms) for size, forms in counts.items()}

    def pieces(self, block: Block) -> Iterator[Piece]:
        """The marks of a block's minority; not within words or beside other marks, where they read otherwise."""
        for node in _emphasis(block):
            usual = self.usual.get(len(node.delimiter)) if node.delimiter in _STARS else None
            if usual is None or usual == node.delimiter or self._is_crowded(node):
                continue
            size = len(usual)
            yield Piece(node.start, node.start + size, usual)
            yield Piece(node.end - size, node.end, usual)

    def _is_crowded(self, node: Emphasis) -> bool:
        size, text = len(node.delimiter), self.text
        beside = text[max(0, node.start - 1) : node.start] + text[node.end : node.end + 1]
        inside = text[node.start + size : node.start + size + 1] + text[node.end - size - 1 : node.end - size]
        within = text[node.start + size : node.end - size]
        return any(one.isalnum() or one in "*_\\" for one in beside) or any(
            one in "*_\\" for one in inside + within
        )


def _emphasis(block: Block) -> Iterator[Emphasis]:
    pending = [block]
    while pending:
        one = pending.pop()
        pending += one.blocks
        yield from _among(one.inlines)


def _among(inlines: Sequence[Inline]) -> Iterator[Emphasis]:
    for node in inlines:
        if isinstance(node, Emphasis):
            yield node
        if isinstance(node, Emphasis | Link):
            yield from _among(node.children)
