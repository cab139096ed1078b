"""The analysis of one project's open documents: what diagnostics, code actions and all other features are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.engine import analysis as engine
from shelfread.engine.analysis import Analysis, Reading
from shelfread.engine.diagnose import Diagnoser
from shelfread.engine.load import read_document
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext
from shelfread.project.files import Project
from shelfread.server.documents import Snapshot
from shelfread.server.projects import KnownFacts, ProjectSettings, read_facts

CheckPoint = Callable[[], None]
"""Called between the steps of an analysis; it raises an exception to end one that nobody needs any more."""


class ProjectAnalysis(NamedTuple):
    """The last analysis of one project; paths are relative to the working directory, with `/`."""

    project: Project
    request: RunRequest
    """`reported` are the open documents, `others` the other files of the project."""
    readings: Mapping[str, Reading]
    """The open documents that are checked, by path."""
    findings: Analysis
    errors: Mapping[str, UserError]
    """Why a file, open or not, could not be read, by path."""
    others: KnownFacts
    """The facts of the other files."""

    @property
    def context(self) -> RuleContext:
        return self.findings.diagnoser.context

    @property
    def diagnoser(self) -> Diagnoser:
        return self.findings.diagnoser

    @property
    def found(self) -> Mapping[str, Sequence[Diagnostic]]:
        """The findings in the open documents, by path: those that `check` reports for these texts, and infos."""
        return self.findings.found

    @property
    def documents(self) -> dict[str, Document]:
        """The open documents that are checked, by path."""
        return {path: reading.document for path, reading in self.readings.items()}

    def document(self, path: str) -> Document | None:
        """Return a file of the project: the open text, else it is read from disk; None if it cannot be read."""
        if path in self.readings:
            return self.readings[path].document
        if path not in self.request.others:
            return None
        try:
            return read_document(path, self.request.taxonomy.vocabulary)
        except UserError:
            return None


def analyse(
    settings: ProjectSettings,
    snapshots: Sequence[Snapshot],
    before: ProjectAnalysis | None,
    check_point: CheckPoint,
) -> ProjectAnalysis:
    """Return the analysis of the open documents of one project, the first of them first.

    What has not changed since the analysis `before` is not read again.
    """
    request, project = settings.request, settings.project
    if before is not None and before.request.taxonomy.vocabulary is not request.taxonomy.vocabulary:
        before = None
    members = {snapshot.path for snapshot in snapshots}
    paths = [path for path in request.others if path not in members]
    others = read_facts(request, paths, before.others if before else KnownFacts())
    errors = {path: error for path, (_, error) in others.errors.items()}
    readings: dict[str, Reading] = {}
    for snapshot in snapshots:
        check_point()
        try:
            source = snapshot.source()
        except UserError as error:
            errors[snapshot.path] = error
            continue
        known = before.readings.get(snapshot.path) if before else None
        readings[snapshot.path] = read_text(source, request, known)
    check_point()
    request = request._replace(reported=tuple(readings), others=tuple(paths))
    unopened = {path: file for path, (_, file) in others.facts.items()}
    findings = engine.analyse(request, readings, unopened, before.findings if before else None, check_point)
    return ProjectAnalysis(project, request, readings, findings, errors, others)


def read_text(source: Source, request: RunRequest, before: Reading | None) -> Reading:
    """Return the reading of a text; what is the same as in the reading `before` is not read again."""
    if before is not None and before.source.text == source.text and before.source.bom == source.bom:
        return before
    return Reading(source, request.taxonomy.vocabulary, before)
