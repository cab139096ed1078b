"""Blank lines between blocks and in lists, the end of the text, and the parts of a text that are not formatted."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from shelfread.core.diagnostics import Span, TextEdit, find_overlapping
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.format.habits import FEWEST, Habits, Section
from shelfread.markdown.node import Block, Tree, walk_blocks

_SWITCH = re.compile(r"<!--\s*shelfread-format\s+(?P<state>off|on)\b")


def find_protected(source: Source, tree: Tree) -> list[Span]:
    """Return the generated parts, and what is between `shelfread-format off` and `on`, sorted."""
    text = source.text
    # An opaque span that reaches beyond its first comment is a part between two markers of a tool.
    protected = [
        span
        for span in tree.protected
        if text.startswith("<!--", span.start) and text.find("-->", span.start) + 3 < span.end
    ]
    off: int | None = None
    for comment in tree.comments:
        match = _SWITCH.match(comment.value)
        if match is not None and match["state"] == "off" and off is None:
            off = comment.start
        elif match is not None and match["state"] == "on" and off is not None:
            protected.append(Span(off, comment.end))
            off = None
    if off is not None:
        protected.append(Span(off, len(text)))
    return sorted(protected)


def overlaps_any(start: int, end: int, sorted_spans: Sequence[Span]) -> bool:
    """Return whether one of the spans overlaps `text[start:end]`; an empty range counts as one character."""
    return any(find_overlapping(sorted_spans, start, max(end, start + 1)))


_ALMOST_ITEM = lazy(
    r"\s*(?:[-*+\u2022]|\d{1,9}[.)])[^\s\d*+-]|\s*[-*+]\s*[\u00a0\u3000]|\s*[\u2013\u2014\u2022\u00b7]\s"
)
# What needs no blank line beside it: a comment, an anchor, definitions below each other.
_NO_BLANK_LINE = frozenset({"html", "definition", "front"})
# Another bullet by mistake, which is fixed only where nothing is between, and a line below its words: `**2019**`, `___`.
_TOUCHING = (("list", "list"), ("paragraph", "rule"))
_ENOUGH = 10  # of fewer cases the more general question decides

# The kinds of two blocks, and the level of the heading among them.
_Question: TypeAlias = tuple[str, str, int]

_HEADINGS: _Question = ("heading", "heading", 0)  # two headings in a row, of any level
_BEHIND_HEADING: _Question = ("heading", "", 0)  # a heading and any block but a heading


class PageBlock(NamedTuple):
    """A block of the page, a link reference definition or the front matter: lines `first` to before `last`, from 0."""

    kind: str
    first: int
    last: int
    block: Block | None = None
    section: Section = ()
    is_protected: bool = False  # whether it is not formatted: what it has is no habit of the text


def find_page_blocks(source: Source, tree: Tree, protected: Sequence[Span]) -> list[PageBlock]:
    """Return what a page consists of, in order; `protected` are the spans that are not formatted."""
    found = [PageBlock(block.kind, block.first, block.last, block) for block in tree.blocks]
    firsts = [block.first for block in found]
    if tree.protected and tree.protected[0].start == 0 and source.text[:3] in ("---", "+++"):
        last = source.line_at(max(0, tree.protected[0].end - 1)) + 1
        if not found or found[0].first >= last:
            found.append(PageBlock("front", 0, last))
    for definition in tree.definitions:
        first = source.line_at(definition.start)
        above = bisect_right(firsts, first) - 1
        if above < 0 or found[above].last <= first:
            last = source.line_at(max(definition.start, definition.end - 1)) + 1
            found.append(PageBlock("definition", first, last))
    found.sort(key=lambda block: block.first)
    sections: list[tuple[int, int]] = []
    for index, block in enumerate(found):
        if block.block is not None and block.kind == "heading":
            while sections and sections[-1][0] >= block.block.level:
                sections.pop()
            sections.append((block.block.level, index))
        is_protected = overlaps_any(source.starts[block.first], source.starts[block.last - 1], protected)
        section = tuple([number for _, number in sections])
        found[index] = block._replace(section=section, is_protected=is_protected)
    return found


class BlankLines:
    """The blank lines that a text has between blocks, by the kinds and the levels of these, and within lists."""

    def __init__(self, source: Source, blocks: Sequence[PageBlock]) -> None:
        self.source = source
        self.blocks = blocks
        self.gaps: Habits[_Question, int] = Habits()
        self.in_lists: Habits[None, int] = Habits()
        # A heading is a sibling of others in the section that holds it.
        self.sections = [block.section[: -1 if block.kind == "heading" else None] for block in blocks[1:]]
        for (before, after), section in zip(pairwise(blocks), self.sections, strict=False):
            if after.first >= before.last and not before.is_protected and not after.is_protected:
                for question in _questions(before, after):
                    self.gaps.add(question, section, after.first - before.last)
        for page_block in blocks:
            if page_block.block is not None and page_block.kind == "list" and not page_block.is_protected:
                for first, last in _gaps_in_list(page_block.block):
                    self.in_lists.add(None, page_block.section, last - first)

    def edits(self) -> Iterator[TextEdit]:
        """Yield the edits for the usual blank lines between blocks, and for none before the first."""
        source, blocks = self.source, self.blocks
        for (before, after), section in zip(pairwise(blocks), self.sections, strict=False):
            blank_lines = after.first - before.last
            usual = self._usual(before, after, section)
            if usual is None or blank_lines in (usual, -1) or blank_lines < 0:
                continue
            optional = before.kind in _NO_BLANK_LINE or after.kind in _NO_BLANK_LINE
            if optional and blank_lines + usual == 1:
                continue
            if blank_lines == 0 and (before.kind, after.kind) in _TOUCHING:
                continue
            if blank_lines == 0 and _ALMOST_ITEM.match(source.lines[before.last - 1]):
                continue  # a slip away from being an item of the list below
            start, end = source.starts[before.last], source.starts[after.first]
            if not source.text[start:end].strip():
                yield TextEdit(start, end, source.newline * usual)
        if blocks and blocks[0].first > 0 and not source.text[: source.starts[blocks[0].first]].strip():
            yield TextEdit(0, source.starts[blocks[0].first], "")

    def list_edits(self, block: Block, section: Section) -> Iterator[TextEdit]:
        """Yield the edits for the usual number of blank lines, of one or more, between the blocks of a list."""
        usual = self.in_lists.usual_or(1, None, section)
        for first, last in _gaps_in_list(block):
            if usual is not None and last - first > usual:
                start, end = self.source.starts[first], self.source.starts[last]
                if not self.source.text[start:end].strip():
                    yield TextEdit(start, end, self.source.newline * usual)

    def _usual(self, before: PageBlock, after: PageBlock, section: Section) -> int | None:
        """Return how many blank lines are to be between two blocks; None if they stay as they are."""
        questions = _questions(before, after)
        question = next((asked for asked in questions if self.gaps.count(asked) >= _ENOUGH), questions[-1])
        usual = self.gaps.usual_or(1, question, section)
        alike = (questions[0], _HEADINGS) if _HEADINGS in questions else questions[:1]
        if usual is None or any(self.gaps.is_rare(asked, usual) for asked in alike):
            return None  # blocks of just these kinds have other blank lines more often
        if usual != 1 and question != questions[0]:
            return None  # another number is a habit only between blocks of just these kinds
        if usual == 0 and (after.kind == "paragraph" or not _can_touch(before, after)):
            return None  # paragraphs are of many kinds: prose, badges, a link to the top
        if usual == 1 and after.first == before.last and not self._is_missing(question, questions, section):
            return None
        return usual

    def _is_missing(self, question: _Question, questions: Sequence[_Question], section: Section) -> bool:
        """Return whether others have the blank line that two blocks lack, and headings one behind them."""
        if _HEADINGS in questions and self.gaps.count(_BEHIND_HEADING) >= FEWEST:
            return self.gaps.usual(_BEHIND_HEADING, section) != 0 and self.gaps.has(question, 1)
        return self.gaps.has(question, 1)


def _questions(before: PageBlock, after: PageBlock) -> tuple[_Question, ...]:
    """Return what the blank lines between two blocks depend on, from the special to the general."""
    if after.block is not None and after.kind == "heading":
        above = "heading" if before.kind == "heading" else ""
        level = after.block.level
        return (
            (before.kind, "heading", level),
            (above, "heading", level),
            (above, "heading", 0),
            ("any", "heading", level),
            ("any", "heading", 0),
        )
    if before.block is not None and before.kind == "heading":
        level = before.block.level
        return ("heading", after.kind, level), ("heading", after.kind, 0), _BEHIND_HEADING
    return ((before.kind, after.kind, 0),)


def _can_touch(before: PageBlock, after: PageBlock) -> bool:
    """Return whether two blocks are the same without a blank line between them."""
    if before.kind == "heading":
        return True
    return after.block is not None and after.kind == "heading" and after.block.marker == "#"


def final_newline_edits(source: Source, blocks: Sequence[PageBlock]) -> Iterator[TextEdit]:
    """Yield the edit for one newline at the end of the text."""
    end = len(source.text.rstrip(" \t\r\n"))
    if end:
        line = source.line_at(end)
        end = source.starts[line] + len(source.lines[line])
    if end and source.text[end:] != source.newline:
        yield TextEdit(end, len(source.text), source.newline)


def _gaps_in_list(block: Block) -> Iterator[tuple[int, int]]:
    """Yield the blank lines between the blocks of a list, as the line of the first and the one behind them."""
    for outer in walk_blocks((block,), ("list", "item")):
        for before, after in pairwise(outer.blocks):
            if after.first > before.last:
                yield before.last, after.first
