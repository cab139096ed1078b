"""Entries in tables: Markdown's, and those written in HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from shelfread.diagnostic import Span
from shelfread.document.citation import find_mentions, find_year
from shelfread.document.entry import (
    build_classic,
    build_paper,
    identifiers_of,
    is_paper,
    is_paper_address,
)
from shelfread.document.head import Head, read_head
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.people import are_authors, split_authors
from shelfread.document.printed import Printed, print_inlines
from shelfread.source import Source
from shelfread.syntax.html import attributes
from shelfread.syntax.node import Block, Html, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_COLUMNS = {
    "title": r"title|paper ?title|papers?|name|project|tool|api|library|resource|resources|model|method|dataset|benchmark|"
    r"framework|repo(?:sitory)?|software|service|app|application|package|plugin|site|website|work|survey|book|course|link|"
    r"system|product|company|论文|标题|题目|名称",
    "venue": r"venue(?: .*)?|conference|publication|published(?: in| at)?|pub\.?|journal|where|source|会议|期刊|出处",
    "year": r"year|date|time|published on|publish date|release date|年份|时间|日期",
    "authors": r"(?:\w+/)?authors?|first author|作者",
    "affiliations": r"team|affiliations?|institutions?|organi[sz]ations?|company|机构|单位",
    "description": r"description|details|summary|about|what|notes?|comments?|tl;?dr|key ?words?|abstract|描述|简介|说明",
}
_COLUMN = {kind: re.compile(rf"\W*(?:{words})\W*", re.IGNORECASE) for kind, words in _COLUMNS.items()}


class _Row(NamedTuple):
    """A row of cells: their inline nodes and their spans."""

    cells: list[tuple[Inline, ...]]
    block: Block
    lines: Span


class _Cell(NamedTuple):
    """An HTML table's cell and how many rows and columns it takes."""

    inlines: list[Inline]
    rows: int
    columns: int


