"""The headings of lists, what each names, and how sure that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.document.subjects import is_subject, resolve_section
from shelfread.engine.diagnose import is_backup
from shelfread.index.context import RuleContext
from shelfread.index.conventions.line_style import sections_with_entries
from shelfread.index.subject_pages import has_subjects
from shelfread.taxonomy.label_index import Resolution
from shelfread.taxonomy.taxonomy import Match, Taxonomy

MAX_NEAREST = 3


class Certainty(Enum):
    """How sure it is what a heading names."""

    LABEL = "label"
    """It is a label, but for number, hyphens, order and abbreviations."""
    WORDS = "words"
    """It is read by its words."""
    NEAR = "near"
    """It names none, and some are near."""
    NONE = "none"


class Heading(NamedTuple):
    """A heading of a section with entries, and what it names."""

    document: Document
    section_index: int
    """The index of the section."""
    found: Resolution
    entries: int
    """The number of entries in the section itself."""

    @property
    def title(self) -> str:
        return self.document.sections[self.section_index].title

    @property
    def path(self) -> str:
        return self.document.source.path or ""

    @property
    def line(self) -> int:
        return self.document.sections[self.section_index].line


class Headings(NamedTuple):
    """The headings of lists: those that may name a subject, and those that name none, such as `2024` or `Contents`."""

    subjects: Sequence[Heading]
    others: Sequence[Heading]


def find_headings(documents: Iterable[Document], context: RuleContext, taxonomy: Taxonomy) -> Headings:
    """Return the headings of sections with entries, in order, but not those of translations and notes on papers."""
    subjects, others = list[Heading](), list[Heading]()
    for document in documents:
        if is_backup(document.source.path or "") or not has_subjects(document, context):
            continue
        own = Counter(entry.section for entry in document.entries)
        for index in sorted(sections_with_entries(document)):
            section = document.sections[index]
            resolved = resolve_section(document, index, taxonomy)
            heading = Heading(document, index, resolved, own[index])
            is_named = is_subject(section, index, document, context.vocabulary)
            (subjects if is_named else others).append(heading)
    return Headings(subjects, others)


def certainty_of(heading: Heading, nearest: Sequence[Match]) -> Certainty:
    """Return how sure it is what a heading names, given the concepts that are near."""
    if heading.found.certainty in ("label", "variant"):
        return Certainty.LABEL
    if heading.found.is_known:
        return Certainty.WORDS
    return Certainty.NEAR if nearest else Certainty.NONE


def nearest_concepts(heading: Heading, taxonomy: Taxonomy) -> tuple[Match, ...]:
    """Return the concepts that are nearest to a heading that names none: first those whose labels it contains."""
    if heading.found.is_known:
        return ()
    contained = [taxonomy.match(label) for label in heading.found.subjects]
    near = {match.concept.id: match for match in (*contained, *taxonomy.nearest(heading.title, MAX_NEAREST))}
    return tuple(near.values())[:MAX_NEAREST]
