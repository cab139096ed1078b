"""The sections of a list in which an entry may belong, and how they relate to each other."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.document.heading_subjects import is_subject, resolve_section
from shelfread.document.model import Document
from shelfread.taxonomy.taxonomy import Taxonomy

_RESOLVED = frozenset(("label", "variant", "word", "named"))


class SubjectSection(NamedTuple):
    """A section that names a subject, by its index."""

    section: int
    concept: str | None
    """The concept that it names, None if the taxonomy does not know it for sure."""
    concepts: tuple[str, ...]
    """All concepts that it names."""
    forms: frozenset[str]
    """The forms that it and the sections above it name, such as Survey."""


class SubjectSections(NamedTuple):
    """The sections of a list that name subjects, by index, and for every section those that it is in."""

    by_section: dict[int, SubjectSection]
    around: tuple[tuple[int, ...], ...]
    """For each section the targets that it is or is below, the innermost first."""
    taxonomy: Taxonomy

    def are_nested(self, one: int, other: int) -> bool:
        """Return whether one of two targets is the other, or is below it."""
        return one in self.around[other] or other in self.around[one]

    def are_related(self, one: int, other: int) -> bool:
        """Return whether the concepts of two targets are the same, one broader than the other, or related."""
        return any(
            self._is_near(a, b) or self._is_near(b, a)
            for a in self.by_section[one].concepts
            for b in self.by_section[other].concepts
        )

    def _is_near(self, concept: str, other: str) -> bool:
        if concept == other or other in self.taxonomy.ancestors(concept):
            return True
        known = self.taxonomy.concepts.get(concept)
        return known is not None and other in known.related


def find_targets(document: Document, taxonomy: Taxonomy) -> SubjectSections:
    """Return the sections of a document that name subjects; years, venues and forms only divide them."""
    targets: dict[int, SubjectSection] = {}
    around: list[tuple[int, ...]] = []
    forms: list[frozenset[str]] = []
    for index, section in enumerate(document.sections):
        named = resolve_section(document, index, taxonomy)
        own_forms = frozenset(label.concept for label in named.forms)
        above = section.parent
        forms.append(own_forms | (forms[above] if above is not None else frozenset()))
        outer = around[above] if above is not None else ()
        is_form = bool(named.forms) and not named.subjects
        if is_form or not is_subject(section, index, document, taxonomy.vocabulary):
            around.append(outer)
            continue
        around.append((index, *outer))
        concepts = tuple(label.concept for label in named.subjects)
        is_sure = len(concepts) == 1 and named.certainty in _RESOLVED
        targets[index] = SubjectSection(
            section=index, concept=concepts[0] if is_sure else None, concepts=concepts, forms=forms[index]
        )
    return SubjectSections(targets, tuple(around), taxonomy)
