"""Entries that are no list items: paragraphs, and headings with their labels or fields below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.entry.build import is_paper
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import has_words
from shelfread.document.entry.links import all_links, is_paper_url
from shelfread.document.entry.sub_lines import SubLine, is_label_line, parse_sub_line
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.list_items import is_field_line
from shelfread.document.multi_entry import split_entries
from shelfread.document.non_entries import is_contents_list, is_sentence, links_internally
from shelfread.document.plain_text import render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# Headings of a part of a page about one thing.
_PARTS = lazy(
    r"(?:meta ?(?:info(?:rmation)?|data)|info(?:rmation)?|overview|details|resources?|links?|references?|"
    r"papers?|publications?|summary|code|basics?|general)",
    re.IGNORECASE,
)


_MOST_LINES = 20
"""No paper has more labels and fields than that."""


class ParagraphEntry(NamedTuple):
    """An entry in a paragraph: its head and the block that stands for it."""

    title_line: TitleLine
    block: Block


class HeadingEntry(NamedTuple):
    """A heading that is an entry's title, what is below it, and how many blocks that takes."""

    title_line: TitleLine
    sub_lines: list[SubLine]
    block_count: int


def read_paragraph(block: Block, source: Source, vocabulary: Vocabulary) -> Iterator[ParagraphEntry]:
    """The papers that a paragraph is, one or several."""
    if not any(isinstance(node, Link) or getattr(node, "children", ()) for node in block.inlines):
        return
    parts = split_entries(block.inlines, vocabulary)
    for part in parts:
        head = read_title_line(render_plain_text(part), vocabulary)
        if (
            head.shape not in ("linked", "strong", "quoted")
            or head.title is None
            or not is_paper(head, [], vocabulary)
        ):
            continue
        if head.shape != "linked" and not (head.labels or head.mentions or head.badge):
            continue
        if links_internally(head) or is_sentence(head) or is_field_line(head):
            continue
        yield ParagraphEntry(head, block if len(parts) == 1 else sub_block(part, block, source))


def sub_block(inlines: tuple[Inline, ...], block: Block, source: Source) -> Block:
    """A part of a block, as a block of its own."""
    start, end = inlines[0].start, inlines[-1].end
    first, last = source.line_at(start), source.line_at(max(end - 1, start)) + 1
    return block._replace(
        kind="paragraph", start=start, end=end, first=first, last=last, blocks=(), inlines=inlines
    )


def read_heading_entry(
    block: Block, following: tuple[Block, ...], vocabulary: Vocabulary
) -> HeadingEntry | None:
    """The entry whose title a heading is: it leads to a paper, or labels and fields stand right below it."""
    below: list[SubLine] = []
    papers = taken = 0
    for one in following:
        lines = _lines_of(one, vocabulary)
        kinds = [_kind_of(line, vocabulary) for line in lines]
        if not lines or sum(1 for kind in kinds if kind) < 0.5 * len(kinds):
            break
        below += [line for line in lines if one.kind == "list" or not _is_note(line)]
        taken += 1
        papers += sum(1 for kind in kinds if kind == "paper")
    linked = [node for node in block.inlines if isinstance(node, Link) and not node.image]
    titled = len(linked) == 1 and is_paper_url(linked[0].url, vocabulary)
    if not papers and not titled:
        return None
    head = read_title_line(render_plain_text(block.inlines), vocabulary)
    if head.title is None or (papers and not below):
        return None
    title = head.plain.text[head.title.start : head.title.end]
    words = title.split()
    if _PARTS.fullmatch(title):
        return None
    if (
        titled
        and not papers
        and (len(words) < 4 or (head.title_link is None and not is_label_line(head) and not head.labels))
    ):
        return None
    return HeadingEntry(head, below, taken)


def _lines_of(block: Block, vocabulary: Vocabulary) -> list[SubLine]:
    """The lines of a block that may belong to the title above it."""
    if block.kind == "list":
        # A list of entries, which most are, shows it with its first items.
        first = (parse_sub_line(item, vocabulary) for item in block.blocks[:2])
        if len(block.blocks) > _MOST_LINES or not any(line and _kind_of(line, vocabulary) for line in first):
            return []
        if is_contents_list(all_links((block,))):
            return []
        lines = (parse_sub_line(item, vocabulary) for item in block.blocks)
        return [line for line in lines if line is not None]
    if block.kind == "paragraph":
        line = parse_sub_line(block, vocabulary)
        return [line] if line is not None and _kind_of(line, vocabulary) else []
    return []


def _is_note(line: SubLine) -> bool:
    field = read_labelled_field(line.plain.text)
    return field is not None and field[0] == "note"


def _kind_of(line: SubLine, vocabulary: Vocabulary) -> str:
    """Whether a line below a heading can be of the entry that the heading names, and tells that it is a paper."""
    field = read_labelled_field(line.plain.text)
    if line.labels and not has_words(line.unread):
        return "paper" if is_label_line(line) else "label"
    if field is not None:
        if field[0] in ("authors", "venue"):
            return "paper"
        if field[0] == "links" and any(is_paper_url(link.link.url, vocabulary) for link in line.plain.links):
            return "paper"
        return "field"
    return "people" if line.block.kind == "paragraph" and are_authors(line.plain.text, least=2) else ""
