"""Infers a taxonomy from lists: subjects and forms from headings, link roles from labels, venues from citations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from shelfread.core.support.plurals import counted
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.init.contents_labels import add_contents_labels
from shelfread.init.section_order import find_order
from shelfread.init.subjects import Subject, SubjectFinder, Subjects
from shelfread.init.terms import find_roles, find_venues
from shelfread.init.translations import add_translations
from shelfread.mapping.choose import Comparison, choose_bundled
from shelfread.mapping.names import project_title
from shelfread.taxonomy.load import load
from shelfread.taxonomy.taxonomy import Taxonomy

_MIN_SHARE = 0.5
"""A list extends the bundled taxonomy that has so large a share of its subjects, or wider ones that include them."""


@dataclass(slots=True)
class InferredTaxonomy:
    """The terms of a taxonomy by their keys; all may be empty."""

    title: str
    found: Subjects
    bundled: Taxonomy
    """The bundled taxonomy that knows most headings."""
    order: tuple[str, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    venues: Mapping[str, str] = field(default_factory=dict)
    extends: bool = False
    """Whether the taxonomy extends the bundled one."""
    has_levels: bool = True
    """Whether the levels of the lists replace the broader concepts that the bundled one states."""

    @property
    def subjects(self) -> Mapping[str, Subject]:
        return self.found.subjects

    @property
    def is_empty(self) -> bool:
        return not (self.subjects or self.roles or self.venues or self.order)

    def describe(self) -> str:
        """Return what the taxonomy has: `12 subjects, 2 forms, 1 role of links`."""
        counts = (
            (len(self.subjects), "subject"),
            (len(self.found.forms), "form"),
            (len(self.roles), "role of links", "roles of links"),
            (len(self.venues), "venue"),
        )
        described = ", ".join(counted(*count) for count in counts if count[0])
        return (
            f"{described or 'no subjects'}, order by {' and '.join(self.order)}" if self.order else described
        )


class Inference:
    """Infers the taxonomy of lists; a second time with headings that the first one left out."""

    def __init__(
        self, documents: Sequence[Document], others: Iterable[str], context: RuleContext, folder: str
    ) -> None:
        """Take the lists, the paths of the Markdown files without entries beside them, and the name of the folder."""
        self.folder = folder
        self.documents = documents
        self.paths = [*(document.source.path or "" for document in documents), *others]
        self.context = context
        comparison: Comparison = choose_bundled(documents, context)
        self.bundled = load(comparison.best)
        self._finder = SubjectFinder(documents, context, self.bundled)
        self._order = find_order(self._finder.documents)
        self._roles = find_roles(documents, context)
        self._venues = find_venues(documents, context)

    def infer(
        self, *, forced: Sequence[str] = (), may_extend: bool = True, has_levels: bool = True
    ) -> InferredTaxonomy:
        """Return the taxonomy. `forced` are labels that become subjects even if others seem to say the same.

        Without `has_levels`, concepts of a bundled taxonomy keep the broader ones that it states.
        """
        found = self._finder.find(forced)
        add_translations(found, self.documents, self.paths)
        add_contents_labels(found, self.context, self.bundled)
        known = sum(bool(subject.concept or subject.wider) for subject in found.subjects.values())
        extends = may_extend and bool(known) and known >= _MIN_SHARE * len(found.subjects)
        return InferredTaxonomy(
            project_title(self.documents) or self.folder,
            found,
            self.bundled,
            self._order,
            self._roles,
            self._venues,
            extends,
            has_levels,
        )
