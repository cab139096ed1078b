"""The rows of an entry: its source, and each field that it states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.document.export import citation_and_year
from shelfread.document.model import Citation, Document, Entry, Field, LabelledLink
from shelfread.exports.entries.row import Row, excerpt, shown, source_line
from shelfread.markdown.node import Link

_LABEL = 80
_URL = 200


def entry_rows(entry: Entry, document: Document, unread: Sequence[Link], start: int = 0) -> Iterator[Row]:
    """Yield the source of an entry, from offset `start` on, its fields, and its links that are in no field."""
    word = "paper" if entry.kind == "paper" else "entry"
    source = document.source
    line = max(entry.line, source.line_at(entry.title.span.start) + 1)  # a row of HTML begins with its tag
    text = source_line(source, line, start, entry.title_line.end if start else 0)
    yield Row(entry.line, entry.end_line, word, text)
    for name, value in _fields(entry, document):
        mark = "?" if name in entry.uncertain else ""
        yield Row(entry.line, entry.line, f"{name}{mark}", value)
    for link in unread:
        line = source.line_at(link.start) + 1
        label = excerpt(source.text, link.text.start, link.text.end, _LABEL)
        url = excerpt(link.url, 0, len(link.url), _URL)
        yield Row(line, line, "unread", f"<{url}>" if label == url else f"{label} <{url}>")


def _fields(entry: Entry, document: Document) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each field that an entry states."""
    yield "title", shown(entry.title.value)
    if entry.name is not None and entry.name.value != entry.title.value:
        yield "name", shown(entry.name.value)
    yield from _venue_and_year(entry, document)
    if entry.authors:
        yield "authors", _joined(entry.authors)
    if entry.affiliations:
        yield "affiliations", _joined(entry.affiliations)
    for link in entry.links:
        yield "link", _link(link, entry)
    if entry.description is not None:
        yield "description", shown(entry.description.value)
    if entry.notes:
        yield "notes", f"{len(entry.notes):,}"


def _venue_and_year(entry: Entry, document: Document) -> Iterator[tuple[str, str]]:
    citation, year = citation_and_year(entry, document)
    alike = ("venue" in entry.uncertain) == ("year" in entry.uncertain)
    together = citation is not None and alike and not entry.year_from_arxiv_id
    if citation is not None:
        inherited = "" if entry.citation is citation else ", from a heading"
        yield "venue", _venue(citation, year if together else None) + inherited
    if year is not None and not together:
        assumed = entry.year_from_arxiv_id and year == entry.year
        yield "year", f"{year}, from the arXiv id" if assumed else f"{year}"


def _venue(citation: Citation, year: int | None) -> str:
    """Return the venue as the vocabulary has it, with the year, and as written where that differs."""
    written = shown(citation.text)
    stated = "" if year is None else f" {year}"
    if citation.venue is None:
        return f"unknown{stated}, written {written}"
    label = shown(citation.venue.label)
    known = f"{label}{stated}"
    return known if written in (label, f"{label} {citation.year}") else f"{known}, written {written}"


def _link(link: LabelledLink, entry: Entry) -> str:
    """Return the role of a link, or `?`, its label if that says more than the role, and its URL."""
    role = link.role.id if link.role else "?"
    if link.label == link.link.url or link.label.lower() == role:
        label = ""
    elif link.label in (entry.title.value, entry.name.value if entry.name else None):
        label = "(title) "
    else:
        label = f"{excerpt(link.label, 0, len(link.label), _LABEL)} "
    return f"{role} {label}<{excerpt(link.link.url, 0, len(link.link.url), _URL)}>"


def _joined(fields: Sequence[Field]) -> str:
    return "; ".join(shown(field.value) for field in fields)
