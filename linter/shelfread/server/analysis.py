"""The analysis of one project's open documents: what diagnostics, code actions and all other features are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.batch import Batch
from shelfread.engine.lint import Diagnoser, permitted
from shelfread.engine.load_save import LoadedFiles, read_document
from shelfread.engine.model import RunRequest
from shelfread.engine.run import finish_run
from shelfread.fixes.rounds import fix_text
from shelfread.index.context import RuleContext, build_context
from shelfread.index.facts import Facts, facts
from shelfread.markdown.node import Tree
from shelfread.markdown.parse import parse
from shelfread.server.open_documents import OpenDocument
from shelfread.server.open_projects import KnownFiles, ProjectSettings, read_facts
from shelfread.taxonomy.vocabulary import Vocabulary


class Reading(NamedTuple):
    """An open text as a document, with its facts."""

    document: Document
    facts: Facts


class ProjectAnalysis(NamedTuple):
    """The last analysis of one project; paths are relative to the working directory, with `/`."""

    request: RunRequest  # `reported` are the open documents, `others` the other files of the project
    documents: Mapping[str, Document]  # the open documents that are checked, by path
    diagnoser: Diagnoser
    # the findings in the open documents, by path: those that `check` reports for these texts, and infos.
    findings: Mapping[str, Sequence[Diagnostic]]
    errors: Mapping[str, UserError]  # why a file, open or not, could not be read, by path
    others: KnownFiles  # the facts of the other files

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


class _LastReading(NamedTuple):
    opened: OpenDocument
    vocabulary: Vocabulary
    task: asyncio.Task[Reading]


class Readings:
    """Reads the texts of open documents, each once for all who need it; all methods run on the event loop."""

    def __init__(
        self,
        opened: Mapping[str, OpenDocument],
        compute: Callable[[Callable[[], Reading]], Awaitable[Reading]],
    ) -> None:
        """`opened` are the open documents by URI; `compute` calls a function in a thread."""
        self._opened, self._compute = opened, compute
        self._last: dict[str, _LastReading] = {}

    async def read(self, opened: OpenDocument, vocabulary: Vocabulary) -> tuple[OpenDocument, Reading]:
        """Return a document as it is open now, and its one reading at a time of the newest text; raises InputError."""
        uri = opened.uri
        while True:
            opened = self._opened.get(uri, opened)
            last = self._last.get(uri)
            if last is not None and last.vocabulary is vocabulary and last.opened is opened:
                return opened, await asyncio.shield(last.task)
            if last is not None and not last.task.done():
                await asyncio.wait([last.task])
                continue
            self._last = {uri: known for uri, known in self._last.items() if uri in self._opened}
            task = asyncio.ensure_future(self._compute(partial(read_opened, opened, vocabulary)))
            # Nobody may wait for its exception any more.
            task.add_done_callback(lambda task: task.cancelled() or task.exception())
            self._last[uri] = _LastReading(opened, vocabulary, task)


def read_opened(opened: OpenDocument, vocabulary: Vocabulary) -> Reading:
    """Return the reading of a text; raises InputError if it is none, or too large."""
    document = read(opened.source(), vocabulary)
    return Reading(document, facts(document))


def analyse(
    settings: ProjectSettings,
    readings: Mapping[str, Reading],
    unreadable: Mapping[str, UserError],
    known: KnownFiles,
    check_point: Callable[[], None],
) -> ProjectAnalysis:
    """Return the analysis of one project's open documents, with `known` other files; the check point may raise between the steps."""
    paths = [path for path in settings.request.others if path not in readings and path not in unreadable]
    others = read_facts(paths, settings.request.taxonomy.vocabulary, known)
    check_point()
    all_facts = {path: reading.facts for path, reading in readings.items()}
    errors = dict(unreadable)
    for path, (_, file) in others.items():
        if isinstance(file, UserError):
            errors[path] = file
        else:
            all_facts[path] = file
    request = settings.request._replace(reported=tuple(readings), others=tuple(paths))
    documents = {path: reading.document for path, reading in readings.items()}
    context = build_context(dict(sorted(all_facts.items())), request.taxonomy, request.slugs)
    diagnoser = Diagnoser(request, context)
    findings = {
        path: diagnoser.diagnose(document, check_point=check_point) for path, document in documents.items()
    }
    return ProjectAnalysis(request, documents, diagnoser, findings, errors, others)


def fix_finding(analysis: ProjectAnalysis, finding: Diagnostic) -> str | None:
    """Return the text after one fix; None if it would change more than it declares."""
    document = analysis.documents[finding.path]
    # No further round is wanted, so the new text is only parsed, as the verification of the fix needs it.
    fixed = fix_text(
        document.source, lambda source: (parse(source), []), unsafe=True, known=(document.tree, [finding])
    )
    return fixed.text if fixed.applied else None


def fix_rule(analysis: ProjectAnalysis, path: str, rule: str, *, unsafe: bool) -> str | None:
    """Return the text after all fixes of a rule in a document; None if nothing changes."""
    request, diagnoser = analysis.request, analysis.diagnoser
    document = analysis.documents[path]

    def of_rule(findings: list[Diagnostic]) -> list[Diagnostic]:
        return [finding for finding in permitted(request, findings) if finding.rule == rule]

    def diagnose(source: Source) -> tuple[Tree, list[Diagnostic]]:
        changed = read(source, request.taxonomy.vocabulary)
        context = diagnoser.context.with_files(facts(changed))
        return changed.tree, of_rule(diagnoser.diagnose(changed, context))

    first = document.tree, of_rule(list(analysis.findings[path]))
    fixed = fix_text(document.source, diagnose, unsafe=unsafe, known=first)
    return fixed.text if fixed.applied else None


def fix_document(analysis: ProjectAnalysis, path: str) -> str | None:
    """Return the text after `shelfread fix` of one document; None if nothing changes."""
    request = analysis.request
    loaded = LoadedFiles({path: analysis.documents[path]}, dict(analysis.context.project.facts), {}, {}, {})
    fixing = request._replace(
        reported=(path,),
        others=(*(name for name in request.reported if name != path), *request.others),
        options=request.options._replace(fix=True),
    )
    result = finish_run(Batch(fixing, loaded)).files[0]
    return result.fixed.text if result.fixed is not None and result.fixed.applied else None