def read_table(
    table: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> list[Entry]:
    """The entries of a Markdown table's body; none where its header names no thing that is listed."""
    if not table.blocks or table.blocks[0].level != 0:
        return []
    header = [" ".join(print_inlines(cell.inlines).text.split()) for cell in table.blocks[0].blocks]
    rows = [
        _Row([cell.inlines for cell in row.blocks], row, Span(row.first + 1, row.last)) for row in table.blocks[1:]
    ]
    return _read_rows(header, rows, section, "table-row", source, vocabulary)


def read_html_table(block: Block, section: int | None, source: Source, vocabulary: Vocabulary) -> list[Entry]:
    """The entries of the tables in an HTML block; a cell that spans rows or columns stands in each of them."""
    rows: list[_Row] = []
    cells: list[_Cell] = []
    above: list[_Cell] = []
    start = -1
    for node in block.inlines:
        tag = node.tag if isinstance(node, Html) else ""
        if tag == "tr":
            cells, start = [], node.start
        elif tag == "/tr" and start >= 0:
            above = _lay_out(cells, above)
            rows.append(_html_row([cell.inlines for cell in above], start, node.end, block, source))
            start = -1
        elif tag in ("td", "th") and start >= 0 and isinstance(node, Html):
            written = attributes(node.value)
            sizes = [int(written[name].value) if name in written and written[name].value.isdigit() else 1
                     for name in ("rowspan", "colspan")]  # fmt: skip
            cells.append(_Cell([], min(sizes[0], 10_000), min(sizes[1], 100)))
        elif tag not in ("/td", "/th") and cells and start >= 0:
            cells[-1].inlines.append(node)
    if len(rows) < 2:
        return []
    header = [" ".join(print_inlines(cell).text.split()) for cell in rows[0].cells]
    return _read_rows(header, rows[1:], section, "html-table", source, vocabulary)


def _lay_out(cells: list[_Cell], above: list[_Cell]) -> list[_Cell]:
    """A row of an HTML table by columns, with what reaches down from the row above."""
    row: list[_Cell] = []
    left = list(cells)
    while left or len(row) < len(above):
        if len(row) < len(above) and above[len(row)].rows > 1:
            over = above[len(row)]
            row.append(over._replace(rows=over.rows - 1))
        elif left:
            cell = left.pop(0)
            row.extend([cell] * max(cell.columns, 1))
        else:
            break
    return row


def _html_row(cells: list[list[Inline]], start: int, end: int, block: Block, source: Source) -> _Row:
    first, last = source.line_at(start), source.line_at(end - 1)
    row = block._replace(kind="row", start=start, end=end, first=first, last=last + 1, inlines=())
    return _Row([tuple(cell) for cell in cells], row, Span(first + 1, last + 1))


def _read_rows(
    header: list[str], rows: list[_Row], section: int | None, dialect: str, source: Source, vocabulary: Vocabulary
) -> list[Entry]:
    columns = _name_columns(header)
    if "title" not in columns:
        linked = _first_linked(rows, set(columns.values()))
        if linked is None:
            return []
        columns["title"] = linked
    entries: list[Entry] = []
    for row in rows:
        at = columns["title"]
        if at >= len(row.cells):
            continue
        printed = print_inlines(row.cells[at])
        head = read_head(printed, vocabulary, named=True)
        if head.title is None or not re.search(r"\w", printed.text[head.title.start : head.title.end]):
            continue
        entries.append(_read_row(row, head, header, columns, section, dialect, source, vocabulary))
    return entries


def _first_linked(rows: list[_Row], taken: set[int]) -> int | None:
    """The first column whose cells mostly begin with a link: it names what the rows are about."""
    for at in range(min(3, max((len(row.cells) for row in rows), default=0))):
        linked = sum(1 for row in rows if at < len(row.cells) and _begins_with_link(row.cells[at]))
        if at not in taken and linked > 0.7 * len(rows):
            return at
    return None


def _begins_with_link(cell: tuple[Inline, ...]) -> bool:
    first = cell[0] if cell else None
    return isinstance(first, Link) and not first.image


def _name_columns(header: list[str]) -> dict[str, int]:
    """Which column holds which field; the words of `title` are tried from the most telling one on."""
    columns: dict[str, int] = {}
    for at, name in enumerate(header):
        for kind in ("venue", "year", "authors", "affiliations", "description"):
            if kind not in columns and _COLUMN[kind].fullmatch(name):
                columns[kind] = at
    titles = [at for at, name in enumerate(header) if at not in columns.values() and _COLUMN["title"].fullmatch(name)]
    telling = [at for at in titles if re.search(r"title|name|标题|题目|名称", header[at], re.IGNORECASE)]
    others = [at for at in titles if not re.fullmatch(r"\W*links?\W*", header[at], re.IGNORECASE)]
    for choice in (telling, others, titles):
        if choice:
            columns["title"] = choice[0]
            break
    return columns


def _read_row(
    row: _Row, head: Head, header: list[str], columns: dict[str, int], section: int | None, dialect: str,
    source: Source, vocabulary: Vocabulary,
) -> Entry:  # fmt: skip
    cells = {kind: print_inlines(row.cells[at]) for kind, at in columns.items() if at < len(row.cells)}
    links = _cell_links(row, header, columns, vocabulary)
    paper = (
        "venue" in columns or "authors" in columns or is_paper(head, [], vocabulary)
        or any(is_paper_address(link.link.url, vocabulary) for link in links)
    )  # fmt: skip
    if not paper:
        entry = build_classic(head, row.block, section, dialect, row.lines, vocabulary)
        described = _whole(cells["description"]) if "description" in cells else entry.description
        if not links and described is entry.description:
            return entry
        all_links = (*entry.links, *links)
        return replace(entry, links=all_links, description=described, identifiers=identifiers_of(all_links))
    entry = build_paper(head, [], row.block, section, dialect, source.text, row.lines, vocabulary)
    citation, year = entry.citation, entry.year
    if citation is None and "venue" in cells:
        citation = _cell_citation(cells["venue"], vocabulary)
        year = citation.year if citation and citation.year else year
    if "year" in cells and (found := find_year(cells["year"].text)):
        year = found[0]
    authors = entry.authors
    if not authors and "authors" in cells and are_authors(cells["authors"].text):
        whole = _whole(cells["authors"])
        authors = tuple(Field(person, whole.span) for person in split_authors(whole.value)) if whole else ()
    affiliations = entry.affiliations
    if not affiliations and "affiliations" in cells and (whole := _whole(cells["affiliations"])):
        affiliations = (whole,)
    described = _whole(cells["description"]) if "description" in cells else None
    all_links = (*entry.links, *links)
    return replace(
        entry, citation=citation, year=year, authors=authors, affiliations=affiliations, description=described,
        links=all_links, identifiers={**identifiers_of(all_links), **entry.identifiers},
    )  # fmt: skip


def _whole(printed: Printed) -> Field | None:
    value = " ".join(printed.text.split())
    return Field(value, printed.span(0, len(printed.text))) if value.strip("-–— ") else None


def _cell_citation(printed: Printed, vocabulary: Vocabulary) -> Citation | None:
    text = printed.text
    mentions = find_mentions(text, vocabulary)
    if not mentions:
        return None
    best = next((mention for mention in mentions if mention.year), mentions[0])
    return Citation(
        " ".join(text[best.start : best.end].split()), printed.span(best.start, best.end), best.venue, best.year,
        Field(text[best.name_start : best.name_end], printed.span(best.name_start, best.name_end)),
    )  # fmt: skip


def _cell_links(
    row: _Row, header: list[str], columns: dict[str, int], vocabulary: Vocabulary
) -> list[LabelledLink]:
    """The links of the cells beside the title: their text is the label, or else the column's name is."""
    links: list[LabelledLink] = []
    skipped = {columns["title"], columns.get("description", -1)}
    for at, cell in enumerate(row.cells):
        if at in skipped:
            continue
        printed = print_inlines(cell)
        for link in printed.links:
            label = " ".join(printed.text[link.start : link.end].split()).strip("[]() ")
            column = header[at] if at < len(header) else ""
            role = vocabulary.role(label) or vocabulary.role(column) or vocabulary.role("", link.link.url)
            links.append(LabelledLink(label or column, role, link.link))
    return links
