"""Entries in tables: the columns of their fields."""

from __future__ import annotations

import re
from collections.abc import Callable

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.entry.table_row import Row, read_row
from shelfread.document.entry.title_line import read_simple_title_line, read_title_line
from shelfread.document.model import Entry, NonEntry
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


def read_table(
    table: Block, section: int | None, source: Source, vocabulary: Vocabulary
) -> list[Entry | NonEntry]:
    """Return the entries of a Markdown table, or none if no column names what it lists."""
    if not table.blocks or table.blocks[0].level != 0:
        return []
    header = [plain_text(cell.inlines) for cell in table.blocks[0].blocks]
    rows = [Row([cell.inlines for cell in row.blocks], row) for row in table.blocks[1:]]
    return read_rows(header, rows, vocabulary, section=section, dialect="table-row", source=source)


def read_rows(
    header: list[str],
    rows: list[Row],
    vocabulary: Vocabulary,
    section: int | None,
    dialect: str,
    source: Source,
) -> list[Entry | NonEntry]:
    """Return the entries of a table's rows, or none if no column names what it lists."""
    columns = _name_columns(header)
    if "title" not in columns:
        named = set(columns.values())
        title_column = _first_column(rows, 3, named, lambda cell: _begins_with_link(cell, vocabulary))
        linked = sum(1 for row in rows if any(isinstance(node, Link) for cell in row.cells for node in cell))
        if title_column is None and linked > 0.7 * len(rows):
            title_column = _first_column(rows, 4, named, lambda cell: len(plain_text(cell).split()) >= 4)
        if title_column is None:
            return []
        columns["title"] = title_column
    entries: list[Entry | NonEntry] = []
    for row in rows:
        if columns["title"] >= len(row.cells):
            continue
        cell = row.cells[columns["title"]]
        plain = render_plain_text(cell)
        line = read_simple_title_line(cell, plain, vocabulary)
        line = line or read_title_line(plain, vocabulary, named=True)
        if not any(map(str.isalnum, line.title_text)) or links_internally(line):
            continue
        if not plain.links and _COLUMN["title"].fullmatch(line.title_text):
            continue  # a second header row
        entries.append(
            read_row(row, line, header, columns, vocabulary, section=section, dialect=dialect, source=source)
        )
    return entries


def _first_column(
    rows: list[Row], limit: int, named: set[int], fits: Callable[[tuple[Inline, ...]], bool]
) -> int | None:
    """Return the first of the first `limit` columns whose cells mostly fit, other than those already named."""
    for i in range(min(limit, max((len(row.cells) for row in rows), default=0))):
        fitting = sum(1 for row in rows if i < len(row.cells) and fits(row.cells[i]))
        if i not in named and fitting > 0.7 * len(rows):
            return i
    return None


def _begins_with_link(cell: tuple[Inline, ...], vocabulary: Vocabulary) -> bool:
    first = cell[0] if cell else None
    return isinstance(first, Link) and not first.image and vocabulary.role(plain_text((first,))) is None


def _name_columns(header: list[str]) -> dict[str, int]:
    """Return the index of each field's column. Of several title columns the most specific name wins."""
    columns: dict[str, int] = {}
    titles: list[int] = []
    for index, name in enumerate(header):
        for kind in ("venue", "year", "authors", "affiliations", "description"):
            if kind not in columns and _COLUMN[kind].fullmatch(name):
                columns[kind] = index
        if index not in columns.values() and _COLUMN["title"].fullmatch(name):
            titles.append(index)
    specific = [i for i in titles if re.search(r"title|name|标题|题目|名称", header[i], re.IGNORECASE)]
    not_links = [i for i in titles if not re.fullmatch(r"\W*links?\W*", header[i], re.IGNORECASE)]
    if titles:
        columns["title"] = (specific or not_links or titles)[0]
    return columns
