"""What a check receives in addition to its document."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from shelfread.document.generated import Generated
from shelfread.document.model import Document
from shelfread.index.anchors import Landmark, find_landmarks, slug_landmarks
from shelfread.index.answers import NO_ANSWERS, Answers
from shelfread.index.conventions import (
    Convention,
    Conventions,
    Question,
    Topic,
    When,
    count_observations,
    learn,
)
from shelfread.index.disk import Disk, Location, ProjectFiles
from shelfread.index.facts import Facts
from shelfread.index.project_index import DuplicateIndex, ProjectIndex
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class RuleContext:
    """The taxonomy, the project's conventions and files, and what the network answered."""

    taxonomy: Taxonomy
    conventions: Conventions
    project: ProjectIndex
    answers: Answers = NO_ANSWERS  # what was found out over the network
    base: BaseProject | None = None  # the project at the base commit of `--since`
    # what lies beside the texts of the project: the disk, git, the clock.
    disk: Disk = field(default_factory=Disk)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.taxonomy.vocabulary

    @property
    def slugs(self) -> str:
        """The rule for the anchors of headings, which is configured."""
        return self.project.slugs

    def own_facts(self, document: Document) -> Facts | None:
        """Return the facts of a document, which follow from its text; None if the project has no such file."""
        return self.project.facts.get(document.source.path or "")

    def anchors(self, path: str) -> tuple[str, ...] | None:
        """Return the anchors of a file, or None if the project has no such file."""
        return self.project.anchors(path)

    def landmarks(self, path: str) -> tuple[Landmark, ...]:
        """Return what the anchors of a file are made of."""
        facts = self.project.facts.get(path)
        return () if facts is None else facts.landmarks

    def own_anchors(self, document: Document) -> tuple[tuple[Landmark, ...], tuple[str, ...]]:
        """Return what the anchors of a document are made of, and the anchors, in the same order."""
        path = document.source.path or ""
        anchors = self.project.anchors(path)
        if anchors is not None:
            return self.landmarks(path), anchors
        landmarks = tuple(find_landmarks(document))
        return landmarks, slug_landmarks(landmarks, self.slugs)

    def has_file(self, path: str) -> bool:
        return path in self.project.facts

    def generated(self, path: str) -> Generated | None:
        """Return what a list is generated from, if it or a contributing guide says that it is."""
        return self.project.generated.get(path)

    def files_around(self, path: str) -> ProjectFiles:
        """Return the files of the project that a list belongs to."""
        return ProjectFiles(path, self.disk, self.project.location)

    def usual_form(self, topic: Topic) -> str | None:
        """Return the form that is the convention for a question, if there is one."""
        convention = self.convention(topic)
        return None if convention is None else convention.form

    def convention(self, topic: Topic) -> Convention | None:
        """Return the convention for a question, if there is one."""
        return learn(self.conventions.forms(Question(topic)))

    def departs(self, path: str, question: Question, form: str) -> bool:
        """Return whether a file answers a question in any other form; True if the project has no such file."""
        facts = self.project.facts.get(path)
        return facts is None or not facts.forms(question).issubset((form,))

    def departures(self, document: Document, topic: Topic, when: When) -> dict[str, Convention]:
        """Return the conventions of a topic that a file departs from, by the question's subject."""
        path = document.source.path or ""
        departures: dict[str, Convention] = {}
        for question, forms in self.conventions.disputed(topic):
            convention = learn(forms, when)
            if convention is not None and self.departs(path, question, convention.form):
                departures[question.subject] = convention
        return departures

    def with_files(self, *changed: Facts) -> RuleContext:
        """Return the context with the new facts of changed files; conventions stay as learned."""
        return dataclasses.replace(self, project=self.project.with_files(*changed))

    def since(self, base: BaseProject) -> RuleContext:
        """Return the context with the conventions of a base commit that had entries, so that no new entry tips a majority."""
        base_facts = base.context.project.facts
        if not any(facts.entries for facts in base_facts.values()):
            return self
        duplicates = DuplicateIndex(self.project.facts, base_facts, base.paths, base.changed_lines)
        return dataclasses.replace(
            self,
            conventions=self.conventions.as_of(base.context.conventions),
            project=dataclasses.replace(self.project, duplicates=duplicates),
            base=base,
        )


class BaseProject(NamedTuple):
    """The project at the commit since which findings are reported."""

    context: RuleContext
    paths: Mapping[str, str | None]  # the path at the base commit of each current file; None for a new file
    # returns a file at the base commit; None for a file that is new or unchanged.
    text: Callable[[Document], BaseText | None]
    # for each line of the changed files whether it is new or changed.
    changed_lines: Mapping[str, Sequence[bool]]


class BaseText(NamedTuple):
    document: Document
    # for each line of the current document its line at the base commit, from 0; -1 if it is new or changed.
    lines: Sequence[int]


def build_context(
    facts: Mapping[str, Facts],
    taxonomy: Taxonomy,
    slugs: str = "github",
    answers: Answers = NO_ANSWERS,
    folders: Mapping[str, frozenset[str]] | None = None,
) -> RuleContext:
    """Return the context of a project from the facts of its files, and at a commit the names in its `folders`, by path."""
    conventions = count_observations((file.observations for file in facts.values()), taxonomy.vocabulary)
    project = ProjectIndex(facts, Location(tuple(facts), folders), DuplicateIndex(facts), slugs)
    return RuleContext(taxonomy, conventions, project, answers)
