"""Headings: `#` for each level or an underline, and the spaces around the `#`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.core.spans import TextEdit
from shelfread.format.habits import Habits
from shelfread.format.layout.blank_lines import PageBlock
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link

_SENTENCE_END = lazy(r"[.,;:。，；：]\W*$")
_LONGEST = 80
_SPACES = "", " "
_FEWEST_UNDERLINED = 3
"""Fewer underlined headings do not show that a text underlines its headings."""


class Headings:
    """How a text writes its headings, by level."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.marks: Habits[int, bool] = Habits()
        """Whether headings of a level begin with `#`."""
        self.spaces: Habits[None, tuple[str, str]] = Habits()
        """What is before and behind the `#`."""
        for page_block in blocks:
            block = page_block.block
            if block is not None and block.kind == "heading" and block.inlines:
                # One section: a heading is no case of its own section.
                self.marks.add(block.level, (), block.marker == "#")
                if block.marker == "#":
                    self.spaces.add(None, (), self._spaces(block))

    def edits(self, block: Block) -> Iterator[TextEdit]:
        """Yield the edits of a heading; an underlined one of several lines stays."""
        if not block.inlines:
            return
        source, title = self.source, block.inlines[0].start
        start = source.starts[block.first]
        marks = "#" * block.level
        usual = self.spaces.usual_or(_SPACES, None, ())
        before, behind = usual or _SPACES
        if block.marker == "#":
            new = before + marks + behind
            if usual is not None and source.text[start:title] != new:
                yield TextEdit(start, title, new)
        elif self._is_unusual(block) and not is_accidental(block, source):
            end = start + len(source.lines[block.first].rstrip(" \t"))
            yield TextEdit(start, title, before + marks + behind)
            yield TextEdit(end, source.starts[block.last - 1] + len(source.lines[block.last - 1]), "")

    def is_accident(self, block: Block) -> bool:
        """Return whether a heading is probably a text whose rule `---` has no blank line above it."""
        if block.marker != "-" or not block.inlines or not is_accidental(block, self.source):
            return False
        return self._is_unusual(block) or self.marks.count(block.level) < _FEWEST_UNDERLINED

    def _is_unusual(self, block: Block) -> bool:
        """Return whether a heading is underlined where others of its level begin with `#`."""
        return block.marker in ("=", "-") and self.marks.usual_or(True, block.level, (), fewest=1) is True

    def _spaces(self, block: Block) -> tuple[str, str]:
        start = self.source.starts[block.first]
        before, _, behind = self.source.text[start : block.inlines[0].start].partition("#" * block.level)
        return before, behind


def is_accidental(block: Block, source: Source) -> bool:
    """Return whether an underlined heading looks like a text above a rule: a link, a sentence, several lines."""
    if block.last - block.first > 2:
        return True
    text = source.lines[block.first].strip()
    if block.marker == "=":
        return False
    return len(text) > _LONGEST or _SENTENCE_END.search(text) is not None or _has_link(block.inlines)


def _has_link(inlines: Sequence[Inline]) -> bool:
    return any(
        isinstance(node, Link | Break) or (isinstance(node, Emphasis) and _has_link(node.children))
        for node in inlines
    )
