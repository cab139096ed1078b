"""The analysis of one project's open documents: what diagnostics, code actions and all other features are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.engine.analysis import Reading
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.load import read_document
from shelfread.engine.model import RunRequest
from shelfread.engine.part_findings import PartFindings, find
from shelfread.index.context import RuleContext, build_context
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
    context: RuleContext
    diagnoser: Diagnoser
    readings: Mapping[str, Reading]
    """The open documents that are checked, by path."""
    found: Mapping[str, Sequence[Diagnostic]]
    """Their findings, by path: those that `check` reports for these texts, and infos."""
    errors: Mapping[str, UserError]
    """Why a file, open or not, could not be read, by path."""
    others: KnownFacts
    """The facts of the other files."""
    parts: Mapping[str, PartFindings]
    """What the findings were made of, by path, for the next analysis."""

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
    all_facts = {path: file for path, (_, file) in others.facts.items()}
    all_facts |= {path: reading.facts for path, reading in readings.items()}
    request = request._replace(reported=tuple(readings), others=tuple(paths))
    context = build_context(dict(sorted(all_facts.items())), request.taxonomy, request.slugs)
    if before is not None and before.request.selection is request.selection:
        diagnoser = before.diagnoser.for_context(context)
    else:
        before, diagnoser = None, build_diagnoser(request, context)
    parts: dict[str, PartFindings] = {}
    found: dict[str, Sequence[Diagnostic]] = {}
    for path, reading in readings.items():
        check_point()
        if reading.parts is None:
            found[path] = diagnoser.diagnose(reading.document)
        else:
            earlier = before.parts.get(path) if before is not None else None
            parts[path] = find(reading.parts, diagnoser, earlier, check_point)
            found[path] = parts[path].diagnostics
    context.forget_tables()
    return ProjectAnalysis(project, request, context, diagnoser, readings, found, errors, others, parts)


def read_text(source: Source, request: RunRequest, before: Reading | None) -> Reading:
    """Return the reading of a text; what is the same as in the reading `before` is not read again."""
    if before is not None and before.source.text == source.text and before.source.bom == source.bom:
        return before
    return Reading(source, request.taxonomy.vocabulary, before)
