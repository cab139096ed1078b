"""Emphasis and strong emphasis with the markers that the text usually has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.core.edits import TextEdit
from shelfread.core.support.regex import lazy
from shelfread.format.habits import Habits, Section
from shelfread.format.layout.blank_lines import PageBlock
from shelfread.markdown.node import Block, Emphasis, Inline, Link

_BLANK = lazy(r"[\s<]")
_ADDRESS = lazy(r"(?i)(?:https?|ftp)://|www\.|\w@\w")
_LONGEST_ADDRESS = 2000
_MARKERS = ("*", "_", "**", "__")


class EmphasisMarkers:
    """The usual markers of a text, by their length."""

    def __init__(self, text: str, blocks: Sequence[PageBlock]) -> None:
        self.text = text
        self.habits: Habits[int, str] = Habits()
        for page_block in blocks:
            for node in _emphasis_in(page_block.block) if page_block.block is not None else ():
                self.habits.add(len(node.delimiter), page_block.section, node.delimiter)

    def edits(self, block: Block, section: Section) -> Iterator[TextEdit]:
        """Yield the edits of unusual markers; not beside words or other markers, where they differ."""
        for node in _emphasis_in(block):
            usual = self.habits.usual(len(node.delimiter), section)
            if usual is None or usual == node.delimiter:
                continue
            if self._is_crowded(node) or self._is_in_address(node):
                continue
            length = len(node.delimiter)
            yield TextEdit(node.start, node.start + length, usual)
            yield TextEdit(node.end - length, node.end, usual)

    def _is_in_address(self, node: Emphasis) -> bool:
        """Return whether GitHub shows the markers as a part of a bare address."""
        before = self.text[max(0, node.start - _LONGEST_ADDRESS) : node.start]
        return _ADDRESS.search(_BLANK.split(before)[-1]) is not None

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
