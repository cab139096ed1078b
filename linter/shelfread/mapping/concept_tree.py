"""The tree of concepts, with how many sections and entries of lists each has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.document.heading_subjects import concept_of_section
from shelfread.mapping.mapped_headings import BundledComparison, ListHeading, find_headings
from shelfread.mapping.project_lists import ProjectLists
from shelfread.taxonomy.concept import Concept, Concepts
from shelfread.taxonomy.taxonomy import Taxonomy


class Use(NamedTuple):
    """How often lists use a concept: itself, and with all narrower ones."""

    sections: int = 0
    entries: int = 0
    all_sections: int = 0
    all_entries: int = 0


class ConceptRow(NamedTuple):
    """A concept or form in the tree; `depth` is from 0."""

    depth: int
    concept: Concept
    use: Use


class ConceptTree(NamedTuple):
    """The concepts and forms of a taxonomy as trees, and the headings that it does not know."""

    taxonomy: Taxonomy
    comparison: BundledComparison | None
    concepts: Sequence[ConceptRow]
    forms: Sequence[ConceptRow]
    unknown: Mapping[str, Sequence[ListHeading]]  # by title, those with the most entries first
    headings: int  # the number of headings that may name a subject, unknown ones included
    entries: int
    placed: int  # the number of entries that belong to a concept or a form: by their heading, or one above it


def build_tree(lists: ProjectLists, *, with_unused: bool) -> ConceptTree:
    """Return the concepts that sections name, and those above them; `with_unused` all concepts.

    A concept with several broader ones stands below the first of them that is shown.
    """
    taxonomy = lists.taxonomy
    headings = find_headings(lists.documents, lists.context, taxonomy)
    sections, all_sections = Counter[str](), Counter[str]()
    for heading in headings.subjects:
        named = dict.fromkeys(
            label.concept for label in (*heading.resolution.subjects, *heading.resolution.forms)
        )
        if heading.resolution.is_known:
            sections.update(named.keys())
            all_sections.update({id for name in named for id in (name, *taxonomy.ancestors(name))})
    entries, all_entries = Counter[str](), Counter[str]()
    total = placed = 0
    for document in lists.documents:
        total += len(document.entries)
        by_section = Counter(entry.section for entry in document.entries)
        for section, count in by_section.items():
            concept = concept_of_section(document, section, taxonomy)
            if concept is not None:
                placed += count
                entries[concept] += count
                for id in (concept, *taxonomy.ancestors(concept)):
                    all_entries[id] += count
    use = {
        id: Use(sections[id], entries[id], all_sections[id], all_entries[id])
        for scheme in (taxonomy.concepts, taxonomy.forms)
        for id in scheme
        if with_unused or all_sections[id] or all_entries[id]
    }
    unknown: dict[str, list[ListHeading]] = {}
    for heading in headings.subjects:
        if not heading.resolution.is_known:
            unknown.setdefault(heading.title, []).append(heading)
    ranked = sorted(unknown, key=lambda title: -sum(heading.entries for heading in unknown[title]))
    return ConceptTree(
        taxonomy,
        lists.comparison,
        list(_rows(taxonomy.concepts, use)),
        list(_rows(taxonomy.forms, use)),
        {title: unknown[title] for title in ranked},
        len(headings.subjects),
        total,
        placed,
    )


def _rows(scheme: Concepts, use: Mapping[str, Use]) -> Iterator[ConceptRow]:
    """Yield the concepts of a scheme that have a use, each below its first broader one."""
    narrower: dict[str | None, list[str]] = {}
    for id in scheme:
        if id in use:
            above = next((other for other in scheme[id].broader if other in use), None)
            narrower.setdefault(above, []).append(id)
    waiting = [(0, id) for id in reversed(narrower.get(None, ()))]
    while waiting:
        depth, id = waiting.pop()
        yield ConceptRow(depth, scheme[id], use[id])
        waiting += [(depth + 1, below) for below in reversed(narrower.get(id, ()))]
