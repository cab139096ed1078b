"""Taxonomies as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shelfread.mapping.choose import Comparison
from shelfread.mapping.headings import Certainty, Heading
from shelfread.mapping.mapping import MappedHeading, Mapping
from shelfread.mapping.tree import Row, Tree
from shelfread.taxonomy.label_index import Label
from shelfread.taxonomy.taxonomy import Taxonomy

_VERSION = 1


def mapping(found: Mapping) -> dict[str, Any]:
    """Return what each heading names."""
    counts = {each.value: sum(row.certainty is each for row in found.headings) for each in Certainty}
    return {
        **_taxonomy(found.taxonomy, found.comparison),
        "headings": [_mapped(each) for each in found.headings],
        "no_subject": [_place(heading) for heading in found.others],
        "summary": {"headings": len(found.headings), **counts, "no_subject": len(found.others)},
    }


def _mapped(mapped: MappedHeading) -> dict[str, Any]:
    found = mapped.heading.found
    known = found.is_known
    return {
        **_place(mapped.heading),
        "certainty": mapped.certainty.value,
        "concepts": _ids(found.subjects) if known else [],
        "qualifiers": _ids(found.qualifiers) if known else [],
        "forms": _ids(found.forms) if known else [],
        "is_whole": known and found.certainty != "partly",
        "nearest": [{"concept": match.concept.id, "label": match.label} for match in mapped.nearest],
    }


def tree(found: Tree) -> dict[str, Any]:
    """Return the concepts with their sections and entries, and the headings that are unknown."""
    return {
        **_taxonomy(found.taxonomy, found.comparison),
        "concepts": [_row(row) for row in found.concepts],
        "forms": [_row(row) for row in found.forms],
        "unknown": [
            {
                "heading": title,
                "sections": len(headings),
                "entries": sum(heading.entries for heading in headings),
                "path": headings[0].path,
                "line": headings[0].line,
            }
            for title, headings in found.unknown.items()
        ],
        "summary": {
            "concepts": len(found.taxonomy.concepts),
            "entries": found.entries,
            "placed": found.placed,
        },
    }


def _row(row: Row) -> dict[str, Any]:
    concept, use = row.concept, row.use
    return {
        "id": concept.id,
        "label": concept.label,
        "broader": list(concept.broader),
        "sections": use.sections,
        "entries": use.entries,
        "all_sections": use.all_sections,
        "all_entries": use.all_entries,
    }


def _taxonomy(taxonomy: Taxonomy, comparison: Comparison | None) -> dict[str, Any]:
    compared = {} if comparison is None else {"headings": comparison.headings, "known": comparison.known}
    return {
        "version": _VERSION,
        "taxonomy": {"name": taxonomy.name, "title": taxonomy.title},
        "compared": compared or None,
    }


def _place(heading: Heading) -> dict[str, Any]:
    section = heading.document.sections[heading.section_index]
    return {
        "heading": heading.title,
        "section": list(section.path),
        "path": heading.path,
        "line": heading.line,
        "entries": heading.entries,
    }


def _ids(labels: Sequence[Label]) -> list[str]:
    return list(dict.fromkeys(label.concept for label in labels))
