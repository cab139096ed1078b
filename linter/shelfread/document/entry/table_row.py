"""Entries in table rows: the title cell, and the fields and links of the other cells."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.document.entry.build import build_classic, build_paper, is_paper
from shelfread.document.entry.labels import image_label
from shelfread.document.entry.links import entry_identifiers, is_paper_url
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.recognizers.citation import assumed_year, find_venues, find_year, to_citation
from shelfread.document.recognizers.organisations import find_organisations
from shelfread.document.recognizers.people import are_authors, find_people
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary


class Row(NamedTuple):
    """A table row: the inline nodes of its cells, and its block."""

    cells: list[tuple[Inline, ...]]
    block: Block


def read_row(
    row: Row,
    title_line: TitleLine,
    header: list[str],
    columns: dict[str, int],
    vocabulary: Vocabulary,
    *,
    section: int | None,
    dialect: str,
    source: Source,
) -> Entry:
    """Return the entry of a row. `title_line` is that of its title cell, `columns` has the indexes of the fields."""
    cells = {kind: render_plain_text(row.cells[i]) for kind, i in columns.items() if i < len(row.cells)}
    links = _cell_links(row, header, columns, vocabulary)
    if (
        "venue" in columns
        or "authors" in columns
        or is_paper(title_line, [], vocabulary)
        or any(is_paper_url(link.link.url, vocabulary) for link in links)
    ):
        entry = build_paper(
            title_line, [], row.block, vocabulary, section=section, dialect=dialect, source=source.text
        )
        return _add_paper_cells(entry, cells, links, vocabulary)
    description = _cell_field(cells.get("description"))
    entry = build_classic(title_line, row.block, vocabulary, section=section, dialect=dialect)
    if not links and description is None:
        return entry
    links = (*entry.links, *links)
    description = description or entry.description
    return replace(entry, links=links, description=description, identifiers=entry_identifiers(links))


def _add_paper_cells(
    entry: Entry, cells: dict[str, PlainText], links: tuple[LabelledLink, ...], vocabulary: Vocabulary
) -> Entry:
    """Return a paper's entry with the fields of its other cells. Those of the title cell take precedence."""
    citation, year, from_arxiv_id = entry.citation, entry.year, entry.year_from_arxiv_id
    if citation is None and "venue" in cells:
        citation = _cell_citation(cells["venue"], vocabulary)
        if citation and citation.year:
            year, from_arxiv_id = citation.year, False
    if "year" in cells and (found := find_year(cells["year"].text)):
        year, from_arxiv_id = found.year, False
    authors, cell = entry.authors, cells.get("authors")
    if not authors and cell and are_authors(cell.text):
        authors = tuple(find_people(cell, cell.text, 0, len(cell.text)))
    affiliations, cell = entry.affiliations, cells.get("affiliations")
    if not affiliations and cell and _cell_field(cell):
        affiliations = tuple(find_organisations(cell, 0, len(cell.text)))
    links = (*entry.links, *links)
    identifiers = {**entry_identifiers(links), **entry.identifiers}
    if year is None:
        year = assumed_year(citation, identifiers)
        from_arxiv_id = year is not None
    return replace(
        entry,
        citation=citation,
        year=year,
        year_from_arxiv_id=from_arxiv_id,
        authors=authors,
        affiliations=affiliations,
        description=_cell_field(cells.get("description")),
        links=links,
        identifiers=identifiers,
    )


def _cell_field(cell: PlainText | None) -> Field | None:
    value = " ".join(cell.text.split()) if cell else ""
    return Field(value, cell.span(0, len(cell.text))) if cell and value.strip("-–—/ ") else None


def _cell_citation(cell: PlainText, vocabulary: Vocabulary) -> Citation | None:
    mentions = find_venues(cell.text, vocabulary)
    best = next((mention for mention in mentions if mention.year), mentions[0] if mentions else None)
    return to_citation(cell, best) if best else None


def _cell_links(
    row: Row, header: list[str], columns: dict[str, int], vocabulary: Vocabulary
) -> tuple[LabelledLink, ...]:
    """Return the links of the other cells. The label is the link's text, or else the column's name."""
    links: list[LabelledLink] = []
    skipped = {columns["title"], columns.get("description", -1)}
    for i, cell in enumerate(row.cells):
        if i in skipped or not any(isinstance(node, Link) or getattr(node, "children", ()) for node in cell):
            continue
        plain = render_plain_text(cell)
        column = header[i] if i < len(header) else ""
        for link in plain.links:
            label = " ".join(plain.text[link.start : link.end].split()).strip("[]() ")
            if not label:
                label = image_label(link.link, vocabulary)
            role = vocabulary.role(label) or vocabulary.role(column) or vocabulary.role("", link.link.url)
            links.append(LabelledLink(label or column, role, link.link))
    return tuple(links)
