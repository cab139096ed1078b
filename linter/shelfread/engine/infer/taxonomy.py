"""Infers a taxonomy from lists: subjects from headings, link roles from labels, venues from citations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from shelfread.core.support.plurals import counted
from shelfread.document.model import Document
from shelfread.engine.infer.ids import make_ids
from shelfread.engine.infer.subjects import Subject, find_subjects, project_title
from shelfread.engine.infer.terms import find_roles, find_venues
from shelfread.engine.infer.yaml_scalar import scalar, sequence
from shelfread.index.context import RuleContext


class InferredTaxonomy(NamedTuple):
    """The terms of a taxonomy by their keys; all may be empty."""

    title: str
    subjects: Mapping[str, Subject]
    roles: Mapping[str, str]
    venues: Mapping[str, str]

    @property
    def is_empty(self) -> bool:
        return not (self.subjects or self.roles or self.venues)

    def describe(self) -> str:
        """Return what the taxonomy has: `12 subjects, 1 role of links, no venues`."""
        counts = (
            (len(self.subjects), "subject"),
            (len(self.roles), "role of links", "roles of links"),
            (len(self.venues), "venue"),
        )
        return ", ".join(counted(*count) for count in counts if count[0])


def infer_taxonomy(documents: Sequence[Document], context: RuleContext) -> InferredTaxonomy:
    """Return the subjects of these lists, and the labels and venues that shelfread does not know."""
    return InferredTaxonomy(
        project_title(documents),
        find_subjects(documents, context),
        find_roles(documents, context),
        find_venues(documents, context),
    )


def render_taxonomy(taxonomy: InferredTaxonomy, context: RuleContext) -> str:
    """Return the text of a taxonomy."""
    lines = ["# Written by `shelfread init` from the lists of this folder, as a start to edit.", ""]
    lines += [f"title: {scalar(taxonomy.title or 'Subjects')}", "", *_concepts(taxonomy.subjects)]
    vocabulary = context.vocabulary
    if taxonomy.roles:
        lines += [
            "",
            "# What the labels of links say, in addition to the roles that shelfread knows (Paper, Code ...).",
        ]
        lines += ["# Remove what is no kind of link.", "links:", *_terms(taxonomy.roles, vocabulary.roles)]
    if taxonomy.venues:
        lines += ["", "# Conferences and journals that shelfread does not know; remove what is none."]
        lines += ["venues:", *_terms(taxonomy.venues, vocabulary.venues)]
    return "\n".join(lines) + "\n"


def _concepts(subjects: Mapping[str, Subject]) -> Iterator[str]:
    if not subjects:
        yield "# There are no concepts, as most headings of the lists are no subjects, but venues, years or kinds of things."
        yield "# To add some: concepts: {scheduling: {prefLabel: Cluster Scheduling}}"
        return
    yield "# The subjects of the lists, one for each heading, in the order of the sections."
    yield "# Another heading is reported, and so is a section that is not below one of its `broader` subjects."
    yield "#   prefLabel: the name of the section        altLabel: [other names that are right too]"
    yield "#   broader: the sections that it may be in   hiddenLabel: [names to replace, such as misspellings]"
    yield "concepts:"
    ids = make_ids({key: subject.label for key, subject in subjects.items()})
    for key, subject in subjects.items():
        broader = [ids[parent] for parent in subject.broader]
        suffix = f", broader: {broader[0] if len(broader) == 1 else sequence(broader)}" if broader else ""
        yield f"  {ids[key]}: {{prefLabel: {scalar(subject.label)}{suffix}}}"


def _terms(labels: Mapping[str, str], taken: Mapping[str, object]) -> Iterator[str]:
    ids = make_ids(labels, taken)
    for key, label in labels.items():
        yield f"  {ids[key]}: {{prefLabel: {scalar(label)}}}"
