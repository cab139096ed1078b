"""A source read into a document: sections and entries in the order in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.entry import Below, build_classic, build_paper, is_paper
from shelfread.document.head import Head, read_head
from shelfread.document.model import Document, Entry, Section
from shelfread.document.outline import Outline, bold_title, html_marks, inline_span, title_of
from shelfread.document.printed import Printed, print_inlines
from shelfread.document.table import read_html_table, read_table
from shelfread.source import Source
from shelfread.syntax.node import Block, Emphasis, Inline, Link
from shelfread.syntax.parse import parse
from shelfread.taxonomy.vocabulary import Vocabulary

# Sections that speak of the list itself: what they list is no entry of it.
_ABOUT = re.compile(
    r"^\W*(?:contribut\w*(?: guide\w*| to .*)?|how to contribute|"
    r"contributing guidelines?|guidelines|licen[cs]e|copyright|acknowledg\w*|citations?|cite(?: us)?|citing.*|star ?history|"
    r"stargazers.*|sponsors?(?:hip)?|maintainers?|contact(?: us)?|legend|change ?log|what'?s new|recent updates?|updates?|"
    r"how to (?:use|add|cite|read|submit).*|about(?: this.*)?|disclaimer|todos?|to-do|footnotes?|目录|更新.*|贡献.*|许可.*)\W*$",
    re.IGNORECASE,
)
# A place of these pages: an anchor, another Markdown page, a folder.
_ANCHOR = re.compile(r"^#|^[^:]*\.(?:md|mdx|rst|html)(?:#.*)?$|^(?!\w+:)(?:[^:]*/)?[\w-]*/?$")


class _Item(NamedTuple):
    """A list item on its way to be an entry: its head, what is below, and its nested lists."""

    block: Block
    printed: Printed
    head: Head | None
    below: list[Below]
    lists: list[Block]


def read(source: Source, vocabulary: Vocabulary) -> Document:
    """Everything that a list says, whatever its dialect; never fails on any text."""
    tree = parse(source)
    reader = _Reader(source, vocabulary)
    reader.blocks(tree.blocks)
    return Document(source, tree, tuple(reader.outline.sections), tuple(reader.entries), tuple(_links(tree.blocks)))


def _links(blocks: tuple[Block, ...]) -> Iterator[Link]:
    for block in blocks:
        if block.blocks:
            yield from _links(block.blocks)
        if block.inlines:
            yield from _inline_links(block.inlines)


def _inline_links(inlines: tuple[Inline, ...]) -> Iterator[Link]:
    for node in inlines:
        if isinstance(node, Link):
            yield node
            if node.children:
                yield from _inline_links(node.children)
        elif isinstance(node, Emphasis):
            yield from _inline_links(node.children)


class _Reader:
    """One walk over the blocks; the outline says where it stands."""

    def __init__(self, source: Source, vocabulary: Vocabulary) -> None:
        self.source = source
        self.vocabulary = vocabulary
        self.outline = Outline(source)
        self.entries: list[Entry] = []
        self.bold: int | None = None

    # ------------------------------------------------------------------------------ blocks
    def blocks(self, blocks: tuple[Block, ...]) -> None:
        for number, block in enumerate(blocks):
            if block.kind == "heading":
                title = title_of(block.inlines)
                self.outline.begin(title, inline_span(block.inlines, block), "heading", block.level)
            elif block.kind == "list":
                self.list(block)
            elif block.kind == "paragraph":
                self.paragraph(block, blocks[number + 1] if number + 1 < len(blocks) else None)
            elif block.kind == "table":
                self.entries += read_table(block, self.outline.current, self.source, self.vocabulary, self.about())
            elif block.kind == "html":
                html_marks(block, self.outline)
                if not self.about():
                    self.entries += read_html_table(block, self.outline.current, self.source, self.vocabulary)
            elif block.kind == "quote":
                pass

    def about(self) -> bool:
        """Whether the open sections speak of the list itself."""
        sections = self.outline.sections
        return any(_ABOUT.match(sections[index].title) for index in self.outline.open)

    def lines(self, block: Block) -> Span:
        return Span(block.first + 1, block.last)

    # --------------------------------------------------------------------------- paragraphs
    def paragraph(self, block: Block, following: Block | None) -> None:
        title = bold_title(block)
        if title is not None and following is not None and following.kind in ("list", "table", "paragraph", "html"):
            self.begin_bold(title, block)
            return
        if self.about():
            return
        printed = print_inlines(block.inlines)
        head = read_head(printed, self.vocabulary)
        if head.shape not in ("linked", "strong") or head.title is None or not is_paper(head, [], self.vocabulary):
            return
        if head.shape == "strong" and not (head.labels or head.mentions):
            return
        self.entries.append(
            build_paper(
                head, [], block, self.outline.current, "paragraph", self.source.text, self.lines(block), self.vocabulary
            )
        )

    def begin_bold(self, title: str, block: Block) -> None:
        sections = self.outline.sections
        for index in list(self.outline.open):
            if sections[index].kind == "bold":
                self.outline.close(index)
                break
        self.outline.deepen(title, inline_span(block.inlines, block), "bold")

    # -------------------------------------------------------------------------------- lists
    def list(self, block: Block, below: Entry | None = None) -> None:
        if self.about() or _is_contents(block):
            return
        items = [self.item(item) for item in block.blocks]
        papers = [item.head is not None and is_paper(item.head, item.below, self.vocabulary) for item in items]
        mostly = sum(papers) >= 0.5 * len(items)
        for item, paper in zip(items, papers, strict=True):
            self.read_item(item, paper, mostly)

    def item(self, block: Block) -> _Item:
        lists = [child for child in block.blocks if child.kind == "list"]
        prose = [child for child in block.blocks if child.kind == "paragraph"]
        first = prose[0] if prose and block.blocks[0] is prose[0] else None
        printed = print_inlines(first.inlines) if first else print_inlines(())
        head = read_head(printed, self.vocabulary) if first else None
        below = [Below(child, child.inlines) for child in prose[1:]]
        for child in lists:
            for sub in child.blocks:
                if sub.blocks and sub.blocks[0].kind == "paragraph":
                    below.append(Below(sub, sub.blocks[0].inlines))
        return _Item(block, printed, head, below, lists)

    def read_item(self, item: _Item, paper: bool, mostly: bool) -> None:
        head = item.head
        if head is None or head.title is None:
            self.nested(item)
            return
        if self.is_mark(item, paper):
            first = item.block.blocks[0]
            title = title_of(first.inlines)
            opened = self.outline.deepen(title, inline_span(first.inlines, first), "item")
            self.nested(item)
            self.outline.close(opened)
            return
        if paper or mostly and self.may_be_paper(item):
            self.entries.append(
                build_paper(
                    head, item.below, item.block, self.outline.current, _paper_dialect(head), self.source.text,
                    self.lines(item.block), self.vocabulary,
                )
            )  # fmt: skip
            return
        if head.main is not None and head.shape == "linked" and not _ANCHOR.match(head.main.link.url):
            self.entries.append(
                build_classic(head, item.block, self.outline.current, "classic", self.source.text,
                              self.lines(item.block), self.vocabulary)
            )  # fmt: skip
        self.nested(item)

    def nested(self, item: _Item) -> None:
        for child in item.block.blocks:
            if child.kind == "list":
                self.list(child)
            elif child.kind == "table":
                self.entries += read_table(child, self.outline.current, self.source, self.vocabulary, self.about())

    def is_mark(self, item: _Item, paper: bool) -> bool:
        """Whether an item is the heading of the entries nested in it."""
        head = item.head
        if not item.lists or head is None or head.main is not None or paper and head.mentions:
            return False
        text = item.printed.text.strip()
        if head.labels or len(text.split()) > 14:
            return False
        nested = [self.item(sub) for child in item.lists for sub in child.blocks]
        like = [
            sub for sub in nested
            if sub.head is not None and (is_paper(sub.head, sub.below, self.vocabulary) or sub.head.main is not None or sub.lists)
        ]  # fmt: skip
        return len(like) > 0.5 * len(nested)

    def may_be_paper(self, item: _Item) -> bool:
        """Whether an item among papers, which shows no mark of one, is a title all the same."""
        head = item.head
        assert head is not None and head.title is not None
        words = item.printed.text[head.title.start : head.title.end].split()
        return len(words) >= 3 and (head.main is None or not _ANCHOR.match(head.main.link.url))


def _paper_dialect(head: Head) -> str:
    if head.shape == "linked":
        return "linked-title"
    if head.shape == "quoted":
        return "quoted-title"
    if head.labels:
        return "bold-title" if head.shape == "strong" else "bracket-links"
    return "plain-title"


def _is_contents(block: Block) -> bool:
    """Whether a list leads to places of these pages: most of its links are anchors."""
    links = [link for link in _links((block,)) if not link.image]
    anchors = sum(1 for link in links if link.url.startswith("#"))
    return anchors > 0 and anchors >= 0.7 * len(links)


__all__ = ["Section", "read"]
