"""Entries as data, as described by schema/entry.schema.json."""

from __future__ import annotations

from typing import Any

from shelfread.document.heading_subjects import concept_of_section
from shelfread.document.model import Citation, Document, Entry, Field
from shelfread.document.recognizers.people import has_others
from shelfread.taxonomy.taxonomy import Taxonomy

IDENTIFIERS = ("doi", "arxiv", "github")  # those that an entry always has a key for
MAY_BE_UNCERTAIN = ("title", "name", "description", "venue", "year", "authors", "affiliations")


def exported_entry(entry: Entry, document: Document, taxonomy: Taxonomy) -> dict[str, Any]:
    """Return an entry as `shelfread export --format json` prints it: its data, and what is to be known of it."""
    data = entry_data(entry, document, taxonomy)
    if has_others(entry.authors, document.source.text):
        data["et_al"] = True
    uncertain = [field for field in MAY_BE_UNCERTAIN if field in entry.uncertain]
    return {**data, "uncertain": uncertain} if uncertain else data


def entry_data(entry: Entry, document: Document, taxonomy: Taxonomy) -> dict[str, Any]:
    """Return what an entry states and where it is, however certain that is."""
    citation, year = citation_and_year(entry, document)
    return {
        "title": entry.title.value,
        "name": _value(entry.name),
        "description": _value(entry.description),
        "venue": citation.venue.label if citation and citation.venue else None,
        "venue_text": citation.text if citation else None,
        "year": year,
        "authors": [author.value for author in entry.authors],
        "affiliations": [affiliation.value for affiliation in entry.affiliations],
        "notes": [note.value for note in entry.notes],
        "identifiers": {**dict.fromkeys(IDENTIFIERS), **entry.identifiers},
        "links": [
            {"label": link.label, "role": link.role.id if link.role else None, "url": link.link.url}
            for link in entry.links
            if link.link.url
        ],
        "section": list(document.sections[entry.section].path) if entry.section is not None else [],
        "concept": concept_id(entry, document, taxonomy),
        "dialect": entry.dialect,
        "path": document.source.path,
        "line": entry.line,
        "end_line": entry.end_line,
    }


def citation_and_year(entry: Entry, document: Document) -> tuple[Citation | None, int | None]:
    """Return the venue and year of an entry, or those that a heading above states for the entries below it."""
    citation = entry.citation
    year = None if entry.year_from_arxiv_id else entry.year
    index = entry.section if entry.kind == "paper" else None
    while index is not None and (citation is None or year is None):
        section = document.sections[index]
        if citation is None or section.citation is None or citation.venue is section.citation.venue:
            citation = citation or section.citation
            year = section.year if year is None else year
        elif year is None and citation.venue is not None and citation.venue.kind != "preprint":
            year = section.year
        index = section.parent
    return citation, entry.year if year is None else year


def _value(field: Field | None) -> str | None:
    return field.value if field else None


def concept_id(entry: Entry, document: Document, taxonomy: Taxonomy) -> str | None:
    """Return the id of the concept that the nearest section names. Sections such as `2024` are skipped."""
    return concept_of_section(document, entry.section, taxonomy)
