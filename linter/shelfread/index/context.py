"""What a check receives in addition to its document.

What it reads of the project by a `question` is recorded by `core.inquiry`: as long as the answers are the same, so are
its findings. Reading `project` or `conventions` outside of a question makes them depend on the whole project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from shelfread.core.inquiry import note_all, question
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.index.anchors import Landmark
from shelfread.index.answers import NO_ANSWERS, Answers
from shelfread.index.conventions.conventions import (
    Convention,
    Conventions,
    Question,
    Topic,
    When,
    count_observations,
    learn,
    learn_spelling,
)
from shelfread.index.duplicates.duplicate_index import DuplicateIndex
from shelfread.index.facts import Facts
from shelfread.index.files.disk import Disk
from shelfread.index.files.project_files import ProjectFiles
from shelfread.index.location import Location
from shelfread.index.project_index import ProjectIndex
from shelfread.taxonomy.taxonomy import Taxonomy
from shelfread.taxonomy.vocabulary import Vocabulary

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., object])


def by_section(check: F) -> F:
    """Decorate a check whose findings in a section depend on the section, and on what it asks of the context."""
    check.__dict__["by_section"] = True
    return check


@dataclass(frozen=True, eq=False)
class RuleContext:
    """The taxonomy, the project's conventions and files, and what the network answered."""

    taxonomy: Taxonomy
    _conventions: Conventions
    _project: ProjectIndex
    answers: Answers = NO_ANSWERS
    """What was found out over the network."""
    base: BaseProject | None = None
    """The project at the base commit of `--since`."""
    disk: Disk = field(default_factory=Disk)
    """What lies beside the texts of the project: the disk, git, the clock."""
    _tables: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def vocabulary(self) -> Vocabulary:
        return self.taxonomy.vocabulary

    @property
    def conventions(self) -> Conventions:
        note_all()
        return self._conventions

    @property
    def project(self) -> ProjectIndex:
        note_all()
        return self._project

    @property
    def slugs(self) -> str:
        """The rule for the anchors of headings, which is configured."""
        return self._project.slugs

    @property
    def folders(self) -> Mapping[str, frozenset[str]] | None:
        """The content of each folder at a commit; None if the files are on disk."""
        return self._project.location.folders

    def own_facts(self, document: Document) -> Facts | None:
        """Return the facts of a document, which follow from its text; None if the project has no such file."""
        return self._project.facts.get(document.source.path or "")

    @question
    def anchors(self, path: str) -> tuple[str, ...] | None:
        """Return the anchors of a file, or None if the project has no such file."""
        return self.project.anchors(path)

    @question
    def landmarks(self, path: str) -> tuple[Landmark, ...]:
        """Return what the anchors of a file are made of, without the places, which change with every line above."""
        facts = self.project.facts.get(path)
        return () if facts is None else tuple(each._replace(start=0, end=0) for each in facts.landmarks)

    @question
    def has_file(self, path: str) -> bool:
        """Return whether the project has a file."""
        return path in self.project.facts

    @question
    def files_in(self, folder: str) -> Sequence[str]:
        """Return the paths of the project's files in a folder."""
        return self.project.location.by_folder.get(folder, ())

    @question
    def is_generated(self, path: str) -> bool:
        """Return whether a list says that it is generated, or a contributing guide does."""
        return path in self.project.generated

    @question
    def project_folder(self) -> str:
        """Return the absolute path of the folder that holds all files, symbolic links resolved."""
        return self.project.location.folder

    def files_around(self, path: str) -> ProjectFiles:
        """Return the files of the project that a list belongs to."""
        return ProjectFiles(path, self.disk, self.project_folder(), self.folders)

    @question
    def usual_form(self, topic: Topic, subject: str = "") -> str | None:
        """Return the form that is the convention for a question, if there is one."""
        convention = learn(self.conventions.forms(Question(topic, subject)))
        return None if convention is None else convention.form

    @question
    def convention(self, topic: Topic, subject: str = "") -> Convention | None:
        """Return the convention for a question with its counts, which change with every entry."""
        return learn(self.conventions.forms(Question(topic, subject)))

    def table(
        self,
        make: Callable[Concatenate[Document, P], T],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Return `make(document, ...)`, computed once for all checks of a document; the next document replaces it."""
        if self._tables.get("document") is not document:
            self._tables.clear()
            self._tables["document"] = document
        key = (make, *args)
        if key not in self._tables:
            self._tables[key] = make(document, *args, **kwargs)
        table: T = self._tables[key]
        return table

    def forget_tables(self) -> None:
        """Drop what was computed for checks: tables refer to their context, and would keep it from being freed."""
        self._tables.clear()

    def need_file(self) -> None:
        """Tell that what follows in a check depends on more of the file than a section and what it asks."""

    def need_sections(self, document: Document) -> None:
        """Tell that what follows in a check depends on all of the sections that the entries are in."""

    def summary(
        self,
        make: Callable[Concatenate[Document, P], T],
        merge: Callable[[Sequence[T]], R],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        """Return what the sections of a file amount to: `make` is called of a part of the file, or all of it.

        Neither function may depend on anything but its arguments.
        """
        return merge([self.table(make, document, *args, **kwargs)])

    def sections(
        self,
        make: Callable[Concatenate[Document, P], T],
        document: Document,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> tuple[Sequence[T], int]:
        """Return what `make` gives of each part of the file, and the index of the part that the check reads."""
        return [self.table(make, document, *args, **kwargs)], 0

    def departs(self, document: Document, question: Question, *forms: str) -> bool:
        """Return whether a file answers a question in any other form; True if the project has no such file."""
        return _departs(self._project, document.source.path or "", question, forms)

    def departures(
        self,
        document: Document,
        topic: Topic,
        when: When,
        learn: Callable[[Counter[str], When], Convention | None] = learn,
    ) -> dict[str, Convention]:
        """Return the conventions of a topic that a file departs from, by the question's subject."""
        return self._departures(document.source.path or "", topic, when, LEARNERS.index(learn))

    @question
    def _departures(self, path: str, topic: Topic, when: When, learner: int) -> dict[str, Convention]:
        found: dict[str, Convention] = {}
        for asked, forms in self.conventions.disputed(topic):
            convention = LEARNERS[learner](forms, when)
            if convention is not None and _departs(self.project, path, asked, (convention.form,)):
                found[asked.subject] = convention
        return found

    def amended(self, changed: Facts) -> RuleContext:
        """Return the context for checks of one fixed file; conventions stay as learned."""
        return replace(self, _project=self._project.amended(changed), _tables={})

    def detached(self) -> RuleContext:
        """Return the context with tables of its own, for another thread."""
        return replace(self, _tables={})

    def with_files(self, *changed: Facts) -> RuleContext:
        """Return the context with the new facts of changed files; conventions stay as learned."""
        return replace(self, _project=self._project.with_files(*changed), _tables={})

    def since(self, base: BaseProject) -> RuleContext:
        """Return the context with the conventions of a base commit, so that no new entry tips a majority.

        If the project had no entries at that commit, the current conventions are kept.
        """
        base_facts = base.context.project.facts
        if not any(facts.entries for facts in base_facts.values()):
            return self
        duplicates = DuplicateIndex(self._project.facts, base_facts, base.paths, base.changed_lines)
        return replace(
            self,
            _conventions=self._conventions.as_of(base.context.conventions),
            _project=replace(self._project, duplicates=duplicates),
            base=base,
            _tables={},
        )


LEARNERS: tuple[Callable[[Counter[str], When], Convention | None], ...] = (learn, learn_spelling)


def _departs(project: ProjectIndex, path: str, question: Question, forms: Collection[str]) -> bool:
    facts = project.facts.get(path)
    return facts is None or not facts.forms(question).issubset(forms)


class BaseProject(NamedTuple):
    """The project at the commit since which findings are reported."""

    context: RuleContext
    paths: Mapping[str, str | None]
    """The path at the base commit of each current file; None for a new file."""
    text: Callable[[Document], BaseText | None]
    """Returns a file at the base commit; None for a file that is new or unchanged."""
    changed_lines: Mapping[str, Sequence[bool]]
    """For each line of the changed files whether it is new or changed."""


class BaseText(NamedTuple):
    """A file at the base commit."""

    document: Document
    """The file, or the sections around the change."""
    offset: int
    """What is added to a line of the document to get that of the file."""
    lines: Sequence[int]
    """For each line of the current document its line at the base commit, from 0; -1 if it is new or changed."""


def build_context(
    facts: Mapping[str, Facts],
    taxonomy: Taxonomy,
    slugs: str = "github",
    answers: Answers = NO_ANSWERS,
    folders: Mapping[str, frozenset[str]] | None = None,
) -> RuleContext:
    """Return the context of a project from the facts of its files by path.

    `folders` has the files of each folder, for a project at a commit.
    """
    conventions = count_observations((file.observations for file in facts.values()), taxonomy.vocabulary)
    project = ProjectIndex(facts, Location(tuple(facts), folders), DuplicateIndex(facts), slugs)
    return RuleContext(taxonomy, conventions, project, answers)
