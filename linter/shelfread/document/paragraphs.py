"""Entries in paragraphs, and entries whose title is a heading with its labels or fields below."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.entry.build import is_paper
from shelfread.document.entry.labelled_fields import read_labelled_field
from shelfread.document.entry.labels import has_words
from shelfread.document.entry.links import all_links
from shelfread.document.entry.sub_lines import SubLine, is_label_line, parse_sub_line
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.list_items import is_field_line
from shelfread.document.multi_entry import split_entries, sub_block
from shelfread.document.non_entries import is_contents_list, is_sentence, links_internally
from shelfread.document.paper_urls import is_paper_url
from shelfread.document.plain_text import render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# Headings of the parts of a page about one thing.
_PART_TITLES = lazy(
    r"(?:meta ?(?:info(?:rmation)?|data)|info(?:rmation)?|overview|details|resources?|links?|references?|"
    r"papers?|publications?|summary|code|basics?|general)",
    re.IGNORECASE,
)
_MAX_ITEMS = 20
"""The maximum number of labels and fields of a paper in a list below its heading."""


class HeadingEntry(NamedTuple):
    """An entry whose title is a heading: its sub-lines, and the number of blocks they take."""

    title_line: TitleLine
    sub_lines: list[SubLine]
    block_count: int


def read_paragraph(block: Block, source: Source, vocabulary: Vocabulary) -> Iterator[tuple[TitleLine, Block]]:
    """Yield the title line and the block of each paper in a paragraph."""
    if not any(isinstance(node, Link) or getattr(node, "children", ()) for node in block.inlines):
        return
    entries = split_entries(block.inlines, vocabulary)
    for inlines in entries:
        line = read_title_line(render_plain_text(inlines), vocabulary)
        if line.shape not in ("linked", "strong", "quoted") or not is_paper(line, [], vocabulary):
            continue
        if line.shape != "linked" and not (line.labels or line.mentions or line.badge):
            continue
        if links_internally(line) or is_sentence(line) or is_field_line(line):
            continue
        yield line, block if len(entries) == 1 else sub_block(inlines, block, source)


def read_heading_entry(block: Block, after: tuple[Block, ...], vocabulary: Vocabulary) -> HeadingEntry | None:
    """Return the entry whose title is a heading: it links to a paper, or has labels or fields right below it."""
    sub_lines: list[SubLine] = []
    paper_lines = block_count = 0
    for below in after:
        lines = _sub_lines(below, vocabulary)
        kinds = [_kind_of(line, vocabulary) for line in lines]
        if not lines or sum(1 for kind in kinds if kind) < 0.5 * len(kinds):
            break
        sub_lines += [line for line in lines if below.kind == "list" or not _is_note(line)]
        block_count += 1
        paper_lines += kinds.count("paper")
    links = [node for node in block.inlines if isinstance(node, Link) and not node.image]
    linked = len(links) == 1 and is_paper_url(links[0].url, vocabulary)
    if not paper_lines and not linked:
        return None
    title_line = read_title_line(render_plain_text(block.inlines), vocabulary)
    if title_line.title is None or (paper_lines and not sub_lines):
        return None
    title = title_line.title_text
    if _PART_TITLES.fullmatch(title):
        return None
    if not paper_lines and (
        len(title.split()) < 4
        or (title_line.title_link is None and not is_label_line(title_line) and not title_line.labels)
    ):
        return None
    return HeadingEntry(title_line, sub_lines, block_count)


def _sub_lines(block: Block, vocabulary: Vocabulary) -> list[SubLine]:
    """Return the lines of a block that may belong to the title above it."""
    if block.kind == "list":
        # The first items show whether it is a list of entries, as most lists are.
        first = (parse_sub_line(item, vocabulary) for item in block.blocks[:2])
        if len(block.blocks) > _MAX_ITEMS or not any(line and _kind_of(line, vocabulary) for line in first):
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
    labelled = read_labelled_field(line.plain.text)
    return labelled is not None and labelled[0] == "note"


def _kind_of(line: SubLine, vocabulary: Vocabulary) -> str:
    """Return what a line below a heading is for the entry: paper (only papers have it), label, field or people.

    Empty if the line does not belong to an entry.
    """
    labelled = read_labelled_field(line.plain.text)
    if line.labels and not has_words(line.unread):
        return "paper" if is_label_line(line) else "label"
    if labelled is not None:
        if labelled[0] in ("authors", "venue"):
            return "paper"
        links = line.plain.links if labelled[0] == "links" else []
        return "paper" if any(is_paper_url(link.link.url, vocabulary) for link in links) else "field"
    return "people" if line.block.kind == "paragraph" and are_authors(line.plain.text, minimum=2) else ""
