"""Headings that are titles of papers, with people, a venue and links below."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.prefix import names_nothing, names_something_only
from shelfread.document.entry.sub_lines import SubLine, is_address, read_labelled_field
from shelfread.document.entry.title_ends import in_title_case
from shelfread.document.entry.title_line import TitleLine, read_title_line
from shelfread.document.heading_subjects import is_general
from shelfread.document.identity import is_paper_url
from shelfread.document.item_reader import ListItem, first_inlines, may_be_paper
from shelfread.document.nested_items import NestedItems
from shelfread.document.non_entries import is_internal_url, leads_elsewhere
from shelfread.document.paragraphs import inline_lines, joined_lines, sub_block
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import is_citation
from shelfread.markdown.node import Block, Break, Html, Inline, Link, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

# So many headings of a level, or all if there are fewer, and this share of those that open no other heading, are titles
# of papers.
_MIN_TITLES, _MOST = 3, 0.6
_MAX_BELOW = 5  # lines below a name in a heading
_MOST_NAMES = 0.3  # so many headings above titles have the form of a name, if they are names and no subjects
_MIN_OWN_WORDS = 4
_QUOTED = lazy(r"[\"“][^\"“”]*[\"”]")
_DESCRIBED = lazy(r"\s{0,3}[:：–—-]\s{0,3}\w")
# What stands below a title is no more than so many blocks, each of no more than so many lines or items.
_MAX_BLOCKS = _MAX_LINES = 12


class TitleHeading(NamedTuple):
    """A heading that is the title of a paper, or its name: then the first line below it has the `title`."""

    item: ListItem
    title: TitleLine | None = None


def find_heading_items(blocks: Sequence[Block], source: Source, vocabulary: Vocabulary) -> dict[int, Block]:
    """Return the headings that may be titles by their index: as items, with the lines that stand below them."""
    items: dict[int, Block] = {}
    starts = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    for start, end in pairwise([*starts, len(blocks)]):
        heading, body = blocks[start], blocks[start + 1 : end]
        opens = _opens(blocks, end, heading.level)
        words = len(plain_text(heading.inlines).split())
        most_items = _MAX_LINES if words > 1 else 0  # one word over a list is the subject of its items
        if (
            opens
            or not words
            or not body
            or len(body) > _MAX_BLOCKS
            or any(block.kind == "list" and len(block.blocks) > most_items for block in body)
        ):
            continue
        inlines = heading.inlines
        is_linked = any(all_links((heading,)))
        is_titled = any(is_paper_url(link.url, vocabulary) for link in all_links((heading,)))
        others: list[Block] = []
        for block in body:
            lines = [*filter(_may_be_part, inline_lines(block.inlines))]
            goes_on = bool(lines) and block.kind == "paragraph" and not others
            line = joined_lines(lines)
            is_only = is_titled and inlines is heading.inlines and len(lines) == 1
            is_name = bool(line) and words < _MIN_OWN_WORDS and not is_linked
            is_name = is_name and _own_title(line, vocabulary) is not None
            if goes_on and not is_name and (is_only or _goes_on(line)):
                inlines += (Break(inlines[-1].end, line[0].start, hard=True), *line)
            else:
                others += _lines(block, source)
        title = sub_block(inlines, heading, source)
        items[start] = heading._replace(
            kind="item", end=body[-1].end, last=body[-1].last, inlines=(), blocks=(title, *others)
        )
    return items


def _opens(blocks: Sequence[Block], index: int, level: int) -> bool:
    """Return whether headings with links below them follow that are lower than `level`."""
    while index < len(blocks) and not (blocks[index].kind == "heading" and blocks[index].level <= level):
        if any(map(leads_elsewhere, all_links((blocks[index],)))):
            return True
        index += 1
    return False


def find_titles(
    blocks: Sequence[Block], items: Mapping[int, Block], entries: Collection[int], nested: NestedItems
) -> dict[int, TitleHeading]:
    """Return the headings that are papers, of the levels at which most are.

    `entries` has where paragraphs begin that may be entries themselves: one below each heading is what says more of it.
    """
    starts = sorted(entries)
    read = {
        index: nested.reader.read(item)
        for index, item in items.items()
        if bisect_left(starts, item.end) - bisect_left(starts, item.start) < 2
    }
    named = {
        index: title
        for index, item in read.items()
        if (title := _title_below(item, nested.reader.vocabulary)) is not None
    }
    names = [read[index].title_line for index in named]
    are_names = sum(name is not None and names_something_only(name.title_text) for name in names)
    if len(named) < _MIN_TITLES or are_names < _MOST_NAMES * len(named):
        read = {index: item for index, item in read.items() if index not in named}  # subjects
        named = {}
    papers = {index for index, item in read.items() if index in named or _is_paper(item, nested)}
    levels = Counter(blocks[index].level for index in papers)
    long = Counter(blocks[index].level for index in papers if _has_words_of_title(read[index]))
    headings = [block.level for block in blocks if block.kind == "heading"]
    leaves = Counter(level for level, below in pairwise([*headings, 0]) if below <= level)
    usual = {
        level
        for level, count in levels.items()
        if count >= max(_MIN_TITLES, _MOST * leaves[level]) or long[level] >= max(1, leaves[level])
    }
    return {
        index: TitleHeading(item, named.get(index))
        for index, item in read.items()
        if blocks[index].level in usual and (index in papers or may_be_paper(item))
    }


def _title_below(item: ListItem, vocabulary: Vocabulary) -> TitleLine | None:
    """Return the line with the title below a heading of few words: `### TS`, and below it `[Tidy Shelves for All](u) (KDD 2014)`."""
    line = item.title_line
    if line is None or line.title_link is not None or item.lists or not 0 < len(item.sub_lines) < _MAX_BELOW:
        return None
    if len(line.title_text.split()) >= _MIN_OWN_WORDS or is_general(line.title_text):
        return None
    title = _own_title(item.sub_lines[0].inlines, vocabulary)
    if title is None or "\n" in title.plain.text.strip():
        return None
    others = (_own_title(below.inlines, vocabulary) for below in item.sub_lines[1:])
    return None if any(others) else title


def _own_title(inlines: tuple[Inline, ...], vocabulary: Vocabulary) -> TitleLine | None:
    """Return a line if it is a paper with a title of its own."""
    line = read_title_line(render_plain_text(inlines), vocabulary)
    words = line.title_text
    is_cited = bool(line.mentions or any(label.role is not None for label in line.labels))
    if len(words.split()) < _MIN_OWN_WORDS or are_authors(words) or not (is_cited or line.title_link):
        return None
    is_plain = line.shape == "plain" and read_labelled_field(line.plain.text) is None
    return line if line.shape not in ("plain", "none") or (is_plain and in_title_case(words)) else None


def _has_words_of_title(item: ListItem) -> bool:
    return item.title_line is not None and len(item.title_line.title_text.split()) >= _MIN_OWN_WORDS


def _is_paper(item: ListItem, nested: NestedItems) -> bool:
    """Return whether a heading surely is the title of a paper, and no subject of several."""
    line = item.title_line
    is_addressed = not item.plain.links and any(map(is_address, item.sub_lines))
    if line is None or not (item.is_paper or is_addressed) or is_general(line.title_text):
        return False
    if is_citation(plain_text(first_inlines(item.block)), nested.reader.vocabulary):
        return False  # `Conference on Computer and Communications Security (CCS)`
    if line.title is not None and "\n" in line.plain.text[slice(*line.title)]:
        return False  # the heading is only where a sentence begins
    if any(_begins_with_title(line, nested.reader.vocabulary) for line in item.sub_lines):
        return False
    below = nested.reader.nested(item)
    if sum(_is_named_paper(child, nested.reader.vocabulary) for child in below) > 1:
        return False
    return not any(_has_own_title(child) or nested.title_below(child) is not None for child in below)


def _is_named_paper(item: ListItem, vocabulary: Vocabulary) -> bool:
    """Return whether an item is the name of a paper and its label: `TS [[Paper](u)]`, but no `Paper: [PDF](u)`."""
    line = item.title_line
    if line is None or line.shape not in ("plain", "strong") or not (line.labels and item.is_paper):
        return False
    return not names_nothing(line.title_text) and vocabulary.role(line.title_text) is None


def _begins_with_title(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Return whether a line below a heading is a paper of its own: `**Tidy Shelves** [[Paper]](u)`, `Ada Stone. "Tidy Shelves"`."""
    quoted = _QUOTED.search(line.plain.text)
    if quoted is not None and len(quoted[0].split()) >= _MIN_OWN_WORDS:
        people = line.plain.text[: quoted.start()].strip(" .,:")
        return are_authors(people)
    strong = line.plain.strong[0] if line.plain.strong and line.labels else None
    if strong is None or strong.start > 0 or strong.end >= line.labels[0].link.start:
        return False
    words = line.plain.text[slice(*strong)].strip(" :")
    return " " in words and vocabulary.role(words) is None and read_labelled_field(line.plain.text) is None


