"""The concepts that the sections of a list name."""

from __future__ import annotations

from shelfread.document.model import Document
from shelfread.taxonomy.labels import Resolution
from shelfread.taxonomy.taxonomy import ResolvedPath, Taxonomy


def resolve_section(document: Document, index: int | None, taxonomy: Taxonomy) -> Resolution:
    """Return what the heading of a section names, below the headings above it."""
    return _section(document, index, taxonomy).named


def concept_of_section(document: Document, index: int | None, taxonomy: Taxonomy) -> str | None:
    """Return the id of the concept of a section, or of the nearest one above that names a concept.

    If a heading names several, it is the nearest concept that they all are part of, else the first. If no heading
    names a concept, it is the form that the nearest one names, such as Survey.
    """
    if not (taxonomy.concepts or taxonomy.forms):
        return None
    return _section(document, index, taxonomy).concept


def _section(document: Document, index: int | None, taxonomy: Taxonomy) -> ResolvedPath:
    return taxonomy.resolve_path(document.sections[index].path if index is not None else ())
