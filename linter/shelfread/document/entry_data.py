"""Entries as data, as described by schema/entry.schema.json."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from shelfread.core.diagnostics import Span
from shelfread.document.heading_subjects import concept_of_section
from shelfread.document.model import Citation, Document, Entry, Field
from shelfread.document.plain_text import plain_text
from shelfread.document.recognizers.people import has_others
from shelfread.markdown.html import code_span, destination, escape_inside
from shelfread.markdown.node import Break, Code, Emphasis, Inline, Link, Text, walk_blocks
from shelfread.taxonomy.taxonomy import Taxonomy

IDENTIFIERS = ("doi", "arxiv", "github")  # those that an entry always has a key for
MAY_BE_UNCERTAIN = ("title", "name", "description", "venue", "year", "authors", "affiliations")


def exported_entry(entry: Entry, document: Document, taxonomy: Taxonomy) -> dict[str, Any]:
    """Return an entry as `shelfread export --format json` prints it: its data, and what is to be known of it."""
    data = entry_data(entry, document, taxonomy)
    if has_others(entry.authors, document.source.text):
        data["et_al"] = True
    if (marked := _description_markdown(entry)) is not None:
        data["description_markdown"] = marked
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


def _description_markdown(entry: Entry) -> str | None:
    """Return the Markdown of a description, None if it has no code, emphasis or link, or is not all that stands there."""
    field = entry.description
    if field is None:
        return None
    blocks = walk_blocks((entry.block,))
    nodes = [part for block in blocks for node in block.inlines for part in _cut(node, field.span)]
    if all(isinstance(node, Text | Break) for node in nodes) or plain_text(nodes) != field.value:
        return None
    return "".join(map(_written, nodes)).strip()


def _cut(node: Inline, span: Span) -> Iterator[Inline]:
    """Yield what a node has within a span: itself, a link also if only its words are, its children, or a part of its text."""
    words = node.text if isinstance(node, Link) and node.children else Span(node.start, node.end)
    if span.start <= words.start and words.end <= span.end:
        yield node
    elif node.start < span.end and span.start < node.end:
        for child in getattr(node, "children", ()):
            yield from _cut(child, span)
        if isinstance(node, Text) and node.end - node.start == len(node.value):
            start, end = max(node.start, span.start), min(node.end, span.end)
            yield Text(start, end, node.value[start - node.start : end - node.start])


def _written(node: Inline) -> str:
    if isinstance(node, Text):
        return escape_inside(node.value)
    if isinstance(node, Code):
        return code_span(node.value)
    if isinstance(node, Link) and (node.image or node.form in ("bare", "autolink")):
        return "" if node.image else f"<{node.url}>" if node.form == "autolink" else plain_text((node,))
    inner = "".join(map(_written, getattr(node, "children", ())))
    if isinstance(node, Emphasis):
        return f"{node.delimiter}{inner}{node.delimiter}"
    if isinstance(node, Link):
        return f"[{inner}]({destination(node.url)})"
    return " " if isinstance(node, Break) else ""


def stands_in(url: str, marked: str) -> bool:
    """Return whether the Markdown of a description has a link to an address."""
    address = re.escape(destination(url))
    return re.search(rf"(?<![^\s(<]){address}(?![^\s)>.,;])", marked) is not None


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
