"""The concepts that the sections of a list name."""

from __future__ import annotations

from shelfread.document.model import Document
from shelfread.taxonomy.resolve import Resolution
from shelfread.taxonomy.taxonomy import Taxonomy


def resolve_section(document: Document, index: int | None, taxonomy: Taxonomy) -> Resolution:
    """Return what the heading of a section names, below the headings above it."""
    return _resolved(document, index, taxonomy)[0]


def concept_of_section(document: Document, index: int | None, taxonomy: Taxonomy) -> str | None:
    """Return the id of the concept of a section, or of the nearest one above that names a concept.

    If a heading names several, it is the nearest concept that they all are part of, else the first. If no heading
    names a concept, it is the form that the nearest one names, such as Survey.
    """
    if not (taxonomy.concepts or taxonomy.forms):
        return None
    nearest, above, form = _resolved(document, index, taxonomy)
    concepts = tuple(label.concept for label in nearest.subjects) or above
    return (taxonomy.common(concepts) or concepts[0]) if concepts else form


def _resolved(
    document: Document, index: int | None, taxonomy: Taxonomy
) -> tuple[Resolution, tuple[str, ...], str | None]:
    """Return what a section names, the concepts of the nearest one above that has any, and the nearest form."""
    path = []
    while index is not None:
        path.append(document.sections[index].title)
        index = document.sections[index].parent
    found = Resolution()
    above: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    form = None
    for title in reversed(path):
        above = concepts
        found = taxonomy.resolve(title, above)
        concepts = tuple(label.concept for label in found.subjects) or above
        form = found.forms[-1].concept if found.forms else form
    return found, above, form
