"""Sections: headings, and what lists use in their place."""

from __future__ import annotations

import re

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Section
from shelfread.document.non_entries import CONTENTS, NEWS, NO_DOUBT, Doubt, doubt_of, names_day
from shelfread.document.plain_text import plain_text
from shelfread.markdown.node import Block, Emphasis, Html, Inline, Link, Text

HEADING_TAG = lazy(r"h([1-6])")
_CAPTION = lazy(
    r"\W*(?:(?:click|tap|press) |(?:show|see|view|expand|hide|toggle|unfold|read)\b.{0,40}(?:more|all|list|details|hidden|\.\.\.|…)"
    r"|(?:more|details|expand|show|toggle|unfold)\W*$)",
    re.IGNORECASE,
)
# The lowest level of sections that are no headings: bold paragraphs, list items, details.
PSEUDO_HEADING_LEVEL = 10


class Outline:
    """The sections so far, and the indexes of those that are open, innermost last."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.sections: list[Section] = []
        self.open: list[int] = []
        # what the title of each section, or that of one above it, says against entries.
        self._doubts: list[Doubt] = []

    @property
    def current(self) -> int | None:
        """The index of the innermost open section."""
        return self.open[-1] if self.open else None

    def close_level(self, level: int) -> None:
        """Close the open sections of a level and deeper, and contents, which have no sections.

        Folded text stays open up to its end: what its headings open belongs to it.
        """
        while (
            self.open
            and self.sections[self.open[-1]].level >= level
            and (self.sections[self.open[-1]].kind != "details" or level >= PSEUDO_HEADING_LEVEL)
        ):
            self.open.pop()
        if self.doubt.reason == CONTENTS and level < PSEUDO_HEADING_LEVEL:
            self.open.pop()

    def open_section(self, title: str, span: Span, kind: str, level: int) -> int:
        """Open a section, and close those of its level and deeper. Return its index."""
        self.close_level(level)
        parent = self.current
        path = (*self.sections[parent].path, title) if parent is not None else (title,)
        line = self.source.line_at(span.start) + 1
        section = Section(title, span, kind, level, path=path, parent=parent, line=line)
        self._doubts.append(self._doubt_of(title, level, parent))
        self.sections.append(section)
        self.open.append(len(self.sections) - 1)
        return self.open[-1]

    def open_nested(self, title: str, span: Span, kind: str) -> int:
        """Open a section that is no heading below the current section. Return its index."""
        level = max(self.sections[self.open[-1]].level + 1 if self.open else 0, PSEUDO_HEADING_LEVEL)
        return self.open_section(title, span, kind, level)

    def open_bold(self, title: str, span: Span) -> None:
        """Open the section of a bold paragraph, and close the one of the same kind before it."""
        for index in self.open:
            if self.sections[index].kind == "bold":
                self.close(index)
                break
        self.open_nested(title, span, "bold")

    def close(self, index: int) -> None:
        """Close the section of an index and all below it."""
        if index in self.open:
            del self.open[self.open.index(index) :]

    @property
    def doubt(self) -> Doubt:
        """What the current section says against entries in it."""
        return self._doubts[self.open[-1]] if self.open else NO_DOUBT

    def doubted_sections(self) -> frozenset[int]:
        """Return the indexes of the sections that say something against entries."""
        return frozenset(index for index, doubt in enumerate(self._doubts) if doubt is not NO_DOUBT)

    def _doubt_of(self, title: str, level: int, parent: int | None) -> Doubt:
        """Return what a title says against entries, or what the sections say that it belongs to.

        The first heading names the file, and contents have no sections. Headings of days may follow one called news.
        """
        doubt = doubt_of(title)
        index = parent if parent or (self.sections and self.sections[0].level > 1) else None
        if names_day(title) and self.sections:
            before: int | None = len(self.sections) - 1
            while before is not None and self.sections[before].level > level:
                before = self.sections[before].parent
            index = before if before is not None and self._doubts[before].reason == NEWS else index
        above = self._doubts[index] if index is not None else NO_DOUBT
        return above if above.weight < doubt.weight else doubt


def title_of(inlines: tuple[Inline, ...]) -> str:
    """Return a heading's title as plain text, without a colon at its end."""
    return plain_text(inlines).strip().rstrip(":：").strip()


def inlines_span(inlines: tuple[Inline, ...], block: Block) -> Span:
    """Return the span of a block's inline nodes, or the end of the block if there are none."""
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.end, block.end)


def bold_title(block: Block) -> str | None:
    """Return the title of a paragraph of bold words only, which serves as a heading, else None."""
    nodes = [node for node in block.inlines if not isinstance(node, Text) or node.value.strip(" :：\u200b")]
    if len(nodes) != 1 or not isinstance(nodes[0], Emphasis) or nodes[0].delimiter not in ("**", "__"):
        return None
    if any(isinstance(child, Link) for child in nodes[0].children):
        return None
    title = title_of(block.inlines)
    return title if title and len(title.split()) <= 12 and not title.endswith((".", "!")) else None


def read_html_headings(
    block: Block, outline: Outline
) -> tuple[list[tuple[tuple[Inline, ...], tuple[Inline, ...]]], bool]:
    """Open and close the sections of an HTML block's headings and `<details>`.

    Returns the summaries with a link, which are entries, each with what is folded behind it, and whether the last one's
    `<details>` is still open.
    """
    inlines = block.inlines
    entries: list[tuple[tuple[Inline, ...], tuple[Inline, ...]]] = []
    is_open = False
    for index, node in enumerate(inlines):
        if not isinstance(node, Html):
            continue
        if match := HEADING_TAG.fullmatch(node.tag):
            inner = _until(inlines, index + 1, "/" + node.tag)
            title = title_of(inner)
            if title:
                outline.open_section(title, inlines_span(inner, block), "html", int(match.group(1)))
        elif node.tag == "summary":
            inner = _until(inlines, index + 1, "/summary")
            if any(isinstance(child, Link) and not child.image for child in inner):
                entries.append((inner, _until(inlines, index + len(inner) + 2, "/details")))
                is_open = True
            elif (title := title_of(inner)) and not _is_caption(title, outline):
                outline.open_nested(title, inlines_span(inner, block), "details")
        elif node.tag == "/details":
            opened = [i for i in outline.open if outline.sections[i].kind == "details"]
            if opened and not is_open:
                outline.close(opened[-1])
            is_open = False
    return entries, is_open


def _is_caption(title: str, outline: Outline) -> bool:
    """Return whether a summary only opens what is hidden: `Show more`, or the heading above once more."""
    current = outline.current
    repeats = current is not None and outline.sections[current].title.casefold() == title.casefold()
    return repeats or _CAPTION.match(title) is not None


def _until(inlines: tuple[Inline, ...], start: int, tag: str) -> tuple[Inline, ...]:
    """Return the nodes from an index up to a tag, or all if there is none."""
    for end in range(start, len(inlines)):
        node = inlines[end]
        if isinstance(node, Html) and node.tag == tag:
            return inlines[start:end]
    return inlines[start:]
