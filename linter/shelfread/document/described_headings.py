"""Headings that name what a table of fields below them describes: `### Oak`, a sentence, `| **URL** | https://oak.example.org |`."""

from __future__ import annotations

from itertools import pairwise

from shelfread.core.diagnostics import Span
from shelfread.document.entry.classic import build_classic
from shelfread.document.entry.entry_fields import Setting
from shelfread.document.entry.prefix import MAX_NAME_WORDS
from shelfread.document.entry.sub_lines import SubLine, collect_fields, parse_sub_line
from shelfread.document.entry.title_line import read_title_line
from shelfread.document.model import Entry, Field
from shelfread.document.non_entries import leads_elsewhere
from shelfread.document.plain_text import plain_text, render_plain_text
from shelfread.markdown.node import Block, Text, all_links
from shelfread.taxonomy.vocabulary import Vocabulary

_MIN_TABLES = 3  # so many tables without a header are those of fields
_MAX_TEXTS = 3  # so many paragraphs at most stand between a heading and its table


def find_described_headings(blocks: tuple[Block, ...]) -> dict[int, int]:
    """Return the indexes of the headings, each with that of the table of its fields; none if there are few."""
    tables = [index for index, block in enumerate(blocks) if block.kind == "table" and _has_fields(block)]
    if len(tables) < _MIN_TABLES:
        return {}
    headings: dict[int, int] = {}
    for above, table in pairwise([-1, *tables]):
        heading = table - 1
        while heading > max(above, table - 2 - _MAX_TEXTS) and blocks[heading].kind == "paragraph":
            heading -= 1
        if heading > above and blocks[heading].kind == "heading":
            headings[heading] = table
    return headings if len(headings) >= _MIN_TABLES else {}


def _has_fields(table: Block) -> bool:
    """Return whether a table without a header has two columns, a name in bold and what it is, and a link to elsewhere."""
    header, *rows = table.blocks
    if any(cell.inlines for cell in header.blocks) or not any(map(leads_elsewhere, all_links((table,)))):
        return False
    return bool(rows) and all(len(row.blocks) == 2 and _is_name(row.blocks[0]) for row in rows)


def _is_name(cell: Block) -> bool:
    plain = render_plain_text(cell.inlines)
    is_bold = any(end - start == len(plain.text) for start, end in plain.strong)
    return is_bold and not plain.links and len(plain.text.split()) <= MAX_NAME_WORDS


def read_described_heading(heading: Block, body: tuple[Block, ...], setting: Setting) -> Entry | None:
    """Return the entry of a heading: the paragraphs and the table of `body` say more of it."""
    line = read_title_line(render_plain_text(heading.inlines), setting.vocabulary, named=True)
    if line.title is None:
        return None
    *texts, table = body
    rows = [row for row in table.blocks[1:] if row.blocks[1].inlines]
    lines = [told for row in rows if (told := _field_line(row, setting.vocabulary)) is not None]
    fields = collect_fields(lines, setting.source.text, setting.vocabulary, of_paper=False)
    spans = {note.span: note for note in fields.notes}
    fields.notes = [
        Field(" ".join(told.plain.text.split()), note.span)
        for told in lines
        if (note := spans.get(Span(told.inlines[0].start, told.inlines[-1].end))) is not None
    ]
    fields.text = None
    entry = build_classic(line, heading, setting, (), fields)
    if line.title_link is None:  # all of it is the name: `Oak (Open Archive of Kindling)`
        name = Field(plain_text(heading.inlines), Span(heading.inlines[0].start, heading.inlines[-1].end))
        entry = entry._replace(title=name, name=name, notes=tuple(fields.notes), description=None)
    if texts and entry.description is None:
        span = Span(texts[0].inlines[0].start, texts[0].inlines[-1].end)
        entry = entry._replace(description=Field(plain_text(texts[0].inlines), span))
    return entry._replace(end_line=table.last)


def _field_line(row: Block, vocabulary: Vocabulary) -> SubLine | None:
    """Return the two cells of a row as a line: `URL: https://oak.example.org`."""
    name, value = row.blocks
    colon = Text(name.inlines[-1].end, name.inlines[-1].end, ": ")
    return parse_sub_line(
        row._replace(kind="paragraph", blocks=(), inlines=(*name.inlines, colon, *value.inlines)), vocabulary
    )
