"""A table's row as an entry: what each cell adds to the title's."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.document.entry.build import build_classic, build_paper, is_paper
from shelfread.document.entry.labels import image_label
from shelfread.document.entry.links import entry_identifiers, is_paper_url
from shelfread.document.entry.title_line import TitleLine
from shelfread.document.model import Citation, Entry, Field, LabelledLink
from shelfread.document.plain_text import PlainText, render_plain_text
from shelfread.document.recognizers.citation import (
    arxiv_year,
    find_mentions,
    find_unlisted_venue,
    find_year,
    may_take_arxiv_year,
    to_citation,
)
from shelfread.document.recognizers.organisations import find_organisations
from shelfread.document.recognizers.people import are_authors, find_people
from shelfread.markdown.node import Block, Inline, Link
from shelfread.taxonomy.vocabulary import Vocabulary


class RowHead(NamedTuple):
    """A row of cells and the head of the one that holds the title."""

    cells: list[tuple[Inline, ...]]
    block: Block
    lines: Span
    title_line: TitleLine


def read_row(
    row: RowHead,
    header: list[str],
    columns: dict[str, int],
    section: int | None,
    dialect: str,
    source: Source,
    vocabulary: Vocabulary,
) -> Entry:
    """The entry that a row is; `columns` says which field stands where."""
    head = row.title_line
    cells = {kind: render_plain_text(row.cells[at]) for kind, at in columns.items() if at < len(row.cells)}
    links = _cell_links(row, header, columns, vocabulary)
    described = _whole(cells["description"]) if "description" in cells else None
    paper = (
        "venue" in columns
        or "authors" in columns
        or is_paper(head, [], vocabulary)
        or any(is_paper_url(link.link.url, vocabulary) for link in links)
    )
    if not paper:
        entry = build_classic(head, row.block, section, dialect, row.lines, vocabulary)
        if not links and described is None:
            return entry
        both = (*entry.links, *links)
        return replace(
            entry, links=both, description=described or entry.description, identifiers=entry_identifiers(both)
        )
    entry = build_paper(head, [], row.block, section, dialect, source.text, row.lines, vocabulary)
    citation, year, of_id = entry.citation, entry.year, entry.year_from_arxiv_id
    if citation is None and "venue" in cells:
        citation = _cell_citation(cells["venue"], vocabulary)
        if citation and citation.year:
            year, of_id = citation.year, False
    if "year" in cells and (found := find_year(cells["year"].text)):
        year, of_id = found[0], False
    authors = entry.authors
    if not authors and "authors" in cells and are_authors(cells["authors"].text):
        text = cells["authors"].text
        authors = tuple(find_people(cells["authors"], text, 0, len(text)))
    affiliations = entry.affiliations
    if not affiliations and "affiliations" in cells and _whole(cells["affiliations"]):
        affiliations = tuple(find_organisations(cells["affiliations"], 0, len(cells["affiliations"].text)))
    both = (*entry.links, *links)
    identifiers = {**entry_identifiers(both), **entry.identifiers}
    if year is None and may_take_arxiv_year(citation):
        year, of_id = arxiv_year(identifiers.get("arxiv", "")), True
    return replace(
        entry,
        citation=citation,
        year=year,
        year_from_arxiv_id=of_id,
        authors=authors,
        affiliations=affiliations,
        description=described,
        links=both,
        identifiers=identifiers,
    )


def _whole(printed: PlainText) -> Field | None:
    value = " ".join(printed.text.split())
    return Field(value, printed.span(0, len(printed.text))) if value.strip("-–—/ ") else None


def _cell_citation(printed: PlainText, vocabulary: Vocabulary) -> Citation | None:
    text = printed.text
    mentions = find_mentions(text, vocabulary)
    if not mentions and (unknown := find_unlisted_venue(text, sure=True)):
        mentions = [unknown]
    if not mentions:
        return None
    best = next((mention for mention in mentions if mention.year), mentions[0])
    return to_citation(printed, best)


def _cell_links(
    row: RowHead, header: list[str], columns: dict[str, int], vocabulary: Vocabulary
) -> list[LabelledLink]:
    """The links of the cells beside the title: their text is the label, or else the column's name is."""
    links: list[LabelledLink] = []
    skipped = {columns["title"], columns.get("description", -1)}
    for at, cell in enumerate(row.cells):
        if at in skipped or not any(isinstance(node, Link) or getattr(node, "children", ()) for node in cell):
            continue
        printed = render_plain_text(cell)
        column = header[at] if at < len(header) else ""
        for link in printed.links:
            label = " ".join(printed.text[link.start : link.end].split()).strip("[]() ")
            if not label:
                label = image_label(link.link, vocabulary)
            role = vocabulary.role(label) or vocabulary.role(column) or vocabulary.role("", link.link.url)
            links.append(LabelledLink(label or column, role, link.link))
    return links
