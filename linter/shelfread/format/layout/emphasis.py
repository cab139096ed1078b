"""Emphasis and strong emphasis with the markers that the text mostly uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.edits import TextEdit
from shelfread.format.style import clear_majority
from shelfread.markdown.node import Block, Emphasis, Inline, Link

_MARKERS = ("*", "_", "**", "__")


class EmphasisMarkers:
    """The usual markers of a text, by their length."""

    def __init__(self, text: str, blocks: Sequence[Block]) -> None:
        self.text = text
        counts: dict[int, Counter[str]] = {}
        for block in blocks:
            for node in _emphasis_in(block):
                counts.setdefault(len(node.delimiter), Counter())[node.delimiter] += 1
        self.usual = {length: clear_majority(forms) for length, forms in counts.items()}

    def edits(self, block: Block) -> Iterator[TextEdit]:
        """Yield the edits of unusual markers; not beside words or other markers, where they differ."""
        for node in _emphasis_in(block):
            usual = self.usual.get(len(node.delimiter))
            if usual is None or usual == node.delimiter or self._is_crowded(node):
                continue
            length = len(usual)
            yield TextEdit(node.start, node.start + length, usual)
            yield TextEdit(node.end - length, node.end, usual)

    def _is_crowded(self, node: Emphasis) -> bool:
        length, text = len(node.delimiter), self.text
        beside = text[max(0, node.start - 1) : node.start] + text[node.end : node.end + 1]
        return any(character.isalnum() or character in "*_\\" for character in beside) or any(
            character in "*_\\" for character in text[node.start + length : node.end - length]
        )


def _emphasis_in(block: Block) -> Iterator[Emphasis]:
    pending = [block]
    while pending:
        block = pending.pop()
        pending += block.blocks
        yield from _emphasis_among(block.inlines)


def _emphasis_among(inlines: Sequence[Inline]) -> Iterator[Emphasis]:
    for node in inlines:
        if isinstance(node, Emphasis) and node.delimiter in _MARKERS:
            yield node
        if isinstance(node, Emphasis | Link):
            yield from _emphasis_among(node.children)
