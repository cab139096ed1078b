"""A source read into a document: sections and entries in the order in which they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.below import Below
from shelfread.document.citation import find_mentions, find_year, is_citation
from shelfread.document.entry import build_classic, build_paper, is_paper
from shelfread.document.head import Head, quick_head, read_head
from shelfread.document.model import Citation, Document, Entry, Field, Section
from shelfread.document.outline import (
    Outline,
    bold_title,
    closes_details,
    html_marks,
    inline_span,
    title_of,
)
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
    r"how to (?:use|add|cite|read|submit).*|about(?: this.*)?|todos?|to-do|footnotes?|更新.*|贡献.*|许可.*)\W*$",
    re.IGNORECASE,
)
# A place of these pages: an anchor, another Markdown page, a folder.
_PLACE = re.compile(r"^#|^[^:]*\.(?:md|mdx|rst|html)(?:#.*)?$|^(?!\w+:)(?:[^:]*/)?[\w-]*/?$")


class _Item(NamedTuple):
    """A list item on its way to be an entry: its head, what is below, and its nested lists."""

    block: Block
    printed: Printed
    head: Head | None
    below: list[Below]
    lists: list[Block]
    paper: bool


def read(source: Source, vocabulary: Vocabulary) -> Document:
    """Everything that a list says, whatever its dialect; never fails on any text."""
    tree = parse(source)
    reader = _Reader(source, vocabulary)
    reader.blocks(tree.blocks)
    sections = tuple(_date(section, vocabulary) for section in reader.outline.sections)
    return Document(source, tree, sections, tuple(_settle_kinds(reader.entries)), tuple(_links(tree.blocks)))


def _date(section: Section, vocabulary: Vocabulary) -> Section:
    """A section with the venue and year that its title states for all that is below it."""
    title = section.title
    if len(title) > 60 or not (year := find_year(title)) and not find_mentions(title, vocabulary):
        return section
    citation = None
    if is_citation(title, vocabulary) and (mentions := find_mentions(title, vocabulary)):
        best = next((mention for mention in mentions if mention.year), mentions[0])
        name = Field(title[best.name_start : best.name_end], section.span)
        citation = Citation(title[best.start : best.end], section.span, best.venue, best.year, name)
    stated = citation.year if citation else None
    if stated is None and year and re.fullmatch(r"\W*\d{4}\W*", title):
        stated = year[0]
    return replace(section, citation=citation, year=stated)


def _settle_kinds(entries: list[Entry]) -> list[Entry]:
    """Things with label links are papers among papers, and classic entries among these."""
    def is_certain(entry: Entry) -> bool:
        return entry.citation is not None or any(link.role is not None and link.role.id == "paper" for link in entry.links)

    papers = sum(1 for entry in entries if entry.kind == "paper" and is_certain(entry))
    if papers >= 0.3 * len(entries):
        return entries
    return [
        entry if entry.kind == "classic" or is_certain(entry) else replace(entry, kind="classic", name=entry.title)
        for entry in entries
    ]


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
        self.items: dict[int, _Item] = {}  # by where they start: a mark's items are looked at before they are read

    # ------------------------------------------------------------------------------ blocks
    def blocks(self, blocks: tuple[Block, ...]) -> None:
        unfolding = False  # within a `<details>` whose summary is an entry: what follows belongs to it
        at = 0
        while at < len(blocks):
            block = blocks[at]
            following = blocks[at + 1] if at + 1 < len(blocks) else None
            at += 1
            if block.kind == "html":
                if unfolding and closes_details(block):
                    unfolding = False
                unfolding = self.html(block) or unfolding
            elif unfolding and block.kind != "heading":
                continue
            elif block.kind == "heading":
                unfolding = False
                if self.heading(block, following):
                    at += 1
            elif block.kind == "list":
                self.list(block)
            elif block.kind == "paragraph":
                self.paragraph(block, following)
            elif block.kind == "table":
                self.table(block)

    def heading(self, block: Block, following: Block | None) -> bool:
        """Open a section; or read an entry whose title is the heading and whose labels are the list below."""
        span = inline_span(block.inlines, block)
        if following is not None and following.kind == "list" and not self.about():
            items = [self.item(item) for item in following.blocks]
            labels = [item.head.labels for item in items if item.head is not None and item.head.title is None]
            papers = [label for found in labels for label in found if label.role is not None and label.role.id == "paper"]
            if papers and len(labels) >= 0.5 * len(items):
                head = read_head(print_inlines(block.inlines), self.vocabulary)
                below = [Below(item.block, item.block.blocks[0].inlines, item.head) for item in items if item.head]
                if head.title is not None:
                    self.outline.end(block.level)
                    lines = Span(block.first + 1, following.last)
                    self.add_paper(head, below, block, "heading-title", lines)
                    return True
        self.outline.begin(title_of(block.inlines), span, "heading", block.level)
        return False

    def html(self, block: Block) -> bool:
        """Follow an HTML block; whether it leaves an entry unfolded."""
        unfolded = html_marks(block, self.outline)
        if self.about():
            return False
        self.entries += read_html_table(block, self.outline.current, self.source, self.vocabulary)
        for summary in unfolded:
            head = read_head(print_inlines(summary.inlines), self.vocabulary, named=True)
            span = inline_span(summary.inlines, block)
            first, last = self.source.line_at(span.start), self.source.line_at(span.end) + 1
            if head.title is not None:
                place = block._replace(start=span.start, end=span.end, first=first, last=last, inlines=summary.inlines)
                self.add_classic(head, place, "details")
        return bool(unfolded) and unfolded[-1].goes_on

    def table(self, block: Block) -> None:
        if not self.about():
            self.entries += read_table(block, self.outline.current, self.source, self.vocabulary)

    def add_paper(self, head: Head, below: list[Below], block: Block, dialect: str, lines: Span | None = None) -> None:
        self.entries.append(
            build_paper(head, below, block, self.outline.current, dialect, self.source.text,
                        lines or Span(block.first + 1, block.last), self.vocabulary)
        )  # fmt: skip

    def add_classic(self, head: Head, block: Block, dialect: str) -> None:
        self.entries.append(
            build_classic(head, block, self.outline.current, dialect, Span(block.first + 1, block.last), self.vocabulary)
        )

    def about(self) -> bool:
        """Whether the open sections speak of the list itself."""
        sections = self.outline.sections
        return any(_ABOUT.match(sections[index].title) for index in self.outline.open)

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
        self.add_paper(head, [], block, "paragraph")

    def begin_bold(self, title: str, block: Block) -> None:
        sections = self.outline.sections
        for index in list(self.outline.open):
            if sections[index].kind == "bold":
                self.outline.close(index)
                break
        self.outline.deepen(title, inline_span(block.inlines, block), "bold")

    # -------------------------------------------------------------------------------- lists
    def list(self, block: Block) -> None:
        if self.about() or _is_contents(block):
            return
        items = [self.item(item) for item in block.blocks]
        papers = sum(1 for item in items if item.paper)
        linked = sum(1 for item in items if item.head is not None and item.head.main is not None)
        for item in items:
            self.read_item(item, papers >= 0.5 * len(items), linked >= 0.5 * len(items))

    def item(self, block: Block) -> _Item:
        found = self.items.get(block.start)
        if found is None:
            found = self.items[block.start] = self.look_at(block)
        return found

    def look_at(self, block: Block) -> _Item:
        first = block.blocks[0] if block.blocks and block.blocks[0].kind == "paragraph" else None
        lists = [child for child in block.blocks if child.kind == "list"]
        if first is None:
            return _Item(block, print_inlines(()), None, [], lists, False)
        printed = print_inlines(first.inlines)
        head = quick_head(first.inlines, printed, self.vocabulary) or read_head(printed, self.vocabulary)
        below = [
            Below(child, child.inlines, read_head(print_inlines(child.inlines), self.vocabulary))
            for child in block.blocks[1:]
            if child.kind == "paragraph"
        ]
        for child in lists:
            for sub in child.blocks:
                found = self.item(sub)
                if found.head is not None:
                    below.append(Below(sub, sub.blocks[0].inlines, found.head))
        return _Item(block, printed, head, below, lists, is_paper(head, below, self.vocabulary))

    def read_item(self, item: _Item, mostly_papers: bool, mostly_linked: bool) -> None:
        head = item.head
        if head is not None and head.title is None and mostly_linked and not mostly_papers:
            head = read_head(item.printed, self.vocabulary, named=True)  # `GitLab` among names is a name
        if head is None or head.title is None:
            self.nested(item)
        elif self.is_mark(item):
            first = item.block.blocks[0]
            opened = self.outline.deepen(title_of(first.inlines), inline_span(first.inlines, first), "item")
            self.nested(item)
            self.outline.close(opened)
        elif item.paper and not _leads_away(head) or mostly_papers and self.may_be_paper(item):
            self.add_paper(head, item.below, item.block, _paper_dialect(head))
        else:
            if head.main is not None and head.shape == "linked" and not _PLACE.match(head.main.link.url):
                self.add_classic(head, item.block, "classic")
            elif (mostly_linked or len(head.printed.links) > 1) and _ends_in_links(head):
                self.add_classic(head, item.block, "plain-name")
            self.nested(item)

    def nested(self, item: _Item) -> None:
        for child in item.block.blocks:
            if child.kind == "list":
                self.list(child)
            elif child.kind == "table":
                self.table(child)

    def is_mark(self, item: _Item) -> bool:
        """Whether an item is the heading of the entries nested in it."""
        head = item.head
        text = item.printed.text.strip()
        if not item.lists or head is None or head.main is not None or head.labels or len(text.split()) > 14:
            return False
        if head.mentions and not is_citation(text, self.vocabulary):
            return False
        nested = [self.item(sub) for child in item.lists for sub in child.blocks]
        like = [sub for sub in nested if sub.paper or sub.lists or sub.head is not None and sub.head.main is not None]
        return len(like) > 0.5 * len(nested)

    def may_be_paper(self, item: _Item) -> bool:
        """Whether an item among papers, which shows no mark of one, is a title all the same."""
        head = item.head
        assert head is not None and head.title is not None
        words = item.printed.text[head.title.start : head.title.end].split()
        return len(words) >= 3 and not _leads_away(head)


def _leads_away(head: Head) -> bool:
    """Whether a title leads to another place of these pages, where the thing itself is listed."""
    return head.main is not None and not head.labels and bool(_PLACE.match(head.main.link.url))


def _ends_in_links(head: Head) -> bool:
    """Whether a line is words and then links: `Name - [Part 1](u) & [Part 2](v)`."""
    printed = head.printed
    if not printed.links:
        return False
    first = printed.links[0].start
    after = printed.text[first:]
    for link in reversed(printed.links):
        after = after[: link.start - first] + after[link.end - first :]
    return bool(printed.text[:first].strip()) and len(after.split()) <= 3 and len(printed.text[:first].split()) <= 20


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

