"""Headings that are entries: `## [Name](url)`, with a description and further links below."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.document.entry.classic import build_classic, further_links
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.entry.kind import is_paper
from shelfread.document.entry.link_labels import has_words
from shelfread.document.entry.paper import build_paper
from shelfread.document.entry.sub_lines import (
    SubLine,
    collect_fields,
    is_label_line,
    parse_sub_line,
    read_labelled_field,
)
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.heading_subjects import is_general
from shelfread.document.identity import is_paper_url
from shelfread.document.model import Entry, Field, LabelledLink
from shelfread.document.non_entries import is_contents_list, is_internal_url, leads_elsewhere
from shelfread.document.plain_text import PlainText, TextRange, plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors, find_people
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.markdown.node import Block, Html, Inline, Link, Text, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

_DESCRIBED = lazy(r"\W{1,6}[-–—:]\s")
_FIELD = lazy(r"[\w ]{2,20}:\s")
_BY = lazy(r"\W{0,3}by\s", re.IGNORECASE)
_MIN_WORDS = 3
# So many described links below a heading, or so many titles and so large a share of them, make it that of
# entries.
_MIN_ENTRIES, _MIN_TITLES, _MOST = 3, 2, 0.6
_MAX_BEFORE = 6  # before the link of a heading stand its number and marks
_MAX_ITEMS = 20  # the maximum number of labels and fields of a paper in a list below its heading


def find_linked_headings(blocks: tuple[Block, ...]) -> frozenset[int]:
    """Return the indexes of the headings that link to what they name, where most of their siblings, or of their level, do too.

    A single heading with a link is one of a section: `## [Rust](https://rust-lang.org)` among `## Python`, `## Go`.
    """
    linked = {index for index, block in enumerate(blocks) if block.kind == "heading" and _is_linked(block)}
    if not linked:
        return frozenset()
    groups: dict[tuple[int | None, int], list[int]] = {}  # of one level, with the heading above and without
    above: list[int] = []  # the open headings
    for index, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        while above and blocks[above[-1]].level >= block.level:
            above.pop()
        for parent in (None, above[-1] if above else -1):
            groups.setdefault((parent, block.level), []).append(index)
        above.append(index)
    mostly = (linked.intersection(group) for group in groups.values() if _are_mostly(group, linked))
    return frozenset().union(*mostly)


def _are_mostly(group: list[int], linked: set[int]) -> bool:
    count = sum(1 for index in group if index in linked)
    return count > 1 and count >= 0.5 * len(group)


def read_linked_heading(
    blocks: tuple[Block, ...], index: int, linked: Collection[int], setting: Setting
) -> tuple[Entry, int] | None:
    """Return the entry of one of the `linked` headings and the number of blocks below it, None if entries are listed there."""
    heading, vocabulary = blocks[index], setting.vocabulary
    title_line = read_title_line(render_plain_text(heading.inlines), vocabulary, named=True)
    link = title_line.title_link or next(
        (link for link in title_line.plain.links if link.end > link.start), None
    )
    if link is None:
        return None
    title = title_line.title
    if (
        title_line.leading_authors is None
        or title is None
        or not link.start < title.start < title.end <= link.end
    ):
        title = TextRange(link.start, link.end)  # else `[Ada Stone. Tidy Shelves. KDD, 2020](u)`
    title_line = title_line._replace(shape="linked", title=title, title_link=link)
    end = index + 1
    while end < len(blocks) and not (
        blocks[end].kind == "heading" and (blocks[end].level <= heading.level or end in linked)
    ):
        end += 1
    body = blocks[index + 1 : end]
    items = [item for block in body if block.kind == "list" for item in block.blocks]
    described = sum(1 for item in items if (_words_beside_link(item) or 0) > 3)
    titles = sum(1 for item in items if _is_title(item, vocabulary))
    if described >= _MIN_ENTRIES or titles >= max(_MIN_TITLES, _MOST * len(items)):
        return None
    if body and (any(block.kind == "table" for block in body) or _names_section(title_line, vocabulary)):
        return None
    paragraphs = [
        block for block in _texts(body) if not any(is_internal_url(link.url) for link in all_links((block,)))
    ]
    lines = [line for block in (*paragraphs, *items) if (line := parse_sub_line(block, vocabulary))]
    if is_paper(title_line, lines, vocabulary):
        entry = build_paper(title_line, lines, heading, setting)
    else:
        links = tuple(link for item in items for link in leading_links(item, vocabulary))
        lines = [line for line in lines if read_labelled_field(line.plain.text)]
        fields = collect_fields(lines, setting.source.text, vocabulary, of_paper=False)
        fields.notes.clear()
        stated = {line.block.start for line in lines}
        paragraphs = [block for block in paragraphs if block.start not in stated]
        texts = (render_plain_text(block.inlines) for block in paragraphs)
        links = (*(link for plain in texts for link in further_links(plain, (), vocabulary)), *links)
        entry = build_classic(title_line, heading, setting, links, fields)
        if entry.description is None or not any(map(str.isalpha, entry.description.value)):
            entry = _with_text(entry, paragraphs)
    return entry._replace(end_line=blocks[end - 1].last), len(body)


def _is_linked(heading: Block) -> bool:
    first = next((node for node in heading.inlines if isinstance(node, Link) and not node.image), None)
    if first is None or is_internal_url(first.url) or not first.children:
        return False
    text, linked = plain_text(heading.inlines), plain_text((first,))
    start = text.find(linked)
    before, after = text[:start], text[start + len(linked) :]
    return (
        bool(linked)
        and 0 <= start < _MAX_BEFORE
        and not any(map(str.isalpha, before))
        and (len(after.split()) <= 3 or bool(_DESCRIBED.match(after) or _BY.match(after)))
    )


def _words_beside_link(item: Block) -> int | None:
    """Return the number of words beside the link that an item begins with, or None if it begins with none."""
    inlines = item.blocks[0].inlines if item.blocks else ()
    if not inlines or not isinstance(inlines[0], Link):
        return None
    return len(plain_text(inlines[1:]).split())


def _is_title(item: Block, vocabulary: Vocabulary) -> bool:
    """Return whether an item is an entry of its own, and no part of a tool: it is a linked title, or cites a venue."""
    inlines = item.blocks[0].inlines if item.blocks else ()
    if any(mention.year for mention in find_mentions(plain_text(inlines), vocabulary)):
        return True
    title = plain_text(inlines[:1]) if _words_beside_link(item) is not None else ""
    return len(title.split()) > 3 and vocabulary.role(title) is None


def _names_section(line: TitleLine, vocabulary: Vocabulary) -> bool:
    """Return whether a linked heading is that of a venue or a year: `[AAAI 2026 (Feb)](u)`."""
    text = line.plain.text.partition("(")[0].strip()
    return text.isdigit() or (bool(text) and is_citation(text, vocabulary))


def leading_links(item: Block, vocabulary: Vocabulary) -> tuple[LabelledLink, ...]:
    """Return the link that an item begins with, or none."""
    if _words_beside_link(item) is None:
        return ()
    return further_links(render_plain_text(item.blocks[0].inlines), (), vocabulary)[:1]


def _texts(body: tuple[Block, ...]) -> Iterator[Block]:
    """Yield the paragraphs that stand first below a heading, also those of a quote, or below a picture."""
    for block in body:
        if block.kind == "quote":
            yield from _texts(block.blocks)
        elif block.kind == "paragraph":
            yield block
        elif block.kind == "html" and _is_picture_and_text(block.inlines):
            yield block._replace(kind="paragraph")
        elif block.kind != "html" or any(map(leads_elsewhere, all_links((block,)))):
            return


def _is_picture_and_text(inlines: tuple[Inline, ...]) -> bool:
    """Return whether a text stands in the lines behind a picture: `<img src="logo.png">`."""
    if len(inlines) != 2 or not isinstance(inlines[0], Link) or not isinstance(inlines[1], Text):
        return False
    return inlines[0].image and any(map(str.isalpha, inlines[1].value))


def _with_text(entry: Entry, paragraphs: list[Block]) -> Entry:
    """Return an entry with the text of the first paragraph that is no field, `**Released**: May 2014`, and the people before it."""
    for block in paragraphs:
        plain = render_plain_text(block.inlines)
        by = _BY.match(plain.text)
        if by is not None and not entry.authors and are_authors(plain.text[by.end() :]):
            entry = entry._replace(authors=tuple(find_people(plain, plain.text, by.end(), len(plain.text))))
        elif any(map(str.isalpha, plain.text)) and not _FIELD.match(plain.text):
            span = Span(block.inlines[0].start, block.inlines[-1].end)
            return entry._replace(description=Field(plain_text(block.inlines), span))
    return entry


def read_heading_paper(
    block: Block, after: tuple[Block, ...], vocabulary: Vocabulary
) -> tuple[TitleLine, list[SubLine], int] | None:
    """Return the title line of a paper whose title is a heading, its sub-lines, and how many blocks they take.

    It links to a paper, or has labels or fields right below it.
    """
    sub_lines: list[SubLine] = []
    paper_lines = block_count = 0
    kinds_below: set[str] = set()
    for index, below in enumerate(after):
        if below.kind == "code" or (sub_lines and _is_folded_text(below)):
            continue  # BibTeX, an abstract
        lines = _sub_lines(below, vocabulary)
        kinds = [_kind_of(line, vocabulary) for line in lines]
        if not lines or sum(1 for kind in kinds if kind) < 0.5 * len(kinds):
            break
        sub_lines += [
            line
            for line in lines
            if below.kind == "list" or (read_labelled_field(line.plain.text) or ("",))[0] != "note"
        ]
        block_count = index + 1
        paper_lines += kinds.count("paper")
        kinds_below.update(kinds)
    titled = sum(_links_title(line.plain) for line in sub_lines)
    if titled >= max(_MIN_TITLES, 0.5 * len(sub_lines)):
        return None  # its subject: each line below has a title of its own
    links = [node for node in block.inlines if isinstance(node, Link) and not node.image]
    if not sub_lines and not links:
        return None
    title_line = read_title_line(render_plain_text(block.inlines), vocabulary)
    linked = len(links) == 1 and is_paper_url(links[0].url, vocabulary)
    linked = linked or any(label.role is vocabulary.roles["paper"] for label in title_line.labels)
    if not sub_lines and not linked:
        return None
    cites = any(mention.venue is not None and mention.year for mention in title_line.mentions)
    is_cited = cites and "label" in kinds_below
    if title_line.title is None or not (paper_lines or linked or is_cited):
        return None
    title = title_line.title_text
    if is_general(title) or vocabulary.role(title) is not None:
        return None  # the heading of a part of a page about one thing
    if not paper_lines:
        is_marked = title_line.title_link is not None or title_line.labels or is_cited
        if len(title.split()) < 4 or not is_marked:
            return None
    return title_line, sub_lines, block_count


def _is_folded_text(block: Block) -> bool:
    """Return whether an HTML block is text without links that can be folded: `<details>...</details>`."""
    if block.kind != "html" or any(all_links((block,))):
        return False
    tags = [node.tag for node in block.inlines if isinstance(node, Html)]
    return tags[:1] == ["details"] and tags[-1] == "/details"


def _links_title(plain: PlainText) -> bool:
    """Return whether the text of a link in a line has the length of a title."""
    return any(len(plain.text[link.start : link.end].split()) >= _MIN_WORDS for link in plain.links)


def _sub_lines(block: Block, vocabulary: Vocabulary) -> list[SubLine]:
    """Return the lines of a block that may belong to the title above it."""
    if block.kind == "list":
        if len(block.blocks) > _MAX_ITEMS:
            return []
        # The first items show whether it is a list of entries, as most lists are.
        first = [parse_sub_line(item, vocabulary) for item in block.blocks[:2]]
        if not any(line and _kind_of(line, vocabulary) for line in first):
            return []
        if is_contents_list(all_links((block,))):
            return []
        others = (parse_sub_line(item, vocabulary) for item in block.blocks[2:])
        lines = [line for line in (*first, *others) if line is not None]
        links = (label.link for line in lines for label in line.labels[:1])
        titled = sum(len(plain_text(link.link.children).split()) > 2 for link in links)
        return lines if titled < _MIN_TITLES else []  # `Paper: [Tidy Shelves](u)` is an entry
    if block.kind == "paragraph":
        line = parse_sub_line(block, vocabulary)
        return [line] if line is not None and _kind_of(line, vocabulary) else []
    return []


def _kind_of(line: SubLine, vocabulary: Vocabulary) -> str:
    """Return what a line below a heading is for the entry: paper (only papers have it), label, field or people.

    Empty if the line does not belong to an entry.
    """
    labelled = read_labelled_field(line.plain.text)
    to_paper = len(line.plain.links) == 1 and is_paper_url(line.plain.links[0].link.url, vocabulary)
    if to_paper and vocabulary.venue(line.plain.text.strip()) is not None:
        return "paper"  # `[AAAI](u)`
    if line.labels and not has_words(line.unread):
        return "paper" if is_label_line(line) else "label"
    if labelled is not None:
        if labelled[0] in ("authors", "venue"):
            return "paper"
        links = line.plain.links if labelled[0] == "links" else []
        return "paper" if any(is_paper_url(link.link.url, vocabulary) for link in links) else "field"
    return "people" if line.block.kind == "paragraph" and are_authors(line.plain.text, minimum=2) else ""
