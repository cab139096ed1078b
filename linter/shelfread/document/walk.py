"""The walk over a text's blocks that finds its sections and entries."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.entry.build import build_classic, build_paper
from shelfread.document.entry.sub_lines import SubLine
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.html_list import read_html_list
from shelfread.document.html_table import read_html_table
from shelfread.document.list_items import Item, ItemReader, first_inlines, is_field_line, may_be_paper
from shelfread.document.model import Entry
from shelfread.document.non_entries import (
    is_about_list,
    is_contents_list,
    is_contents_title,
    is_internal_url,
    is_name_with_links,
    is_news_title,
    links_internally,
)
from shelfread.document.paragraphs import read_heading_entry, read_paragraph, sub_block
from shelfread.document.plain_text import render_plain_text
from shelfread.document.sections import (
    Outline,
    bold_title,
    closes_details,
    inlines_span,
    read_html_headings,
    title_of,
)
from shelfread.document.table import read_table
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.vocabulary import Vocabulary


class DocumentWalk:
    """One walk over the blocks; the outline says where it stands."""

    def __init__(self, source: Source, links: Sequence[Link], vocabulary: Vocabulary) -> None:
        self.source = source
        self.links = links  # of the whole text, in order
        self._begins = [link.start for link in links]
        self.vocabulary = vocabulary
        self.outline = Outline(source)
        self.entries: list[Entry] = []
        self.heads: dict[int, TitleLine] = {}  # of the entries read as papers, by their number
        self.items = ItemReader(vocabulary)
        self._about: list[bool] = []  # of every section, whether it or one above speaks of the list itself

    # ------------------------------------------------------------------------------ blocks
    def read_blocks(self, blocks: tuple[Block, ...]) -> None:
        """Read blocks in their order."""
        unfolding = False  # within a `<details>` whose summary is an entry: what follows belongs to it
        at = 0
        while at < len(blocks):
            block = blocks[at]
            following = blocks[at + 1] if at + 1 < len(blocks) else None
            if block.kind == "html":
                if unfolding and closes_details(block):
                    unfolding = False
                unfolding = self.read_html(block) or unfolding
            elif block.kind == "heading":
                unfolding = False
                at += self.read_heading(block, blocks[at + 1 : at + 7])
            elif unfolding:
                pass
            elif block.kind == "list":
                self.read_list(block)
            elif block.kind == "paragraph":
                self.read_paragraph(block, following)
            elif block.kind == "table" and not self.is_about_list():
                self.entries += read_table(block, self.outline.current, self.source, self.vocabulary)
            at += 1

    def read_heading(self, block: Block, following: tuple[Block, ...]) -> int:
        """Open a section, or read an entry whose title is the heading; how many blocks below belong to it."""
        found = None if self.is_about_list() else read_heading_entry(block, following, self.vocabulary)
        if found is None:
            self.outline.open_section(
                title_of(block.inlines), inlines_span(block.inlines, block), "heading", block.level
            )
            return 0
        self.outline.close_level(block.level)
        last = following[found.block_count - 1].last if found.block_count else block.last
        self.add_paper(found.title_line, found.sub_lines, block, "heading-title", Span(block.first + 1, last))
        return found.block_count

    def read_html(self, block: Block) -> bool:
        """Follow an HTML block; whether it leaves an entry unfolded."""
        unfolded = read_html_headings(block, self.outline)
        if self.is_about_list():
            return False
        self.entries += read_html_table(block, self.outline.current, self.source, self.vocabulary)
        self.entries += read_html_list(block, self.outline.current, self.source, self.vocabulary)
        for summary in unfolded:
            head = read_title_line(render_plain_text(summary.inlines), self.vocabulary, named=True)
            span = inlines_span(summary.inlines, block)
            first, last = self.source.line_at(span.start), self.source.line_at(span.end) + 1
            if head.title is not None:
                place = block._replace(
                    start=span.start, end=span.end, first=first, last=last, inlines=summary.inlines
                )
                self.add_classic(head, place, "details")
        return bool(unfolded) and unfolded[-1].is_open

    def add_paper(
        self, head: TitleLine, below: list[SubLine], block: Block, dialect: str, lines: Span | None = None
    ) -> None:
        """Add an entry of the kind paper to the section that is open."""
        lines = lines or Span(block.first + 1, block.last)
        section = self.outline.current
        self.heads[len(self.entries)] = head
        self.entries.append(
            build_paper(head, below, block, section, dialect, self.source.text, lines, self.vocabulary)
        )

    def add_classic(self, head: TitleLine, block: Block, dialect: str) -> None:
        """Add an entry of the kind classic to the section that is open."""
        lines = Span(block.first + 1, block.last)
        self.entries.append(build_classic(head, block, self.outline.current, dialect, lines, self.vocabulary))

    def is_about_list(self) -> bool:
        """Whether the open sections speak of the list itself."""
        sections = self.outline.sections
        for section in sections[len(self._about) :]:
            above = section.parent is not None and self._about[section.parent]
            self._about.append(above or is_about_list(section.title))
        current = self.outline.current
        return current is not None and (self._about[current] or is_contents_title(sections[current].title))

    def read_paragraph(self, block: Block, following: Block | None) -> None:
        """Open a section where a paragraph is but bold words, else read the entries in it."""
        title = bold_title(block)
        if (
            title is not None
            and following is not None
            and following.kind in ("list", "table", "paragraph", "html")
        ):
            self.outline.open_bold(title, inlines_span(block.inlines, block))
        elif not self.is_about_list():
            for found in read_paragraph(block, self.source, self.vocabulary):
                self.add_paper(found.title_line, [], found.block, "paragraph")

    # -------------------------------------------------------------------------------- lists
    def read_list(self, block: Block) -> None:
        """Read the entries of a list, as what most of its items are."""
        if self.is_about_list():
            return
        within = slice(bisect_left(self._begins, block.start), bisect_left(self._begins, block.end))
        if is_contents_list(self.links[within]):
            return
        items = [self.items.read(item) for item in block.blocks]
        papers = sum(1 for item in items if item.is_paper)
        linked = sum(
            1 for item in items if item.title_line is not None and item.title_line.title_link is not None
        )
        current = self.outline.current
        if (
            current is not None
            and linked < 0.5 * len(items)
            and is_news_title(self.outline.sections[current].title)
        ):
            return
        for item in items:
            self.read_item(item, papers >= 0.5 * len(items), linked >= 0.5 * len(items))

    def read_item(self, item: Item, mostly_papers: bool, mostly_linked: bool) -> None:
        """Read an item: an entry, the heading of those nested in it, or neither."""
        head = item.title_line
        if head is not None and head.title is None and mostly_linked and not mostly_papers:
            head = read_title_line(item.plain, self.vocabulary, named=True)  # `GitLab` among names is a name
        if head is None or head.title is None or is_field_line(head):
            self.read_nested(item)
        elif self.items.is_group_heading(item):
            inlines = first_inlines(item.block)
            opened = self.outline.open_nested(
                title_of(inlines), inlines_span(inlines, item.block.blocks[0]), "item"
            )
            self.read_nested(item)
            self.outline.close(opened)
        elif (item.is_paper and not links_internally(head)) or (mostly_papers and may_be_paper(item)):
            self.add_paper(head, item.sub_lines, item.block, _paper_dialect(head))
            self.read_further_papers(item)
        else:
            if (
                head.title_link is not None
                and head.shape == "linked"
                and not is_internal_url(head.title_link.link.url)
            ):
                self.add_classic(head, item.block, "classic")
            elif (mostly_linked or len(head.plain.links) > 1) and is_name_with_links(head):
                self.add_classic(head, item.block, "plain-name")
            self.read_nested(item)

    def read_further_papers(self, item: Item) -> None:
        """Read the papers that stand in the same item: in its paragraph, and below it."""
        for part in item.further:
            head = read_title_line(render_plain_text(part), self.vocabulary)
            if head.title is not None:
                self.add_paper(head, [], sub_block(part, item.block, self.source), _paper_dialect(head))
        for child in item.lists:
            for sub in child.blocks:
                further = self.items.read(sub) if self.items.is_own_paper(sub) else None
                if further is not None and further.title_line is not None:
                    self.add_paper(
                        further.title_line, further.sub_lines, sub, _paper_dialect(further.title_line)
                    )

    def read_nested(self, item: Item) -> None:
        """Read the lists and tables within an item."""
        for child in item.block.blocks:
            if child.kind == "list":
                self.read_list(child)
            elif child.kind == "table" and not self.is_about_list():
                self.entries += read_table(child, self.outline.current, self.source, self.vocabulary)


def _paper_dialect(head: TitleLine) -> str:
    if head.shape == "linked":
        return "linked-title"
    if head.shape == "quoted":
        return "quoted-title"
    if head.labels:
        return "bold-title" if head.shape == "strong" else "bracket-links"
    return "plain-title"
