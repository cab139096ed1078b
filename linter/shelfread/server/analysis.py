"""The analysis of one project's open documents: what diagnostics, code actions and all other features are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.engine.diagnose import Diagnoser, diagnose_files
from shelfread.engine.load import read_document
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext
from shelfread.project.files import Project
from shelfread.server.projects import KnownFacts, ProjectSettings, read_facts
from shelfread.server.readings import Reading


class ProjectAnalysis(NamedTuple):
    """The last analysis of one project; paths are relative to the working directory, with `/`."""

    project: Project
    request: RunRequest
    """`reported` are the open documents, `others` the other files of the project."""
    documents: Mapping[str, Document]
    """The open documents that are checked, by path."""
    diagnoser: Diagnoser
    findings: Mapping[str, Sequence[Diagnostic]]
    """The findings in the open documents, by path: those that `check` reports for these texts, and infos."""
    errors: Mapping[str, UserError]
    """Why a file, open or not, could not be read, by path."""
    others: KnownFacts
    """The facts of the other files."""

    @property
    def context(self) -> RuleContext:
        return self.diagnoser.context

    def document(self, path: str) -> Document | None:
        """Return a file of the project: the open text, else it is read from disk; None if it cannot be read."""
        if path in self.documents:
            return self.documents[path]
        if path not in self.request.others:
            return None
        try:
            return read_document(path, self.request.taxonomy.vocabulary)
        except UserError:
            return None


def analyse(
    settings: ProjectSettings,
    readings: Mapping[str, Reading],
    unreadable: Mapping[str, UserError],
    known: KnownFacts,
    check_point: Callable[[], None],
) -> ProjectAnalysis:
    """Return the analysis of the open documents of one project, of which some are `unreadable`, by path.

    Other files whose facts are `known` are read again only if they changed. The check point is called between the
    steps; it raises an exception to end an analysis that nobody needs any more.
    """
    paths = [path for path in settings.request.others if path not in readings and path not in unreadable]
    others = read_facts(settings.request, paths, known)
    check_point()
    facts = {path: file for path, (_, file) in others.facts.items()}
    facts |= {path: reading.facts for path, reading in readings.items()}
    request = settings.request._replace(reported=tuple(readings), others=tuple(paths))
    documents = {path: reading.document for path, reading in readings.items()}
    diagnoser, findings = diagnose_files(request, documents, facts, check_point)
    errors = {**{path: error for path, (_, error) in others.errors.items()}, **unreadable}
    return ProjectAnalysis(settings.project, request, documents, diagnoser, findings, errors, others)
