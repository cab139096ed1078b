"""List items on their way to be entries: a head, what is below it, and the lists nested in it."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.document.entry.build import is_paper
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.links import is_paper_address
from shelfread.document.entry.sub_lines import SubLine, look_below
from shelfread.document.entry.title_line import TitleLine, quick_head, read_head
from shelfread.document.multi_entry import divide
from shelfread.document.non_entries import leads_away
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.recognizers.citation import is_citation, without
from shelfread.document.recognizers.people import is_list_of_people
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_BRACKETS = lazy(r"[(\[][^()\[\]]{0,80}[)\]]|\b(?:19|20)\d\d\b")


class Item(NamedTuple):
    """A list item: its head, what is below, its nested lists, and the further entries of its paragraph."""

    block: Block
    printed: PlainText
    title_line: TitleLine | None
    below: list[SubLine]
    lists: list[Block]
    paper: bool
    more: list[tuple[Inline, ...]]


class Items:
    """Items by where they start: a mark's items are looked at before they are read."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._seen: dict[int, Item] = {}

    def look_at(self, block: Block) -> Item:
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
        head = quick_head(inlines, printed, self.vocabulary)
        if head is not None:
            return Item(block, printed, head, below, lists, is_paper(head, below, self.vocabulary), [])
        parts = divide(inlines, self.vocabulary) if len(inlines) > 2 else []
        if len(parts) > 1:
            printed = render_plain_text(parts[0])
        head = read_head(printed, self.vocabulary)
        paper = is_paper(head, below, self.vocabulary) and not is_field(head) and not is_byline(head)
        return Item(block, printed, head, below, lists, paper, parts[1:])

    def _below(self, block: Block, lists: list[Block]) -> list[SubLine]:
        """The lines below an item's first paragraph, but for those that are papers of their own."""
        blocks = [child for child in block.blocks[1:] if child.kind == "paragraph"]
        blocks += [sub for child in lists for sub in child.blocks if not self.is_paper_itself(sub)]
        lines = (look_below(below, self.vocabulary) for below in blocks)
        return [line for line in lines if line is not None]

    def is_paper_itself(self, block: Block) -> bool:
        """Whether an item below a title is a further paper: a whole title that leads to a paper."""
        inlines = first_inlines(block)
        if not any(
            isinstance(node, Link) and is_paper_address(node.url, self.vocabulary) for node in inlines
        ):
            return False
        item = self.look_at(block)
        head = item.title_line
        if (
            head is None
            or head.shape != "linked"
            or head.main is None
            or head.title is None
            or not item.paper
        ):
            return False
        words = item.printed.text[head.title.start : head.title.end].split()
        return len(words) >= 5 and is_paper_address(head.main.link.url, self.vocabulary)

    def is_mark(self, item: Item) -> bool:
        """Whether an item is the heading of the entries nested in it."""
        head = item.title_line
        text = item.printed.text.strip()
        if not item.lists or head is None or head.main is not None or head.labels or len(text.split()) > 14:
            return False
        if head.mentions and not is_citation(text, self.vocabulary):
            return False
        nested = [self.look_at(sub) for child in item.lists for sub in child.blocks]
        like = [
            sub
            for sub in nested
            if sub.paper or sub.lists or (sub.title_line is not None and sub.title_line.main is not None)
        ]
        return len(like) > 0.5 * len(nested)


def may_be_paper(item: Item) -> bool:
    """Whether an item among papers, which shows no mark of one, is a title all the same."""
    head = item.title_line
    if head is None or head.title is None or is_field(head) or is_byline(head):
        return False
    words = item.printed.text[head.title.start : head.title.end].split()
    return len(words) >= 3 and not leads_away(head)


def is_field(head: TitleLine) -> bool:
    """Whether a line states a field of the thing above it: `Link: [arXiv](u)`, `Example: [MArk](u)`."""
    text = head.printed.text
    found = read_labelled_field(text)
    if found is None or head.title is None or head.shape == "quoted":
        return False
    if found[0] == "links" and head.main is not None and head.shape == "linked":
        return False
    return found[0] != "note" or not head.labels


def is_byline(head: TitleLine) -> bool:
    """Whether a line names people and where they published, and nothing else: `Justin Fu. BAIR Blog, 2020.`"""
    if head.printed.links or head.shape != "plain" or head.title is None or head.name is not None:
        return False
    if any(mention.start < head.title.start for mention in head.mentions):
        return False
    text = _BRACKETS.sub("", without(head.rest[:600], head.mentions)).strip(" .,")
    title = head.printed.text[head.title.start : head.title.end]
    return is_list_of_people(text) or (len(title.split()) <= 20 and is_list_of_people(title))


def first_inlines(block: Block) -> tuple[Inline, ...]:
    """The nodes of an item's first paragraph."""
    return block.blocks[0].inlines if block.blocks else ()
