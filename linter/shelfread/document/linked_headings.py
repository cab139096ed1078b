"""Headings that are entries: `## [Name](url)`, with a description and further links below."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.classic import further_links
from shelfread.document.entry.sub_lines import (
    SubLineFields,
    collect_labelled_fields,
    parse_sub_line,
    read_labelled_field,
)
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.model import Field, LabelledLink
from shelfread.document.non_entries import is_internal_url
from shelfread.document.plain_text import TextRange, plain_text, render_plain_text
from shelfread.document.recognizers.venues import find_mentions
from shelfread.markdown.node import Block, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_DESCRIBED = lazy(r"\W{1,6}[-–—:]\s")
_FIELD = lazy(r"[\w ]{2,20}:\s")
_MIN_ENTRIES = 3
"""The number of described links below a heading from which on it is the heading of entries."""


class LinkedHeading(NamedTuple):
    """An entry whose title is a heading: its title line, what the blocks below state, and their number."""

    title_line: TitleLine
    description: Field | None
    links: tuple[LabelledLink, ...]
    fields: SubLineFields
    """What labelled items below state: `- Authors: Ada Stone`."""
    block_count: int


def find_linked_headings(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Return the indexes of the headings that link to what they name, where most of their siblings, or of their level, do too.

    A single heading with a link is one of a section: `## [Rust](https://rust-lang.org)` among `## Python`, `## Go`.
    """
    indexes = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    return frozenset([indexes[number] for number in choose_linked(levels_and_links(blocks))])


def levels_and_links(blocks: tuple[Block, ...]) -> list[tuple[int, bool]]:
    """Return the level of each heading, and whether it links to what it names."""
    return [(block.level, _is_linked(block)) for block in blocks if block.kind == "heading"]


def choose_linked(headings: Sequence[tuple[int, bool]]) -> frozenset[int]:
    """Return the linked headings of a document among which most are linked, by their numbers from 0."""
    if not any(is_linked for _, is_linked in headings):
        return frozenset()
    levels: dict[int, list[int]] = {}
    siblings: dict[tuple[int, int], list[int]] = {}
    above: list[int] = []  # the numbers of the open headings
    for number, (level, _) in enumerate(headings):
        while above and headings[above[-1]][0] >= level:
            above.pop()
        levels.setdefault(level, []).append(number)
        siblings.setdefault((above[-1] if above else -1, level), []).append(number)
        above.append(number)
    found: set[int] = set()
    for group in (*levels.values(), *siblings.values()):
        linked = [number for number in group if headings[number][1]]
        if len(linked) > 1 and len(linked) >= 0.5 * len(group):
            found.update(linked)
    return frozenset(found)


def read_linked_heading(
    blocks: tuple[Block, ...], index: int, source: str, vocabulary: Vocabulary
) -> LinkedHeading | None:
    """Return the entry of a linked heading, or None if entries are listed below it."""
    heading = blocks[index]
    title_line = read_title_line(render_plain_text(heading.inlines), vocabulary, named=True)
    link = title_line.title_link or next(
        (link for link in title_line.plain.links if link.end > link.start), None
    )
    if link is None:
        return None
    title_line = title_line._replace(shape="linked", title=TextRange(link.start, link.end), title_link=link)
    end = index + 1
    while end < len(blocks) and not (blocks[end].kind == "heading" and blocks[end].level <= heading.level):
        end += 1
    body = blocks[index + 1 : end]
    items = [item for block in body if block.kind == "list" for item in block.blocks]
    described = sum(1 for item in items if (words := _words_beside_link(item)) is not None and words > 3)
    papers = sum(1 for item in items if _names_paper(item, vocabulary))
    if described >= _MIN_ENTRIES or papers > 1 or any(block.kind == "table" for block in body):
        return None
    links = tuple(link for item in items for link in leading_links(item, vocabulary))
    lines = [
        line
        for item in items
        if (line := parse_sub_line(item, vocabulary)) and read_labelled_field(line.plain.text)
    ]
    fields = collect_labelled_fields(lines, source, vocabulary)
    fields.notes.clear()
    description = _first_paragraph(body)
    if description is not None:
        links = (*_prose_links(body, vocabulary), *links)
    return LinkedHeading(title_line, description, links, fields, len(body))


def _is_linked(heading: Block) -> bool:
    first = next((node for node in heading.inlines if isinstance(node, Link) and not node.image), None)
    if first is None or is_internal_url(first.url) or not first.children:
        return False
    text, linked = plain_text(heading.inlines), plain_text((first,))
    start = text.find(linked)
    after = text[start + len(linked) :]
    return bool(linked) and 0 <= start < 4 and (len(after.split()) <= 3 or bool(_DESCRIBED.match(after)))


def _words_beside_link(item: Block) -> int | None:
    """Return the number of words beside the link that an item begins with, or None if it begins with none."""
    inlines = item.blocks[0].inlines if item.blocks else ()
    if not inlines or not isinstance(inlines[0], Link):
        return None
    return len(plain_text(inlines[1:]).split())


def _names_paper(item: Block, vocabulary: Vocabulary) -> bool:
    """Return whether an item cites a venue: it is a paper of a person, and no part of a tool."""
    inlines = item.blocks[0].inlines if item.blocks else ()
    return any(mention.year for mention in find_mentions(plain_text(inlines), vocabulary))


def leading_links(item: Block, vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the link that an item begins with, or none."""
    if _words_beside_link(item) is None:
        return ()
    return further_links(render_plain_text(item.blocks[0].inlines), (), vocabulary)[:1]


def _prose_links(body: tuple[Block, ...], vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the links in the paragraphs right below a heading."""
    links: list[LabelledLink] = []
    for block in body:
        if block.kind != "paragraph":
            break
        links += further_links(render_plain_text(block.inlines), (), vocabulary)
    return tuple(links)


def _first_paragraph(body: tuple[Block, ...]) -> Field | None:
    """Return the text of the first paragraph below a heading that is no field: `**Released**: May 2014`."""
    for block in body:
        if block.kind != "paragraph":
            return None
        text = plain_text(block.inlines)
        if text and not _FIELD.match(text):
            return Field(text, Span(block.inlines[0].start, block.inlines[-1].end))
    return None
