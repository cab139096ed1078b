"""Headings, emphasis and spaces at the ends of lines, with the marks that the text usually has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import TextEdit
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.format.blank_lines import PageBlock
from shelfread.format.habits import MIN_CASES, Habits, Section
from shelfread.markdown.node import Block, Break, Code, Emphasis, Inline, Link, walk_blocks, walk_inlines

_SENTENCE_END = lazy(r"[.,;:。，；：]\W*$")
_LONGEST = 80
_SPACES = "", " "
_FEWEST_UNDERLINED = 3  # fewer underlined headings do not show that a text underlines its headings


class Headings:
    """How a text writes its headings, by level."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.marks: Habits[int, bool] = Habits()  # whether headings of a level begin with `#`
        self.spaces: Habits[None, tuple[str, str]] = Habits()  # what is before and behind the `#`
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


_BLANK = lazy(r"[\s<]")
_ADDRESS = lazy(r"(?i)(?:https?|ftp)://|www\.|\w@\w")
_LONGEST_ADDRESS = 2000
_MARKERS = ("*", "_", "**", "__")


class EmphasisMarkers:
    """The usual markers of a text, by their length, of code apart from those of words: it is often a tag."""

    def __init__(self, text: str, blocks: Sequence[PageBlock]) -> None:
        self.text = text
        self.habits: Habits[tuple[int, bool], str] = Habits()
        for page_block in blocks:
            for node in _emphasis_in(page_block.block) if page_block.block is not None else ():
                self.habits.add(_question(node), page_block.section, node.delimiter)

    def edits(self, block: Block, section: Section) -> Iterator[TextEdit]:
        """Yield the edits of unusual markers; not beside words or other markers, where they differ."""
        for node in _emphasis_in(block):
            usual = self.habits.usual(_question(node), section)
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


def _question(node: Emphasis) -> tuple[int, bool]:
    return len(node.delimiter), all(isinstance(child, Code) for child in node.children)


def _emphasis_in(block: Block) -> Iterator[Emphasis]:
    nodes = (node for inner in walk_blocks((block,)) for node in walk_inlines(inner.inlines))
    return (node for node in nodes if isinstance(node, Emphasis) and node.delimiter in _MARKERS)


# GitHub shows an empty task without the space behind its box as text.
_TASK = re.compile(r"(?:[-*+]|\d[.)])[ \t]+\[[ xX]\]$")
_OPAQUE = ("front", "code", "html")


class TrailingSpaces:
    """Which lines of a text end with spaces, by the kinds of their blocks, and whether they are blank."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.habits: Habits[tuple[str, bool], bool] = Habits()
        for block in blocks:
            for number in self._lines(block):
                line = source.lines[number]
                self.habits.add((block.kind, not line.strip()), block.section, line[-1:] in (" ", "\t"))

    def edits(self, block: PageBlock) -> Iterator[TextEdit]:
        """Yield the edits that remove spaces at the ends of lines, unless they are hard breaks, or a habit."""
        for number in self._lines(block):
            line, start = self.source.lines[number], self.source.starts[number]
            text = line.rstrip(" \t")
            if len(text) < len(line) and not _TASK.search(text) and self._is_unusual(block, not text):
                yield TextEdit(start + len(text), start + len(line), "")

    def _is_unusual(self, block: PageBlock, blank: bool) -> bool:
        question = (block.kind, blank)
        if self.habits.count(question) < MIN_CASES:
            return self.habits.usual_or(False, question, block.section) is False
        return self.habits.usual(question, block.section) is False

    def _lines(self, block: PageBlock) -> Iterator[int]:
        if block.kind not in _OPAQUE:
            rigid = set(_rigid_lines(self.source, block.block)) if block.block is not None else ()
            yield from (number for number in range(block.first, block.last) if number not in rigid)


def _rigid_lines(source: Source, block: Block) -> Iterator[int]:
    """Yield the lines of code and HTML, and those that end with a hard line break."""
    for inner in walk_blocks((block,)):
        if inner.kind in ("code", "html"):
            yield from range(inner.first, inner.last)
        for node in walk_inlines(inner.inlines):
            if isinstance(node, Break) and node.hard:
                yield source.line_at(node.start)
