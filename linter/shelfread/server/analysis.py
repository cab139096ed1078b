"""The analysis of one project's open documents: what diagnostics, code actions and all other features are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Diagnostic, RawDiagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.diagnose import Diagnoser, build_diagnoser
from shelfread.engine.load import read_document
from shelfread.engine.model import RunRequest
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import Facts, facts
from shelfread.project.files import Project
from shelfread.rulebook.binding import BoundRule
from shelfread.server.documents import Snapshot
from shelfread.server.projects import KnownFacts, ProjectSettings, read_facts

if TYPE_CHECKING:
    from shelfread.rulebook.binding import Check

CheckPoint = Callable[[], None]
"""Called between the steps of an analysis; it raises an exception to end one that nobody needs any more."""


class TextReading(NamedTuple):
    """What is known of a text without its project."""

    document: Document
    facts: Facts


class ProjectAnalysis(NamedTuple):
    """The last analysis of one project; paths are relative to the working directory, with `/`."""

    project: Project
    request: RunRequest
    """`reported` are the open documents, `others` the other files of the project."""
    context: RuleContext
    diagnoser: Diagnoser
    readings: Mapping[str, TextReading]
    """The open documents that are checked, by path."""
    found: Mapping[str, Sequence[Diagnostic]]
    """Their findings, by path: those that `check` reports for these texts, and infos."""
    errors: Mapping[str, UserError]
    """Why a file, open or not, could not be read, by path."""
    others: KnownFacts
    """The facts of the other files."""

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
    readings: dict[str, TextReading] = {}
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
    diagnoser = build_diagnoser(request, context)
    found = {path: diagnose(diagnoser, reading.document, check_point) for path, reading in readings.items()}
    context.forget_tables()
    return ProjectAnalysis(project, request, context, diagnoser, readings, found, errors, others)


def read_text(source: Source, request: RunRequest, before: TextReading | None) -> TextReading:
    """Return the reading of a text; `before` is that of the text before the last changes, if there is one."""
    if before is not None and _is_same(before.document.source, source):
        return before
    document = read(source, request.taxonomy.vocabulary)
    return TextReading(document, facts(document))


def diagnose(
    diagnoser: Diagnoser, document: Document, check_point: CheckPoint = lambda: None
) -> list[Diagnostic]:
    """Return the findings in a document as `check` has them; the check point is called before each rule."""
    rules = [_interruptible(rule, check_point) for rule in diagnoser.rules(document.source.path or "")]
    return diagnoser.diagnose(document, rules=rules)


def _interruptible(rule: BoundRule, check_point: CheckPoint) -> BoundRule:
    return rule if rule.check is None else rule._replace(check=partial(_run, rule.check, check_point))


def _run(
    check: Check, check_point: CheckPoint, document: Document, context: RuleContext
) -> Iterator[RawDiagnostic]:
    check_point()
    return check(document, context)


def _is_same(one: Source, other: Source) -> bool:
    return one.text == other.text and one.bom == other.bom
