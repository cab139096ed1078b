"""Which concepts the headings of lists name, and the tree of concepts with how often each is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from shelfread.document.heading_subjects import concept_of_section, is_subject, resolve_section
from shelfread.document.model import Document
from shelfread.engine.lint import is_backup
from shelfread.index.context import RuleContext
from shelfread.index.line_style import sections_with_entries
from shelfread.index.pages import has_subjects
from shelfread.taxonomy.chain import bundled_names
from shelfread.taxonomy.concept import Concept, Concepts, Resolution
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Match, Taxonomy

_MAX_NEAREST = 3
# A taxonomy that extends another is only chosen if it knows so much larger a share of the headings.
_MIN_GAIN = 0.05


class Certainty(Enum):
    """How sure it is what a heading names."""

    LABEL = "label"  # it is a label, but for number, hyphens, order and abbreviations
    WORDS = "words"  # it is read by its words
    GUESS = "guess"  # its words name a concept, but too little speaks for that
    NEAR = "near"  # it names none, and some are near
    NONE = "none"


class ListHeading(NamedTuple):
    """A heading of a section with entries, and what it names."""

    document: Document
    section_index: int  # the index of the section
    resolution: Resolution
    entries: int  # the number of entries in the section itself

    @property
    def title(self) -> str:
        return self.document.sections[self.section_index].title

    @property
    def path(self) -> str:
        return self.document.source.path or ""

    @property
    def line(self) -> int:
        return self.document.sections[self.section_index].line


class ListHeadings(NamedTuple):
    """The headings of lists: those that may name a subject, and those that name none, such as `2024` or `Contents`."""

    subjects: Sequence[ListHeading]
    others: Sequence[ListHeading]


def find_headings(
    documents: Iterable[Document], context: RuleContext, taxonomy: Taxonomy, *, with_kinds: bool = False
) -> ListHeadings:
    """Return the headings of sections with entries in order, of pages that are no translations; kinds of things too `with_kinds`."""
    subjects, others = list[ListHeading](), list[ListHeading]()
    for document in documents:
        if is_backup(document.source.path or "") or not has_subjects(document, context):
            continue
        own = Counter(entry.section for entry in document.entries)
        for index in sorted(sections_with_entries(document)):
            section = document.sections[index]
            resolved = resolve_section(document, index, taxonomy)
            heading = ListHeading(document, index, resolved, own[index])
            is_named = is_subject(section, index, document, context.vocabulary)
            if (
                with_kinds and resolved.is_known
            ):  # the title of a page only if it has entries and names a subject
                is_named = is_named or index > 0 or bool(own[index] and resolved.subjects)
            (subjects if is_named else others).append(heading)
    return ListHeadings(subjects, others)


class BundledComparison(NamedTuple):
    """How many of the headings each bundled taxonomy knows, the best one first."""

    known: dict[str, int]
    headings: int

    @property
    def best(self) -> str:
        return next(iter(self.known))


def choose_bundled(documents: Sequence[Document], context: RuleContext) -> BundledComparison:
    """Return how many headings bundled taxonomies know; one that another extends comes first if it knows nearly as many."""
    known: dict[str, int] = {}
    precise: dict[str, int] = {}
    concepts: dict[str, frozenset[str]] = {}
    total = 0
    for name in bundled_names():
        taxonomy = load(name)
        if not taxonomy.concepts:
            continue  # forms alone
        subjects = find_headings(documents, context, taxonomy).subjects
        known[name] = sum(subject.resolution.is_known for subject in subjects)
        labels = (label for subject in subjects for label in subject.resolution.subjects)
        precise[name] = sum(label.kind != "includes" for label in labels)
        concepts[name] = frozenset(taxonomy.concepts)
        total = len(subjects)
    ranked = sorted(known, key=lambda name: (-known[name], -precise[name], len(concepts[name])))
    most = ranked[0]
    parts = (name for name in ranked if concepts[name] < concepts[most])
    good = (name for name in parts if known[most] - known[name] <= _MIN_GAIN * total)
    best = next(good, most)
    return BundledComparison({best: known[best]} | {name: known[name] for name in ranked}, total)


class MappedHeading(NamedTuple):
    """A heading, and the concepts that are nearest if it names none."""

    heading: ListHeading
    certainty: Certainty
    nearest: Sequence[Match] = ()


class HeadingMap(NamedTuple):
    """What the headings of lists name in a taxonomy."""

    taxonomy: Taxonomy
    comparison: BundledComparison | None
    headings: Sequence[MappedHeading]
    # headings that name no subject: years, venues, `Contents`, the title of a page.
    others: Sequence[ListHeading]


def map_headings(
    documents: Sequence[Document], context: RuleContext, comparison: BundledComparison | None
) -> HeadingMap:
    """Return what the headings of sections with entries name, in the order of the files."""
    headings = find_headings(documents, context, context.taxonomy, with_kinds=True)
    known = (heading.resolution.subjects for heading in headings.subjects if heading.resolution.is_known)
    languages = {context.taxonomy.language, *(label.language for labels in known for label in labels)}
    mapped = [_mapped(heading, context.taxonomy, languages) for heading in headings.subjects]
    return HeadingMap(context.taxonomy, comparison, mapped, headings.others)


def _mapped(heading: ListHeading, taxonomy: Taxonomy, languages: Collection[str]) -> MappedHeading:
    """Return a heading with the concepts nearest to it if it names none: whose labels it contains, or that are like it."""
    if heading.resolution.is_known:
        is_label = heading.resolution.certainty in ("label", "variant")
        return MappedHeading(heading, Certainty.LABEL if is_label else Certainty.WORDS)
    if heading.resolution.guesses:
        return MappedHeading(heading, Certainty.GUESS, tuple(map(taxonomy.match, heading.resolution.guesses)))
    contained = [taxonomy.match(label) for label in heading.resolution.subjects]
    nearest = taxonomy.nearest(heading.title, _MAX_NEAREST, languages)
    near = {match.concept.id: match for match in (*contained, *nearest)}
    certainty = Certainty.NEAR if near else Certainty.NONE
    return MappedHeading(heading, certainty, tuple(near.values())[:_MAX_NEAREST])


class Use(NamedTuple):
    """How often lists use a concept: itself, and with all narrower ones. What names several is counted for each."""

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
    headings: int  # the number of headings that may name a subject or a kind, unknown ones included
    entries: int
    placed: int  # the number of entries that belong to a concept or a form: by their heading, or one above it


def build_tree(
    documents: Sequence[Document],
    context: RuleContext,
    comparison: BundledComparison | None,
    *,
    with_unused: bool,
) -> ConceptTree:
    """Return the concepts that sections name (or all), and those above them, each below the first broader one that is shown."""
    taxonomy = context.taxonomy
    headings = find_headings(documents, context, taxonomy, with_kinds=True)
    sections, all_sections = Counter[str](), Counter[str]()
    for heading in headings.subjects:
        named = _named(heading.resolution)
        sections.update(named)
        all_sections.update(_with_ancestors(named, taxonomy))
    entries, all_entries = Counter[str](), Counter[str]()
    total = placed = 0
    for document in documents:
        total += len(document.entries)
        by_section = Counter(entry.section for entry in document.entries)
        for section, count in by_section.items():
            concept = concept_of_section(document, section, taxonomy)
            if concept is not None:
                named = _named(resolve_section(document, section, taxonomy))
                # What is below `Journals` has the subject of the heading above that.
                named = named if named & taxonomy.concepts.keys() else named | {concept}
                placed += count
                entries.update(dict.fromkeys(named, count))
                all_entries.update(dict.fromkeys(_with_ancestors(named, taxonomy), count))
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
        comparison,
        list(_rows(taxonomy.concepts, use)),
        list(_rows(taxonomy.forms, use)),
        {title: unknown[title] for title in ranked},
        len(headings.subjects),
        total,
        placed,
    )


def _named(resolution: Resolution) -> set[str]:
    """Return the ids of the concepts and forms that a heading names."""
    known = (*resolution.subjects, *resolution.forms) if resolution.is_known else ()
    return {label.concept for label in known}


def _with_ancestors(ids: set[str], taxonomy: Taxonomy) -> set[str]:
    return ids.union(*map(taxonomy.ancestors, ids))


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
