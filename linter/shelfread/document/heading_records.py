"""Headings that name what stands below them: `## [Oak](url)` and a description, or `### Oak` and fields that its siblings have too."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.entry.sub_lines import part_label
from shelfread.document.item_reader import first_inlines
from shelfread.document.non_entries import is_internal_url, leads_elsewhere
from shelfread.document.outline import HEADING_TAG
from shelfread.document.paragraphs import inline_lines
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.document.recognizers.venues import find_mentions, is_citation
from shelfread.markdown.node import Block, Break, Html, Link, Text, all_links
from shelfread.taxonomy.label_forms import fold
from shelfread.taxonomy.vocabulary import Vocabulary

_DESCRIBED = lazy(r"\W{1,6}[-–—:]\s")
BY = lazy(r"\W{0,3}by\s", re.IGNORECASE)
_IN_BRACKETS = lazy(r"[(（][^()（）]*[)）]")
# So many described links below a heading, or so many titles and so large a share of them, make it that of entries.
_MIN_ENTRIES, _MIN_TITLES, _MOST = 3, 2, 0.6
_MAX_BEFORE = 6  # before the link of a heading stand its number and marks
_MAX_WORDS_OF_LINK, _MAX_WORDS_BESIDE = 4, 2
_MAX_FIELDS, _MIN_RECORDS, _MIN_KEYS, _MAX_BLOCKS = 20, 3, 2, 8
_TEXTS = ("paragraph", "quote")
NAME_LEVEL, _MAX_NAME = 7, 120


class Record(NamedTuple):
    """A heading that is a name, the blocks below that say more of it, and the index of the first one that does not."""

    heading: Block
    body: tuple[Block, ...]
    end: int
    is_linked: bool

    @property
    def last(self) -> int:
        """The last line, from 1."""
        return self.body[-1].last if self.body else self.heading.last


class _Labels(NamedTuple):
    """The headings and the labels of items below a heading, and where the labels lead."""

    all: list[str]
    linked: list[tuple[str, str]]


def find_records(blocks: tuple[Block, ...], vocabulary: Vocabulary) -> dict[int, Record]:
    """Return the headings that name what stands below them, by their index."""
    return _find_with_fields(blocks, vocabulary) | _find_linked(blocks, vocabulary)


def _find_linked(blocks: tuple[Block, ...], vocabulary: Vocabulary) -> dict[int, Record]:
    """Return the headings that link to what they name, where most of their siblings, or of their level, do too.

    A single heading with a link is one of a section: `## [Rust](https://rust-lang.org)` among `## Python`, `## Go`. So is
    one with a table, or with entries of their own, below it.
    """
    headings = [index for index, block in enumerate(blocks) if block.kind == "heading"]
    linked = {index for index in headings if _is_linked(blocks[index])}
    if not linked:
        return {}
    # Of one level, with the heading above and without; and those right above a text.
    groups: defaultdict[tuple[int | None, int], list[int]] = defaultdict(list)
    above: list[int] = []  # the open headings
    for index in headings:
        level = blocks[index].level
        while above and blocks[above[-1]].level >= level:
            above.pop()
        for parent in (None, above[-1] if above else -1):
            groups[parent, level].append(index)
        if index != headings[0] and _is_text(blocks[index + 1 : index + 2]):
            groups[None, 0].append(index)
        above.append(index)
    mostly = (linked.intersection(group) for group in groups.values() if _are_mostly(group, linked))
    linked = set().union(*mostly)
    records: dict[int, Record] = {}
    for index in sorted(linked):
        heading, end = blocks[index], index + 1
        while end < len(blocks) and not (
            blocks[end].kind == "heading" and (blocks[end].level <= heading.level or end in linked)
        ):
            end += 1
        records[index] = Record(heading, blocks[index + 1 : end], end, is_linked=True)
    sections = _sections_among(records, vocabulary)
    return {
        index: record
        for index, record in records.items()
        if index not in sections
        and not (record.end in sections and records[record.end].heading.level > record.heading.level)
        and not (
            record.body
            and (_lists_entries(record.body, vocabulary) or _names_section(record.heading, vocabulary))
        )
    }


def _sections_among(records: Mapping[int, Record], vocabulary: Vocabulary) -> frozenset[int]:
    """Return the linked headings above items with links and descriptions of their own, if most of the page are that."""
    items = {
        index: [item for block in record.body if block.kind == "list" for item in block.blocks]
        for index, record in records.items()
    }
    entries = {
        index: sum(
            (_words_beside_link(item) or 0) > 3 and not _begins_with_label(item, vocabulary) for item in below
        )
        for index, below in items.items()
    }
    sections = frozenset(index for index, count in entries.items() if count)
    most = sum(entries.values()) >= max(_MIN_ENTRIES, _MOST * sum(map(len, items.values())))
    return sections if most and 2 * len(sections) >= len(records) else frozenset()


def _begins_with_label(item: Block, vocabulary: Vocabulary) -> bool:
    return vocabulary.role(plain_text(first_inlines(item)[:1]).strip("[]() ")) is not None


def _lists_entries(body: tuple[Block, ...], vocabulary: Vocabulary) -> bool:
    """Return whether a table, or entries of their own, stand below a linked heading."""
    items = [item for block in body if block.kind == "list" for item in block.blocks]
    described = sum(1 for item in items if (_words_beside_link(item) or 0) > 3)
    titles = sum(1 for item in items if _is_title(item, vocabulary))
    is_table = any(block.kind == "table" for block in body)
    return is_table or described >= _MIN_ENTRIES or titles >= max(_MIN_TITLES, _MOST * len(items))


def _names_section(heading: Block, vocabulary: Vocabulary) -> bool:
    """Return whether a linked heading is that of a venue or a year: `[AAAI 2026 (Feb)](u)`."""
    text = plain_text(heading.inlines).partition("(")[0].strip()
    return text.isdigit() or (bool(text) and is_citation(text, vocabulary))


def _is_text(blocks: tuple[Block, ...]) -> bool:
    return bool(blocks) and blocks[0].kind in (*_TEXTS, "html")


def _are_mostly(group: list[int], linked: set[int]) -> bool:
    count = sum(1 for index in group if index in linked)
    return count > 1 and count >= 0.5 * len(group)


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
        and (len(after.split()) <= 3 or bool(_DESCRIBED.match(after) or BY.match(after)))
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


def _find_with_fields(blocks: tuple[Block, ...], vocabulary: Vocabulary) -> dict[int, Record]:
    """Return the headings above fields, by their index. They may be names in bold over a list."""
    headings = {index: block for index, raw in enumerate(blocks) if (block := _heading_of(raw)) is not None}
    if records := _with_fields(headings, blocks, vocabulary):
        return records
    names = {
        index: block._replace(level=NAME_LEVEL)
        for index, (block, below) in enumerate(pairwise(blocks))
        if block.kind == "paragraph" and below.kind == "list" and _is_name(block)
    }
    named = dict(sorted({**headings, **names}.items()))
    return _with_fields(named, blocks, vocabulary) if names else {}


def _is_name(block: Block) -> bool:
    """Return whether a paragraph is a name in bold, perhaps with marks and words in brackets behind it, or with its own link."""
    plain = render_plain_text(block.inlines)
    if not plain.strong or plain.strong[0].start > 0 or len(plain.text) > _MAX_NAME:
        return False
    if plain.links:
        first = plain.links[0]
        return len(plain.links) == 1 and first.start == 0 and plain.strong[0].end == first.end
    return not any(map(str.isalnum, _IN_BRACKETS.sub("", plain.text[plain.strong[0].end :])))


def _with_fields(
    headings: dict[int, Block], blocks: tuple[Block, ...], vocabulary: Vocabulary
) -> dict[int, Record]:
    """Return the records among headings: most of their items have labels, which most of them share."""
    if len(headings) < _MIN_RECORDS or not any(block.kind in ("list", "paragraph") for block in blocks):
        return {}
    headings = _without_parts(headings)
    records = {
        start: _record(headings[start], blocks[start + 1 : end], start)
        for start, end in pairwise([*headings, len(blocks)])
    }
    labels = {start: _labels(record.body) for start, record in records.items()}
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
    tables = [start for start, record in records.items() if _has_fields(record.body[-1:])]
    shared = tables if len(tables) >= _MIN_RECORDS else shared
    if not shared:
        records = _with_addresses(records, vocabulary)
        shared = [*records]
    linked = sum(
        1
        for start in shared
        if any(map(leads_elsewhere, all_links((records[start].heading, *records[start].body))))
    )
    return {start: records[start] for start in shared} if linked >= _MOST * len(shared) else {}


def _record(heading: Block, body: tuple[Block, ...], start: int) -> Record:
    """Return a heading with what stands below it, up to a table of fields if there is one."""
    tables = (end for end in range(1, len(body) + 1) if _has_fields(body[end - 1 : end]))
    body = body[: next(tables, len(body))]
    return Record(heading, body, start + 1 + len(body), is_linked=False)


def _has_fields(blocks: tuple[Block, ...]) -> bool:
    """Return whether a block is a table without a header of names in bold and what they are, with a link to elsewhere."""
    if not blocks or blocks[0].kind != "table" or not any(map(leads_elsewhere, all_links(blocks))):
        return False
    header, *rows = blocks[0].blocks
    if any(cell.inlines for cell in header.blocks):
        return False
    return bool(rows) and all(len(row.blocks) == 2 and _is_bold(row.blocks[0]) for row in rows)


def _is_bold(cell: Block) -> bool:
    plain = render_plain_text(cell.inlines)
    return not plain.links and any(end - start == len(plain.text) for start, end in plain.strong)


def _with_addresses(records: Mapping[int, Record], vocabulary: Vocabulary) -> dict[int, Record]:
    """Return the records that are a text and a line or list of links, of the levels at which most are: `[Web](u) | [Code](v)`.

    A table below may list what is there.
    """
    filled = {start: record for start, record in records.items() if record.body}
    addressed = {start: record for start, record in filled.items() if _is_addressed(record.body, vocabulary)}
    levels = Counter(record.heading.level for record in filled.values())
    counts = Counter(record.heading.level for record in addressed.values())
    usual = {level for level, count in counts.items() if count >= max(_MIN_RECORDS, _MOST * levels[level])}
    found: dict[int, Record] = {}
    for start, record in filled.items():
        tables = (index for index, block in enumerate(record.body) if block.kind == "table")
        above = record.body[: next(tables, None)]
        if record.heading.level in usual and _is_addressed(above, vocabulary):
            found[start] = record._replace(body=above, end=start + 1 + len(above))
    return found


def _is_addressed(body: tuple[Block, ...], vocabulary: Vocabulary) -> bool:
    """Return whether a text and one line of links, or a list of labels, stand below a heading, and nothing else that links."""
    *texts, last = body or (None,)
    if last is not None and last.kind == "list":
        return all(block.kind in _TEXTS for block in texts) and _are_labels(last, vocabulary)
    linked = [any(map(leads_elsewhere, all_links((block,)))) for block in body]
    others = (block.kind not in _TEXTS and any(all_links((block,))) for block in body)
    is_short = (
        len(body) <= _MAX_BLOCKS and not any(block.kind == "list" for block in body) and not any(others)
    )
    return is_short and sum(map(is_address, body)) == 1 == sum(linked)


def _are_labels(block: Block, vocabulary: Vocabulary) -> bool:
    """Return whether the items of a list are nothing but links, and most of their texts are labels: `- [Repo](u)`."""
    if any(len(item.blocks) != 1 for item in block.blocks):
        return False
    lines = [render_plain_text(first_inlines(item)) for item in block.blocks]
    are_links = all(len(line.links) == 1 and line.links[0][:2] == (0, len(line.text)) for line in lines)
    return are_links and 2 * sum(vocabulary.role(line.text) is not None for line in lines) >= len(lines)


def is_address(block: Block) -> bool:
    """Return whether a paragraph is links and next to nothing else: `Link: <u>`, `[Web](u) | [Code](v)`."""
    plain = render_plain_text(block.inlines if block.kind == "paragraph" else ())
    if not any(leads_elsewhere(link.link) for link in plain.links):
        return False
    words = [word for word in plain.text.split() if any(map(str.isalnum, word))]
    linked = [len(plain.text[link.start : link.end].split()) for link in plain.links]
    return max(linked) <= _MAX_WORDS_OF_LINK and len(words) - sum(linked) <= _MAX_WORDS_BESIDE


def _without_parts(headings: dict[int, Block]) -> dict[int, Block]:
    """Return the headings without those of the levels at which most titles stand several times: `Links`."""
    titles = {index: fold(plain_text(block.inlines)) for index, block in headings.items()}
    counts = Counter(titles.values())
    levels = Counter(block.level for block in headings.values())
    repeated = Counter(block.level for index, block in headings.items() if counts[titles[index]] > 1)
    return {
        index: block
        for index, block in headings.items()
        if repeated[block.level] < _MOST * levels[block.level]
    }


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


def field_items(body: tuple[Block, ...]) -> list[Block]:
    """Return the items of the lists below a heading, and the lines of paragraphs that are labelled: `**Site**: https://...`."""
    items: list[Block] = []
    for block in body:
        if block.kind == "list":
            items += map(_with_value, block.blocks)
        elif _has_fields((block,)):
            items += (_field(*row.blocks) for row in block.blocks[1:] if row.blocks[1].inlines)
        elif are_labelled(block) or is_address(block):
            items += (block._replace(inlines=line) for line in inline_lines(block.inlines))
    return items


def _with_value(item: Block) -> Block:
    """Return an item with the paragraph below its label beside it: `Description:`, and below it `Sorts books.`"""
    if [block.kind for block in item.blocks[:2]] != ["paragraph", "paragraph"]:
        return item
    label, value = item.blocks[:2]
    if not plain_text(label.inlines).endswith((":", "：")):
        return item
    space = Text(label.end, label.end, " ")
    label = label._replace(end=value.end, last=value.last, inlines=(*label.inlines, space, *value.inlines))
    return item._replace(blocks=(label, *item.blocks[2:]))


def _field(name: Block, value: Block) -> Block:
    """Return the two cells of a row as an item: `URL: https://oak.example.org`."""
    colon = Text(name.inlines[-1].end, name.inlines[-1].end, ": ")
    return name._replace(kind="paragraph", end=value.end, inlines=(*name.inlines, colon, *value.inlines))


def are_labelled(block: Block) -> bool:
    """Return whether each line of a paragraph begins with a label."""
    if block.kind != "paragraph" or not any(isinstance(node, Break) for node in block.inlines):
        return False
    return all(part_label(render_plain_text(line)) for line in inline_lines(block.inlines))


def _labels(body: tuple[Block, ...]) -> _Labels:
    """Return the labels below a heading, none if most items have none."""
    items = field_items(body)
    if not 0 < len(items) <= _MAX_FIELDS:
        return _Labels([], [])
    lines = [render_plain_text(item.inlines or first_inlines(item)) for item in items]
    labels = [part_label(line) for line in lines]
    titles = [fold(plain_text(block.inlines)) for block in body if block.kind == "heading"]
    known = sum(map(bool, {*labels, *titles}))
    if known < _MOST * len(labels + titles):
        return _Labels([], [])
    linked = zip(labels, lines, strict=True)
    return _Labels(labels + titles, [(label, line.links[0].link.url) for label, line in linked if line.links])
