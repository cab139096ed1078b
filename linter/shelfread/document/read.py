"""Sections that are years or venues, `2024`, `OSDI 2020`: what they state for the entries below them, and their order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.block_forms import usual_blocks
from shelfread.document.doubts import doubt
from shelfread.document.file_kind import FileKind, classify
from shelfread.document.model import (
    Citation,
    Document,
    Entry,
    Field,
    MisreadSeries,
    NonEntry,
    Section,
    sections_above,
)
from shelfread.document.places import read_places
from shelfread.document.recognizers.venues import find_mentions, is_citation, is_dated_venue
from shelfread.document.settled_entries import settle
from shelfread.document.walk import DocumentWalk
from shelfread.document.years import find_year
from shelfread.markdown.node import Block, Html, Tree, all_links
from shelfread.markdown.parse import parse
from shelfread.taxonomy.label_forms import without_count
from shelfread.taxonomy.vocabulary import Vocabulary

YEAR, VENUE = "year", "venue"
_YEAR_ALONE = lazy(r"\W*(?:year\W+)?((?:19|20)\d\d)\W*(?:年|년)?\W*", re.IGNORECASE)
# `OSDI 2020 [[Program]](u)`
_LABELS = lazy(r"(?:(?<!\s)\s+)?\[[^\[\]]{1,40}\](?:\s*\[[^\[\]]{1,40}\]){0,2}\s*$")

# An anchor alone on the line above a heading or list: to CommonMark HTML goes on up to the next blank line, to the list's
# maintainer it does not.
_ANCHOR_LINE = lazy(
    r"(?<![^\r\n]) {0,3}<a (?:name|id)=[^<>\r\n]{1,200}>(?=[ \t]*(?:\r\n?|\n) {0,3}(?:#{1,6} |[-*+] |\d{1,4}\. |\|))"
)
# So does a heading in HTML right above a list.
_HEADING_LINE = lazy(
    r"(?<![^\r\n])(?<!>\n)(?<!>\r\n)<h(?P<level>[1-6])(?: [^<>\r\n]{1,200})?>(?P<title>[^\r\n]{1,300}?)</h(?P=level)>(?=[ \t]*(?:\r\n?|\n) {0,3}(?:[-*+] |\d{1,4}\. |\|))"
)
_ACRONYM = lazy(r"[A-Z][^\W_]*[A-Z]")
_ACRONYM_LAST = lazy(
    r"[^()]{0,100}\b(?:Conference|Symposium|Meeting|Journal|Transactions) (?:on|of|for) [^()]{1,100} \((?P<acronym>[^()]{2,30})\)$"
)
_TWO_NAMES = lazy(r"(?P<name>[^()]{2,60}) \((?P<acronym>[^()]{2,30})\)")  # `Oakland (S&P)`
# `CVPR2020-Code`, `CVPR 2020 Papers with Code`
_OF_PAPERS = lazy(
    r"(?i)(?<=\d)[-_ ]{1,2}(?:accepted[-_ ])?(?:papers?|codes?)(?:[-_ ](?:with|and|codes?|papers?|lists?|collections?|interpretation)){0,4}$"
)
# `Notes of papers in OSDI 2020`, `Knowledge Graphs @ACL20`
_VENUE_LAST = lazy(r".*(?:\b(?:in|at|from|of)\s|@\s?)(?P<venue>[^@:：]{4,40})$")


class DatedRow(NamedTuple):
    """Sections below one parent, by their indexes, and the rank of each in the order that they should have."""

    sections: Sequence[int]
    ranks: Sequence[int]


def dated_rows(document: Document, indexes: Iterable[int], order: Collection[str]) -> list[DatedRow]:
    """Return the sections among `indexes` that are years or venues, and their ranks.

    With `year` in the order, years rise or fall as they mostly do in the file. With `venue` first, the sections of one
    venue stand together.
    """
    siblings: dict[int | None, list[int]] = {}
    for index in indexes:
        section = document.sections[index]
        if (section.year is not None and YEAR in order) or (_venue(section) and VENUE in order):
            siblings.setdefault(section.parent, []).append(index)
    rows = [row for row in siblings.values() if len(row) > 1]
    by_venue = bool(order) and next(iter(order)) == VENUE
    sign = _direction(document, rows, by_venue) if YEAR in order else 0
    return [DatedRow(row, _ranks(document, row, by_venue, sign)) for row in rows]


def _direction(document: Document, rows: Iterable[Sequence[int]], by_venue: bool) -> int:
    """Return 1 if most years rise from one section to the next, -1 if they fall."""
    rising = 0
    for row in rows:
        sections = (document.sections[index] for index in row)
        for one, other in pairwise(section for section in sections if section.year is not None):
            if not by_venue or _venue(one) == _venue(other):
                rising += ((other.year or 0) > (one.year or 0)) - ((other.year or 0) < (one.year or 0))
    return 1 if rising > 0 else -1


def _ranks(document: Document, row: Sequence[int], by_venue: bool, sign: int) -> list[int]:
    sections = [document.sections[index] for index in row]
    first: dict[str, int] = {}
    for section in sections:
        first.setdefault(_venue(section), len(first))
    last = 0
    keys = []
    for section in sections:
        last = last if section.year is None else sign * section.year  # `OSDI` below `2024` is no year
        keys.append((first[_venue(section)] if by_venue else 0, last))
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]


def _venue(section: Section) -> str:
    citation = section.citation
    if citation is None:
        return ""
    if citation.venue is not None:
        return citation.venue.id
    return citation.name.value.casefold() if citation.name is not None else citation.text.casefold()


def date_sections(sections: Sequence[Section], vocabulary: Vocabulary) -> tuple[Section, ...]:
    """Return sections with the venue and year that their titles state for the entries below them."""
    dated: list[Section] = []
    for section in sections:
        read = _date_section(section, vocabulary)
        above = dated[section.parent].citation if section.parent is not None else None
        if read.citation is not None and read.year is None and above is not None and above.year is not None:
            read = section  # `TinyML` below `MLSys 2021` is a subject
        dated.append(read)
    return tuple(dated)


def _date_section(section: Section, vocabulary: Vocabulary) -> Section:
    """Return a section with the venue and year that its title states for the entries below it."""
    title = _OF_PAPERS.sub("", _LABELS.sub("", without_count(section.title)))
    if last := _VENUE_LAST.match(title):
        title = last["venue"] if is_dated_venue(last["venue"], vocabulary) else title
    if (named := _ACRONYM_LAST.match(title)) and is_citation(named["acronym"], vocabulary):
        title = named["acronym"]
    if len(title) > 60:
        return section
    if (twice := _TWO_NAMES.fullmatch(title)) and (venue := vocabulary.venue(twice["acronym"])):
        title = twice["acronym"] if vocabulary.venue(twice["name"]) is venue else title
    mentions = find_mentions(title, vocabulary)
    year_alone = _YEAR_ALONE.fullmatch(title)
    citation = None
    if mentions and is_citation(title, vocabulary):
        best = next((mention for mention in mentions if mention.year), mentions[0])
        name = Field(title[best.name_start : best.name_end], section.span)
        citation = Citation(title[best.start : best.end], section.span, best.venue, best.year, name)
    elif not year_alone:
        return section
    year = citation.year if citation else None
    if year is None and (stated := find_year(year_alone.group(1) if year_alone else title)):
        year = stated.year
    return section._replace(citation=citation, year=year)


def _without_venues_of_tools(sections: tuple[Section, ...], entries: Iterable[Entry]) -> tuple[Section, ...]:
    """Return sections without venues that are words, if few papers stand below them: `Middleware`, `Web` of a list of tools."""
    doubtful = {
        index
        for index, section in enumerate(sections)
        if section.citation is not None and section.year is None and not _ACRONYM.search(section.title)
    }
    papers, others = Counter[int](), Counter[int]()
    for entry in entries if doubtful else ():
        (papers if entry.kind == "paper" else others).update(sections_above(sections, entry.section))
    tools = {index for index in doubtful if others[index] > papers[index]}
    return tuple(
        section._replace(citation=None) if index in tools else section
        for index, section in enumerate(sections)
    )


# So many entries are needed for what all of them show; it is imported for the lists that have them.
_SERIES = 4


def read(source: Source, vocabulary: Vocabulary, tree: Tree | None = None) -> Document:
    """Return the sections, entries and links of a list, of which a `tree` may be known. Never fails on any text."""
    tree = parse(source) if tree is None else tree
    links = shown = tuple(all_links(tree.blocks))
    blocks = tree.blocks
    if (text := _without_html_lines(source.text)) != source.text:
        blocks = tuple(_as_written(block, source) for block in parse(Source(text, source.path)).blocks)
        shown = tuple(all_links(blocks))
    blocks = usual_blocks(blocks, source, vocabulary)
    walk = DocumentWalk(source, blocks, shown, vocabulary)
    walk.read_blocks(blocks)
    sections = date_sections(walk.outline.sections, vocabulary)
    doubted = walk.outline.doubted_sections()
    found = walk.entries
    if sum(len(items) for _, items in walk.parted) >= _SERIES:
        from shelfread.document.line_rows import read_as_rows

        found = read_as_rows(walk.parted, found, walk.setting("bracket-links"))
    entries, overviews = settle(
        found, walk.title_lines, sections, source, vocabulary, doubted, walk.lists_titles
    )
    entries = read_places(entries, vocabulary)
    if any(entry.citation is not None and entry.citation.venue is None for entry in entries):
        from shelfread.document.recognizers.venue_names import with_known_venue

        entries = [with_known_venue(entry, vocabulary) for entry in entries]
    if len(entries) >= _SERIES:
        from shelfread.document.credits import part_makers, read_credits, read_makers

        entries = part_makers(read_makers(read_credits(entries)))
    entries = doubt(entries, source.text, vocabulary)
    misread: tuple[MisreadSeries, ...] = ()
    if len(entries) >= _SERIES:
        from shelfread.document.misread import audit_series

        entries, misread = audit_series(entries, sections)
    sections = _without_venues_of_tools(sections, entries)
    kind = classify(source)
    if kind is not FileKind.LIST:
        misread = ()
        overviews, entries = [*overviews, *_examples(entries, kind)], []
    skipped = tuple(sorted([*walk.non_entries, *overviews], key=lambda item: item.span.start))
    return Document(source, tree, sections, tuple(entries), links, skipped, kind, misread)


def _without_html_lines(text: str) -> str:
    """Return a text with blanks in place of anchors above headings and lists, and headings of Markdown in place of HTML's."""
    if "<a " in text:
        text = _ANCHOR_LINE.sub(lambda tag: " " * len(tag[0]), text)
    if "</h" in text:
        text = _HEADING_LINE.sub(
            lambda tag: (
                ("#" * int(tag["level"])).ljust(tag.start("title") - tag.start())
                + tag["title"].ljust(tag.end() - tag.start("title"))
            ),
            text,
        )
    return text


def _as_written(block: Block, source: Source) -> Block:
    """Return a heading that is HTML in the source as a block of HTML, any other block as it is."""
    if block.kind != "heading" or not source.text.startswith("<h", block.start):
        return block
    tag = f"h{block.level}"
    opening, closing = Html(block.start, block.start, tag, ""), Html(block.end, block.end, f"/{tag}", "")
    return block._replace(kind="html", level=0, inlines=(opening, *block.inlines, closing))


def _examples(entries: Iterable[Entry], kind: FileKind) -> Iterator[NonEntry]:
    """Yield what a file that is no list has instead of entries, without what is nested in another."""
    end = -1
    for entry in entries:
        if entry.span.start >= end:
            end = entry.span.end
            yield NonEntry(entry.span, entry.line, entry.end_line, f"part of a {kind.value}")
