"""Entries in tables: which column holds what."""

from __future__ import annotations

import re
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.entry.table_row import RowHead, read_row
from shelfread.document.entry.title_line import read_simple_title_line, read_title_line
from shelfread.document.model import Entry
from shelfread.document.non_entries import links_internally
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary

_COLUMNS = {
    "title": r"title|paper ?title|papers?|name|project|tool|api|library|resource|resources|model|method|dataset|benchmark|"
    r"framework|repo(?:sitory)?|software|service|app|application|package|plugin|site|website|work|survey|book|course|link|"
    r"system|product|company|论文|标题|题目|名称",
    "venue": r"venue(?: .*)?|conference|publication|published(?: in| at)?|pub\.?|journal|where|source|会议|期刊|出处",
    "year": r"year|date|time|published on|publish date|release date|年份|时间|日期",
    "authors": r"(?:\w+/)?authors?|first author|作者",
    "affiliations": r"team|affiliations?|institut(?:e|ion)s?|organi[sz]ations?|company|机构|单位",
    "description": r"description|details|summary|about|what|notes?|comments?|tl;?dr|key ?words?|abstract|描述|简介|说明",
}
_COLUMN = {kind: lazy(rf"\W*(?:{words})\W*", re.IGNORECASE) for kind, words in _COLUMNS.items()}


class Row(NamedTuple):
    """A row of cells: their inline nodes and their spans."""

    cells: list[tuple[Inline, ...]]
    block: Block
    lines: Span


def read_table(table: Block, section: int | None, source: Source, vocabulary: Vocabulary) -> list[Entry]:
    """The entries of a Markdown table's body; none where no column names what is listed."""
    if not table.blocks or table.blocks[0].level != 0:
        return []
    header = [plain_text(cell.inlines) for cell in table.blocks[0].blocks]
    rows = [
        Row([cell.inlines for cell in row.blocks], row, Span(row.first + 1, row.last))
        for row in table.blocks[1:]
    ]
    return read_rows(header, rows, section, "table-row", source, vocabulary)


def read_rows(
    header: list[str],
    rows: list[Row],
    section: int | None,
    dialect: str,
    source: Source,
    vocabulary: Vocabulary,
) -> list[Entry]:
    """The entries of a table's rows, under the names that its header gives to the columns."""
    columns = _name_columns(header)
    if "title" not in columns:
        taken = set(columns.values())
        found = _first_linked(rows, taken, vocabulary)
        if found is None:
            found = _first_worded(rows, taken)
        if found is None:
            return []
        columns["title"] = found
    entries: list[Entry] = []
    for row in rows:
        at = columns["title"]
        if at >= len(row.cells):
            continue
        printed = render_plain_text(row.cells[at])
        head = read_simple_title_line(row.cells[at], printed, vocabulary) or read_title_line(
            printed, vocabulary, named=True
        )
        if head.title is None or not any(map(str.isalnum, printed.text[head.title.start : head.title.end])):
            continue
        title = printed.text[head.title.start : head.title.end]
        if not printed.links and _COLUMN["title"].fullmatch(title):
            continue  # a header's second row
        if not links_internally(head):
            entries.append(
                read_row(
                    RowHead(row.cells, row.block, row.lines, head),
                    header,
                    columns,
                    section,
                    dialect,
                    source,
                    vocabulary,
                )
            )
    return entries


def _first_linked(rows: list[Row], taken: set[int], vocabulary: Vocabulary) -> int | None:
    """The first column whose cells mostly begin with a link: it names what the rows are about."""
    for at in range(min(3, max((len(row.cells) for row in rows), default=0))):
        linked = sum(
            1 for row in rows if at < len(row.cells) and _begins_with_link(row.cells[at], vocabulary)
        )
        if at not in taken and linked > 0.7 * len(rows):
            return at
    return None


def _first_worded(rows: list[Row], taken: set[int]) -> int | None:
    """The first column whose cells mostly are whole titles, in a table whose rows mostly hold links."""
    linked = sum(1 for row in rows if any(isinstance(node, Link) for cell in row.cells for node in cell))
    if linked <= 0.7 * len(rows):
        return None
    for at in range(min(4, max((len(row.cells) for row in rows), default=0))):
        worded = sum(1 for row in rows if at < len(row.cells) and len(plain_text(row.cells[at]).split()) >= 4)
        if at not in taken and worded > 0.7 * len(rows):
            return at
    return None


def _begins_with_link(cell: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    first = cell[0] if cell else None
    return isinstance(first, Link) and not first.image and vocabulary.role(plain_text((first,))) is None


def _name_columns(header: list[str]) -> dict[str, int]:
    """Which column holds which field; the words of `title` are tried from the most telling one on."""
    columns: dict[str, int] = {}
    for at, name in enumerate(header):
        for kind in ("venue", "year", "authors", "affiliations", "description"):
            if kind not in columns and _COLUMN[kind].fullmatch(name):
                columns[kind] = at
    titles = [
        at
        for at, name in enumerate(header)
        if at not in columns.values() and _COLUMN["title"].fullmatch(name)
    ]
    telling = [at for at in titles if re.search(r"title|name|标题|题目|名称", header[at], re.IGNORECASE)]
    others = [at for at in titles if not re.fullmatch(r"\W*links?\W*", header[at], re.IGNORECASE)]
    for choice in (telling, others, titles):
        if choice:
            columns["title"] = choice[0]
            break
    return columns
