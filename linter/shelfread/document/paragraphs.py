"""Entries in paragraphs, and entries whose title is a heading with its labels or fields below."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.entry_fields import all_links
from shelfread.document.entry.kind import is_paper
from shelfread.document.entry.labels import has_words
from shelfread.document.entry.sub_lines import SubLine, is_label_line, parse_sub_line, read_labelled_field
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.identity import is_paper_url
from shelfread.document.list_items import is_field_line
from shelfread.document.multi_entry import split_entries, split_fields, sub_block
from shelfread.document.non_entries import is_contents_list, is_internal_url, is_sentence, links_internally
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.vocabulary import Vocabulary

# Headings of the parts of a page about one thing.
_PART_TITLES = lazy(
    r"(?:meta ?(?:info(?:rmation)?|data)|info(?:rmation)?|overview|details|resources?|links?|references?|"
    r"papers?|publications?|summary|code|basics?|general)",
    re.IGNORECASE,
)
_DESCRIBED = lazy(r"\W{0,3}[-–—:,]\s|[\[(]")
_MIN_PARAGRAPHS = 3
_MAX_ITEMS = 20
"""The maximum number of labels and fields of a paper in a list below its heading."""


class HeadingEntry(NamedTuple):
    """An entry whose title is a heading: its sub-lines, and the number of blocks they take."""

    title_line: TitleLine
    sub_lines: list[SubLine]
    block_count: int


def read_paragraph(
    block: Block, source: Source, vocabulary: Vocabulary
) -> Iterator[tuple[TitleLine, list[SubLine], Block]]:
    """Yield the title line, the lines of fields below it and the block of each paper in a paragraph."""
    if not any(isinstance(node, Link) or getattr(node, "children", ()) for node in block.inlines):
        return
    entries = split_entries(block.inlines, vocabulary)
    for inlines in entries:
        title, fields = split_fields(inlines)
        line = read_title_line(render_plain_text(title), vocabulary)
        if line.shape not in ("linked", "strong", "quoted") or not is_paper(line, [], vocabulary):
            continue
        if line.shape != "linked" and not (line.labels or line.mentions or line.badge):
            continue
        if links_internally(line) or is_sentence(line) or is_field_line(line):
            continue
        sub_lines = [
            sub_line
            for field in fields
            if (sub_line := parse_sub_line(sub_block(field, block, source), vocabulary)) is not None
        ]
        yield line, sub_lines, block if len(entries) == 1 else sub_block(inlines, block, source)


def find_linked_paragraphs(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Return the indexes of paragraphs that begin with a link to what they name, where most of their siblings do.

    A single one is a sentence that begins with a link. Siblings have the same heading above them.
    """
    found: set[int] = set()
    run: list[int] = []
    for index, block in enumerate((*blocks, None)):
        if block is not None and block.kind == "paragraph":
            run.append(index)
        elif block is None or block.kind in ("heading", "list"):
            linked = [i for i in run if _begins_with_name(blocks[i])]
            if len(linked) >= _MIN_PARAGRAPHS and len(linked) >= 0.6 * len(run):
                found.update(linked)
            run = []
    return frozenset(found)


def _begins_with_name(block: Block) -> bool:
    """Return whether a paragraph is a link, or a link and its description or labels."""
    first = block.inlines[0] if block.inlines else None
    if not isinstance(first, Link) or first.image or is_internal_url(first.url):
        return False
    name, after = plain_text((first,)), plain_text(block.inlines[1:])
    return any(map(str.isalpha, name)) and (len(after.split()) <= 4 or bool(_DESCRIBED.match(after)))


def read_heading_entry(block: Block, after: tuple[Block, ...], vocabulary: Vocabulary) -> HeadingEntry | None:
    """Return the entry whose title is a heading: it links to a paper, or has labels or fields right below it."""
    sub_lines: list[SubLine] = []
    paper_lines = block_count = 0
    kinds_below: set[str] = set()
    for below in after:
        lines = _sub_lines(below, vocabulary)
        kinds = [_kind_of(line, vocabulary) for line in lines]
        if not lines or sum(1 for kind in kinds if kind) < 0.5 * len(kinds):
            break
        sub_lines += [line for line in lines if below.kind == "list" or not _is_note(line)]
        block_count += 1
        paper_lines += kinds.count("paper")
        kinds_below.update(kinds)
    links = [node for node in block.inlines if isinstance(node, Link) and not node.image]
    linked = len(links) == 1 and is_paper_url(links[0].url, vocabulary)
    if not sub_lines and not linked:
        return None
    title_line = read_title_line(render_plain_text(block.inlines), vocabulary)
    cites = any(mention.venue is not None and mention.year for mention in title_line.mentions)
    is_cited = cites and "label" in kinds_below
    if title_line.title is None or not (paper_lines or linked or is_cited):
        return None
    title = title_line.title_text
    if _PART_TITLES.fullmatch(title):
        return None
    if not paper_lines:
        is_marked = title_line.title_link is not None or title_line.labels or is_cited
        if len(title.split()) < 4 or not is_marked:
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
