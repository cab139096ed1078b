"""Fixes for editors: by the same verified rounds as `shelfread fix`, on the texts that are open."""

from __future__ import annotations

from collections.abc import Mapping

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.engine.diagnose import permitted
from shelfread.engine.model import LoadedProject, RunRequest
from shelfread.engine.run import finish_run
from shelfread.engine.stages import Stages
from shelfread.fixes.cross_file import fix_cross_file
from shelfread.fixes.rounds import fix_text
from shelfread.fixes.select import FixState, edits_of, edits_other_files
from shelfread.index.facts import facts
from shelfread.markdown.parse import parse
from shelfread.server.analysis import ProjectAnalysis


def fix_finding(analysis: ProjectAnalysis, finding: Diagnostic) -> dict[str, str]:
    """Return the texts after one fix, by path; none if it would change more than it declares."""
    if edits_other_files(finding):
        return _fix_across_files(analysis, finding)
    document = analysis.documents[finding.path]
    fixed = fix_text(document.source, _only_parsed, unsafe=True, known=(document, [finding]))
    return {finding.path: fixed.text} if fixed.applied else {}


def fix_rule(analysis: ProjectAnalysis, path: str, rule: str, *, unsafe: bool) -> dict[str, str]:
    """Return the text after all fixes of a rule in a document, by path; none if nothing changes."""
    request, diagnoser = analysis.request, analysis.diagnoser
    document = analysis.documents[path]

    def diagnose(source: Source) -> tuple[Document, list[Diagnostic]]:
        changed = read(source, request.taxonomy.vocabulary)
        found = diagnoser.diagnose(changed, diagnoser.context.amended(facts(changed)))
        return changed, [finding for finding in permitted(request, found) if finding.rule == rule]

    first = [finding for finding in permitted(request, analysis.findings[path]) if finding.rule == rule]
    fixed = fix_text(document.source, diagnose, unsafe=unsafe, known=(document, first))
    return {path: fixed.text} if fixed.applied else {}


def fix_document(analysis: ProjectAnalysis, path: str) -> dict[str, str]:
    """Return the text after `shelfread fix` of one document, by path; none if nothing changes."""
    request = analysis.request
    unsaved = {
        name: document.source.to_bytes(document.source.text) for name, document in analysis.documents.items()
    }
    others = (*(name for name in request.reported if name != path), *request.others)
    document = analysis.documents[path]
    known = dict(analysis.context.project.facts)
    loaded = LoadedProject.empty()._replace(documents={path: document}, facts=known)
    fixing = request._replace(fix=True, reported=(path,), others=others, unsaved=unsaved)
    result = finish_run(_LoadedStages(fixing, loaded), loaded).files[0]
    return {path: result.fixed.text} if result.fixed is not None and result.fixed.applied else {}


class _LoadedStages(Stages):
    """The stages of a project that was read already."""

    def __init__(self, request: RunRequest, loaded: LoadedProject) -> None:
        super().__init__(request)
        self.loaded = loaded


def _fix_across_files(analysis: ProjectAnalysis, finding: Diagnostic) -> dict[str, str]:
    """Return the texts after a fix that edits several files; none if one of them cannot be read."""
    states: dict[str, FixState] = {}
    for path in {finding.path, *(edit.path or finding.path for edit in edits_of(finding))}:
        document = analysis.document(path)
        if document is None:
            return {}
        states[path] = FixState(document.source, document, [finding] if path == finding.path else [])

    def reread(changed: Mapping[str, Source]) -> dict[str, FixState]:
        parsed = {path: FixState(source, *_only_parsed(source)) for path, source in changed.items()}
        unchanged = {path: state._replace(diagnostics=[]) for path, state in states.items()}
        return {**unchanged, **parsed}

    fixed = fix_cross_file(states, reread, unsafe=True)
    return {path: state.source.text for path, state in fixed.states.items()} if fixed.applied else {}


def _only_parsed(source: Source) -> tuple[Document, list[Diagnostic]]:
    """Return a text as far as the verification of a fix compares it; no further round is wanted."""
    return Document(source, parse(source), (), (), ()), []
