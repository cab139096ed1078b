"""Headings that are titles, with people, a venue and links below, or that name what a list of fields below describes."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.entry.classic import build_classic, further_links
from shelfread.document.entry.entry_fields import Setting, assumed_year, entry_identifiers
from shelfread.document.entry.sub_lines import (
    SubLine,
    collect_fields,
    is_address,
    labelled_title,
    parse_sub_line,
    read_labelled_field,
)
from shelfread.document.entry.title_line import read_title_line
from shelfread.document.heading_subjects import is_general
from shelfread.document.item_reader import ItemReader, ListItem, first_inlines, may_be_paper, part_label
from shelfread.document.model import Entry, Field
from shelfread.document.non_entries import is_internal_url, leads_elsewhere
from shelfread.document.outline import HEADING_TAG
from shelfread.document.paragraphs import inline_lines, joined_lines, sub_block
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.people import are_authors
from shelfread.document.recognizers.venues import is_citation
from shelfread.markdown.node import Block, Break, Html, Inline, Link, all_links
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

# So many headings of a level, and this share of those that open no other heading, are titles of papers.
_MIN_TITLES, _MOST = 3, 0.6
_MIN_OWN_WORDS = 4
_QUOTED = lazy(r"[\"“][^\"“”]*[\"”]")
_DESCRIBED = lazy(r"\s{0,3}[:：–—-]\s{0,3}\w")
# What stands below a title is no more than so many blocks, each of no more than so many lines or items.
_MAX_BLOCKS, _MAX_LINES = 8, 12


def find_heading_items(blocks: Sequence[Block], source: Source) -> dict[int, Block]:
    """Return the headings that may be titles by their index: as items, with the lines that stand below them."""
    items: dict[int, Block] = {}
    starts = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    for start, end in pairwise([*starts, len(blocks)]):
        heading, body = blocks[start], blocks[start + 1 : end]
        opens = end < len(blocks) and blocks[end].level > heading.level
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
        others: list[Block] = []
        for block in body:
            line = joined_lines([*filter(_may_be_part, inline_lines(block.inlines))])
            if line and block.kind == "paragraph" and not others and _goes_on(line):
                inlines += (Break(inlines[-1].end, line[0].start, hard=True), *line)
            else:
                others += _lines(block, source)
        title = sub_block(inlines, heading, source)
        items[start] = heading._replace(
            kind="item", end=body[-1].end, last=body[-1].last, inlines=(), blocks=(title, *others)
        )
    return items


def find_titles(
    blocks: Sequence[Block], items: Mapping[int, Block], entries: Collection[int], reader: ItemReader
) -> dict[int, ListItem]:
    """Return the items that are papers, of the levels at which most headings are.

    `entries` has where paragraphs begin that may be entries themselves: one below each heading is what says more of it.
    """
    starts = sorted(entries)
    read = {
        index: reader.read(item)
        for index, item in items.items()
        if bisect_left(starts, item.end) - bisect_left(starts, item.start) < 2
    }
    papers = {index for index, item in read.items() if _is_paper(item, reader)}
    levels = Counter(blocks[index].level for index in papers)
    headings = [block.level for block in blocks if block.kind == "heading"]
    leaves = Counter(level for level, below in pairwise([*headings, 0]) if below <= level)
    usual = {level for level, count in levels.items() if count >= max(_MIN_TITLES, _MOST * leaves[level])}
    return {
        index: item
        for index, item in read.items()
        if blocks[index].level in usual and (index in papers or may_be_paper(item))
    }


def _is_paper(item: ListItem, reader: ItemReader) -> bool:
    """Return whether a heading surely is the title of a paper, and no subject of several."""
    line = item.title_line
    is_addressed = not item.plain.links and any(map(is_address, item.sub_lines))
    if line is None or not (item.is_paper or is_addressed) or is_general(line.title_text):
        return False
    if is_citation(plain_text(first_inlines(item.block)), reader.vocabulary):
        return False  # `Conference on Computer and Communications Security (CCS)`
    if line.title is not None and "\n" in line.plain.text[slice(*line.title)]:
        return False  # the heading is only where a sentence begins
    if any(_begins_with_title(line, reader.vocabulary) for line in item.sub_lines):
        return False
    below = [reader.read(child) for block in item.lists for child in block.blocks]
    return not any(_has_own_title(child) or reader.title_below(child) is not None for child in below)


def _begins_with_title(line: SubLine, vocabulary: Vocabulary) -> bool:
    """Return whether a line below a heading is a paper of its own: `**Tidy Shelves** (2022) [[Paper]](u)`."""
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
    return bool(is_described) or (item.is_paper and len(line.title_text.split()) >= _MIN_OWN_WORDS)


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


_MAX_WORDS_OF_LINK, _MAX_WORDS_BESIDE = 4, 2
_MAX_FIELDS, _MIN_RECORDS, _MIN_KEYS, _MOST_RECORDS = 20, 3, 2, 0.6


_TEXTS = ("paragraph", "quote")
_NAME_LEVEL, _MAX_NAME = 7, 120
_IN_BRACKETS = lazy(r"[(（][^()（）]*[)）]")


class Record(NamedTuple):
    """A heading, and the index of the first block that does not belong to it."""

    heading: Block
    end: int


class _Labels(NamedTuple):
    """The headings and the labels of items below a heading, and where the labels lead."""

    all: list[str]
    linked: list[tuple[str, str]]


def find_records(blocks: tuple[Block, ...]) -> dict[int, Record]:
    """Return the records by the index of their heading, which may be a name in bold over a list."""
    headings = {index: block for index, raw in enumerate(blocks) if (block := _heading_of(raw)) is not None}
    if records := _find_records(headings, blocks):
        return records
    names = {
        index: block._replace(level=_NAME_LEVEL)
        for index, (block, below) in enumerate(pairwise(blocks))
        if block.kind == "paragraph" and below.kind == "list" and _is_name(block)
    }
    return _find_records(dict(sorted({**headings, **names}.items())), blocks) if names else {}


def _is_name(block: Block) -> bool:
    """Return whether a paragraph is a name in bold, perhaps with marks and words in brackets behind it."""
    plain = render_plain_text(block.inlines)
    if not plain.strong or plain.strong[0].start > 0 or plain.links or len(plain.text) > _MAX_NAME:
        return False
    return not any(map(str.isalnum, _IN_BRACKETS.sub("", plain.text[plain.strong[0].end :])))


def _find_records(headings: dict[int, Block], blocks: tuple[Block, ...]) -> dict[int, Record]:
    """Return the records among headings: most of their items have labels, which most of them share."""
    if len(headings) < _MIN_RECORDS or not any(block.kind in ("list", "paragraph") for block in blocks):
        return {}
    headings = _without_parts(headings)
    records = {start: Record(headings[start], end) for start, end in pairwise([*headings, len(blocks)])}
    labels = {start: _labels(blocks[start + 1 : record.end]) for start, record in records.items()}
    counts = Counter(label for found in labels.values() for label in {*found.all} - {""})
    labelled = sum(1 for found in labels.values() if found.all)
    urls = Counter(label for label, _ in {linked for found in labels.values() for linked in found.linked})
    common = {
        label
        for label, count in counts.items()
        if count >= max(_MIN_RECORDS, 0.5 * labelled) and urls[label] != 1  # the same thing, listed often
    }
    shared = [
        start
        for start, found in labels.items()
        if len(common.intersection(found.all)) >= _MIN_KEYS
        and 2 * sum(counts[label] > 1 for label, _ in found.linked) >= len(found.linked)
    ]
    shared = shared or _with_addresses(records, blocks)
    linked = sum(
        1 for start in shared if any(map(leads_elsewhere, all_links(blocks[start : records[start].end])))
    )
    return {start: records[start] for start in shared} if linked >= _MOST_RECORDS * len(shared) else {}


def _with_addresses(records: Mapping[int, Record], blocks: tuple[Block, ...]) -> list[int]:
    """Return the records that are a text and a line of links, and no list, of the levels at which most are: `[Web](u) | [Code](v)`."""
    filled = {start: blocks[start + 1 : record.end] for start, record in records.items()}
    filled = {start: body for start, body in filled.items() if body}
    addressed = [
        start
        for start, body in filled.items()
        if len(body) <= _MAX_BLOCKS
        and not any(
            block.kind == "list" or (block.kind not in _TEXTS and any(all_links((block,)))) for block in body
        )
        and sum(map(_is_address, body))
        == 1
        == sum(any(map(leads_elsewhere, all_links((block,)))) for block in body)
    ]
    levels = Counter(records[start].heading.level for start in filled)
    counts = Counter(records[start].heading.level for start in addressed)
    usual = {
        level for level, count in counts.items() if count >= max(_MIN_RECORDS, _MOST_RECORDS * levels[level])
    }
    return [start for start in addressed if records[start].heading.level in usual]


def _is_address(block: Block) -> bool:
    """Return whether a paragraph is links and next to nothing else: `Link: <u>`, `[Web](u) | [Code](v)`."""
    plain = render_plain_text(block.inlines if block.kind == "paragraph" else ())
    if not any(leads_elsewhere(link.link) for link in plain.links):
        return False
    words = [word for word in plain.text.split() if any(map(str.isalnum, word))]
    linked = sum(len(plain.text[link.start : link.end].split()) for link in plain.links)
    return len(words) <= _MAX_WORDS_OF_LINK * len(plain.links) and len(words) - linked <= _MAX_WORDS_BESIDE


def _without_parts(headings: dict[int, Block]) -> dict[int, Block]:
    """Return the headings without those of the levels at which most titles stand several times: `Links`."""
    titles = {index: fold(plain_text(block.inlines)) for index, block in headings.items()}
    counts = Counter(titles.values())
    levels = Counter(block.level for block in headings.values())
    repeated = Counter(block.level for index, block in headings.items() if counts[titles[index]] > 1)
    return {
        index: block
        for index, block in headings.items()
        if repeated[block.level] < _MOST_RECORDS * levels[block.level]
    }


def read_record(record: Record, body: tuple[Block, ...], setting: Setting) -> Entry | None:
    """Return the entry of a record, with the links of its fields and its first paragraph as description."""
    vocabulary = setting.vocabulary
    line = read_title_line(render_plain_text(record.heading.inlines), vocabulary, named=True)
    if line.title is None:
        return None
    lines = [sub_line for item in _items(body) if (sub_line := parse_sub_line(item, vocabulary)) is not None]
    stated = [sub_line for sub_line in lines if read_labelled_field(sub_line.plain.text)]
    fields = collect_fields(stated, setting.source.text, vocabulary, of_paper=False)
    fields.notes.clear()
    others = (sub_line for sub_line in lines if sub_line not in stated)
    links = tuple(link for sub_line in others for link in further_links(sub_line.plain, (), vocabulary))
    entry = build_classic(line, record.heading, setting, links, fields)
    if line.title_link is None:  # all of it is the name: `Shelf - The Movie`
        plain = line.plain
        is_bold = record.heading.level == _NAME_LEVEL
        start, end = plain.strong[0] if is_bold else (line.title.start, len(plain.text))
        name = Field(" ".join(plain.text[start:end].split()), plain.span(start, end))
        entry = entry._replace(title=name, name=name, description=fields.text)
    texts = (inner for block in body for inner in (block.blocks if block.kind == "quote" else (block,)))
    for block in texts:
        is_text = block.kind == "paragraph" and not (_is_labelled(block) or _is_address(block))
        text = plain_text(block.inlines) if is_text else ""
        if text and entry.description is None:
            span = Span(block.inlines[0].start, block.inlines[-1].end)
            entry = entry._replace(description=Field(text, span))
    if (title := labelled_title(entry.title, lines)) is not None:
        year = assumed_year(entry.citation, entry_identifiers(entry.links)) if entry.year is None else None
        entry = entry._replace(
            kind="paper",
            title=title,
            name=entry.title,
            year=year or entry.year,
            year_from_arxiv_id=year is not None,
        )
    return entry._replace(end_line=body[-1].last if body else record.heading.last)


def _heading_of(block: Block) -> Block | None:
    """Return a heading, also of an HTML block that is nothing else, or None for any other block."""
    if block.kind == "heading":
        return block
    if block.kind != "html" or len(block.inlines) < 3:
        return None
    first, *inner, last = block.inlines
    if not isinstance(first, Html) or not isinstance(last, Html) or not HEADING_TAG.fullmatch(first.tag):
        return None
    is_one = last.tag == f"/{first.tag}" and not any(isinstance(node, Html) for node in inner)
    return block._replace(inlines=tuple(inner), level=int(first.tag[1])) if is_one else None


def _items(body: tuple[Block, ...]) -> list[Block]:
    """Return the items of the lists below a heading, and the lines of paragraphs that are labelled: `**Site**: https://...`."""
    items: list[Block] = []
    for block in body:
        if block.kind == "list":
            items += block.blocks
        elif _is_labelled(block) or _is_address(block):
            items += (block._replace(inlines=line) for line in inline_lines(block.inlines))
    return items


def _is_labelled(block: Block) -> bool:
    """Return whether each line of a paragraph begins with a label."""
    if block.kind != "paragraph" or not any(isinstance(node, Break) for node in block.inlines):
        return False
    return all(part_label(render_plain_text(line)) for line in inline_lines(block.inlines))


def _labels(body: tuple[Block, ...]) -> _Labels:
    """Return the labels below a heading, none if most items have none."""
    items = _items(body)
    if not 0 < len(items) <= _MAX_FIELDS:
        return _Labels([], [])
    lines = [render_plain_text(item.inlines or first_inlines(item)) for item in items]
    labels = [part_label(line) for line in lines]
    titles = [fold(plain_text(block.inlines)) for block in body if block.kind == "heading"]
    known = sum(map(bool, {*labels, *titles}))
    if known < _MOST_RECORDS * len(labels + titles):
        return _Labels([], [])
    linked = zip(labels, lines, strict=True)
    return _Labels(labels + titles, [(label, line.links[0].link.url) for label, line in linked if line.links])