def _has_own_title(item: ListItem) -> bool:
    """Return whether an item below a heading is a paper of its own, or a link that a text describes."""
    line = item.title_line
    if line is None:
        return False
    is_described = line.title_link is not None and _DESCRIBED.match(line.unread, line.after_title)
    return bool(is_described) or (item.is_paper and _has_words_of_title(item))


def _lines(block: Block, source: Source) -> Iterator[Block]:
    """Yield the lines of a paragraph, and what else stands below a title, as it is. `(back to top)` is none of it."""
    if block.kind == "list" and len(block.blocks) <= _MAX_LINES:
        yield block
    lines = inline_lines(block.inlines) if block.kind == "paragraph" else []
    if len(lines) > _MAX_LINES:
        lines = [block.inlines]
    for line in filter(_may_be_part, lines):
        yield sub_block(joined_lines([line]), block, source)


def _goes_on(line: tuple[Inline, ...]) -> bool:
    """Return whether a text goes on what a heading says: it is no field, and nothing in it is marked as another title."""
    plain = render_plain_text(line)
    marked = [*plain.strong, *plain.emphasis, *((link.start, link.end) for link in plain.links)]
    marked += [match.span() for match in _QUOTED.finditer(plain.text)]
    texts = (plain.text[start:end] for start, end in marked)
    long = (text for text in texts if len(text.split()) >= _MIN_OWN_WORDS)
    return read_labelled_field(plain.text) is None and all(
        "://" in text or are_authors(text) for text in long
    )


def _may_be_part(line: tuple[Inline, ...]) -> bool:
    """Return whether a line below a title has words, and no link to somewhere else in the document."""
    links = (node for node in line if isinstance(node, Link))
    return not (
        all(isinstance(node, Break | Html) for node in line)
        or any(is_internal_url(link.url) for link in links)
    )
