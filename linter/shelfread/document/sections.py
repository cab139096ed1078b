"""Sections: headings, and the marks that lists use in their place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.model import Section
from shelfread.document.plain_text import plain_text
from shelfread.markdown.node import Block, Emphasis, Html, Inline, Link, Text

_HEADING_TAG = lazy(r"h([1-6])")
MARK_LEVEL = 10
"""The level of a first mark below headings: bold paragraphs, list items, details."""


@dataclass(slots=True)
class Outline:
    """The sections so far, and those that are still open, the innermost last."""

    source: Source
    sections: list[Section] = field(default_factory=list)
    open: list[int] = field(default_factory=list)

    @property
    def current(self) -> int | None:
        return self.open[-1] if self.open else None

    def close_level(self, level: int) -> None:
        """Close the sections of a level and deeper."""
        while self.open and self.sections[self.open[-1]].level >= level:
            self.open.pop()

    def open_section(self, title: str, span: Span, kind: str, level: int) -> int:
        """Open a section, closing those of its level and deeper."""
        self.close_level(level)
        above = self.sections[self.open[-1]].path if self.open else ()
        parent = self.open[-1] if self.open else None
        line = self.source.line_at(span.start) + 1
        self.sections.append(Section(title, span, kind, level, (*above, title), parent, line))
        self.open.append(len(self.sections) - 1)
        return self.open[-1]

    def open_nested(self, title: str, span: Span, kind: str) -> int:
        """Open a mark's section below whatever is open."""
        level = max(self.sections[self.open[-1]].level + 1 if self.open else 0, MARK_LEVEL)
        return self.open_section(title, span, kind, level)

    def open_bold(self, title: str, span: Span) -> None:
        """Open a bold paragraph's section, closing the one of the same kind before it."""
        for index in self.open:
            if self.sections[index].kind == "bold":
                self.close(index)
                break
        self.open_nested(title, span, "bold")

    def close(self, index: int) -> None:
        """Close a section and all below it."""
        if index in self.open:
            del self.open[self.open.index(index) :]


def title_of(inlines: tuple[Inline, ...]) -> str:
    """A heading's title as printed, without a colon at its end."""
    return plain_text(inlines).strip().rstrip(":：").strip()


def inlines_span(inlines: tuple[Inline, ...], block: Block) -> Span:
    """Where inline nodes stand; a block without any stands for them."""
    return Span(inlines[0].start, inlines[-1].end) if inlines else Span(block.end, block.end)


def bold_title(block: Block) -> str | None:
    """The title of a paragraph that is nothing but bold words, and so serves as a heading."""
    nodes = [node for node in block.inlines if not isinstance(node, Text) or node.value.strip(" :：\u200b")]
    if (
        len(nodes) != 1
        or not isinstance(nodes[0], Emphasis)
        or len(nodes[0].delimiter) != 2
        or nodes[0].delimiter == "~~"
    ):
        return None
    if any(isinstance(child, Link) for child in nodes[0].children):
        return None
    title = title_of(block.inlines)
    return title if title and len(title.split()) <= 12 and not title.endswith((".", "!")) else None


class SummaryEntry(NamedTuple):
    """A `<summary>` that is an entry: its nodes, and whether its `<details>` goes on after the block."""

    inlines: tuple[Inline, ...]
    is_open: bool


def read_html_headings(block: Block, outline: Outline) -> list[SummaryEntry]:
    """Follow an HTML block's headings and `<details>`, which open and close sections.

    A summary with a link in it is no heading but an entry that can be unfolded: these are returned.
    """
    inlines = block.inlines
    entries: list[SummaryEntry] = []
    for at, node in enumerate(inlines):
        if not isinstance(node, Html):
            continue
        if match := _HEADING_TAG.fullmatch(node.tag):
            inner = _until(inlines, at + 1, "/" + node.tag)
            title = title_of(inner)
            if title:
                outline.open_section(title, inlines_span(inner, block), "html", int(match.group(1)))
        elif node.tag == "summary":
            inner = _until(inlines, at + 1, "/summary")
            if any(isinstance(child, Link) and not child.image for child in inner):
                entries.append(SummaryEntry(inner, True))
            elif title := title_of(inner):
                outline.open_nested(title, inlines_span(inner, block), "details")
        elif node.tag == "/details":
            if entries and entries[-1].is_open:
                entries[-1] = entries[-1]._replace(is_open=False)
                continue
            opened = [i for i in outline.open if outline.sections[i].kind == "details"]
            if opened:
                outline.close(opened[-1])
    return entries


def closes_details(block: Block) -> bool:
    """Whether an HTML block ends a `<details>`."""
    return any(isinstance(node, Html) and node.tag == "/details" for node in block.inlines)


def _until(inlines: tuple[Inline, ...], start: int, tag: str) -> tuple[Inline, ...]:
    for end in range(start, len(inlines)):
        node = inlines[end]
        if isinstance(node, Html) and node.tag == tag:
            return inlines[start:end]
    return inlines[start:]
