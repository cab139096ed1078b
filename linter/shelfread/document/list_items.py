"""List items on their way to be entries: a head, what is below it, and the lists nested in it."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.build import is_paper
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.links import is_paper_url
from shelfread.document.entry.sub_lines import SubLine, parse_sub_line
from shelfread.document.entry.title_line import TitleLine, read_simple_title_line, read_title_line
from shelfread.document.multi_entry import split_entries
from shelfread.document.non_entries import links_internally
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.recognizers.citation import blank_mentions, is_citation
from shelfread.document.recognizers.people import is_list_of_people
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACKETS = lazy(r"[(\[][^()\[\]]{0,80}[)\]]|\b(?:19|20)\d\d\b")


class Item(NamedTuple):
    """A list item: its head, what is below, its nested lists, and the further entries of its paragraph."""

    block: Block
    plain: PlainText
    title_line: TitleLine | None
    sub_lines: list[SubLine]
    lists: list[Block]
    is_paper: bool
    further: list[tuple[Inline, ...]]


class ItemReader:
    """ItemReader by where they start: a mark's items are looked at before they are read."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._seen: dict[int, Item] = {}

    def read(self, block: Block) -> Item:
        """An item, taken apart once."""
        found = self._seen.get(block.start)
        if found is None or found.block is not block:
            found = self._seen[block.start] = self._take_apart(block)
        return found

    def _take_apart(self, block: Block) -> Item:
        first = block.blocks[0] if block.blocks and block.blocks[0].kind == "paragraph" else None
        lists = [child for child in block.blocks if child.kind == "list"]
        if first is None:
            return Item(block, render_plain_text(()), None, [], lists, False, [])
        inlines = first.inlines
        below = self._below(block, lists) if len(block.blocks) > 1 else []
        printed = render_plain_text(inlines)
        head = read_simple_title_line(inlines, printed, self.vocabulary)
        if head is not None:
            return Item(block, printed, head, below, lists, is_paper(head, below, self.vocabulary), [])
        parts = split_entries(inlines, self.vocabulary) if len(inlines) > 2 else []
        if len(parts) > 1:
            printed = render_plain_text(parts[0])
        head = read_title_line(printed, self.vocabulary)
        paper = is_paper(head, below, self.vocabulary) and not is_field_line(head) and not is_byline(head)
        return Item(block, printed, head, below, lists, paper, parts[1:])

    def _below(self, block: Block, lists: list[Block]) -> list[SubLine]:
        """The lines below an item's first paragraph, but for those that are papers of their own."""
        blocks = [child for child in block.blocks[1:] if child.kind == "paragraph"]
        blocks += [sub for child in lists for sub in child.blocks if not self.is_own_paper(sub)]
        lines = (parse_sub_line(below, self.vocabulary) for below in blocks)
        return [line for line in lines if line is not None]

    def is_own_paper(self, block: Block) -> bool:
        """Whether an item below a title is a further paper: a whole title that leads to a paper."""
        inlines = first_inlines(block)
        if not any(isinstance(node, Link) and is_paper_url(node.url, self.vocabulary) for node in inlines):
            return False
        item = self.read(block)
        head = item.title_line
        if (
            head is None
            or head.shape != "linked"
            or head.title_link is None
            or head.title is None
            or not item.is_paper
        ):
            return False
        words = item.plain.text[head.title.start : head.title.end].split()
        return len(words) >= 5 and is_paper_url(head.title_link.link.url, self.vocabulary)

    def is_group_heading(self, item: Item) -> bool:
        """Whether an item is the heading of the entries nested in it."""
        head = item.title_line
        text = item.plain.text.strip()
        if (
            not item.lists
            or head is None
            or head.title_link is not None
            or head.labels
            or len(text.split()) > 14
        ):
            return False
        if head.mentions and not is_citation(text, self.vocabulary):
            return False
        nested = [self.read(sub) for child in item.lists for sub in child.blocks]
        like = [
            sub
            for sub in nested
            if sub.is_paper
            or sub.lists
            or (sub.title_line is not None and sub.title_line.title_link is not None)
        ]
        return len(like) > 0.5 * len(nested)


def may_be_paper(item: Item) -> bool:
    """Whether an item among papers, which shows no mark of one, is a title all the same."""
    head = item.title_line
    if head is None or head.title is None or is_field_line(head) or is_byline(head):
        return False
    words = item.plain.text[head.title.start : head.title.end].split()
    return len(words) >= 3 and not links_internally(head)


def is_field_line(head: TitleLine) -> bool:
    """Whether a line states a field of the thing above it: `Link: [arXiv](u)`, `Example: [MArk](u)`."""
    text = head.plain.text
    found = read_labelled_field(text)
    if found is None or head.title is None or head.shape == "quoted":
        return False
    if found[0] == "links" and head.title_link is not None and head.shape == "linked":
        return False
    return found[0] != "note" or not head.labels


def is_byline(head: TitleLine) -> bool:
    """Whether a line names people and where they published, and nothing else: `Justin Fu. BAIR Blog, 2020.`"""
    if head.plain.links or head.shape != "plain" or head.title is None or head.name is not None:
        return False
    if any(mention.start < head.title.start for mention in head.mentions):
        return False
    text = _BRACKETS.sub("", blank_mentions(head.unread[:600], head.mentions)).strip(" .,")
    title = head.plain.text[head.title.start : head.title.end]
    return is_list_of_people(text) or (len(title.split()) <= 20 and is_list_of_people(title))


def first_inlines(block: Block) -> tuple[Inline, ...]:
    """The nodes of an item's first paragraph."""
    return block.blocks[0].inlines if block.blocks else ()
