"""Fixes that edit several files of a project; they come last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.diagnose import permitted
from shelfread.engine.fingerprint import Fingerprint, fingerprints
from shelfread.engine.model import FileResult, LoadedProject, RunRequest
from shelfread.engine.split import build_judgement
from shelfread.fixes.cross_file import fix_cross_file
from shelfread.fixes.rounds import FixResult
from shelfread.fixes.select import FixState, edits_other_files
from shelfread.index.facts import facts

if TYPE_CHECKING:
    from shelfread.index.answers import Answers

_Dropped: TypeAlias = Sequence[tuple[Diagnostic, str]]


def fix_across_files(
    request: RunRequest,
    results: list[FileResult],
    loaded: LoadedProject,
    answers: Answers,
    known: Mapping[str, Mapping[Fingerprint, int]],
) -> list[FileResult]:
    """Return the results after fixes across files; `loaded` has the facts of the project before any fix."""
    if not any(edits_other_files(diagnostic) for result in results for diagnostic in _remaining(result)):
        return results
    originals = [result.source for result in results]
    judgement = build_judgement(request, loaded, answers, originals)._replace(known=known)
    diagnoser = judgement.diagnoser
    states: dict[str, FixState] = {}

    def diagnose(changed: Mapping[str, Source]) -> dict[str, FixState]:
        documents = {path: state.document for path, state in states.items()}
        documents |= {path: read(source, request.taxonomy.vocabulary) for path, source in changed.items()}
        context = diagnoser.context.with_files(*map(facts, documents.values()))
        for path, document in documents.items():
            found = judgement.split(document, diagnoser.diagnose(document, context)).reported
            states[path] = FixState(document.source, document, permitted(request, found))
        return states

    diagnose({result.path: _source(result) for result in results})
    fixed = fix_cross_file(states, diagnose, unsafe=request.unsafe_fixes)
    joined = [_joined(result, states[result.path], fixed.applied, fixed.dropped) for result in results]
    for index, result in enumerate(joined if request.fingerprints else ()):
        document = states[result.path].document
        joined[index] = result._replace(fingerprints=fingerprints(document, _remaining(result)))
    return joined


def _remaining(result: FileResult) -> Sequence[Diagnostic]:
    return result.fixed.remaining if result.fixed else result.diagnostics


def _source(result: FileResult) -> Source:
    source, fixed = result.source, result.fixed
    return source if fixed is None else Source(fixed.text, source.path, source.bom)


def _joined(
    result: FileResult, state: FixState, applied: Sequence[Diagnostic], dropped: _Dropped
) -> FileResult:
    """Return a result with all fixes that were applied and dropped, each in the file of its finding."""
    before = result.fixed or FixResult(result.source.text, [], [], [])
    found = {diagnostic: diagnostic for diagnostic in state.diagnostics}
    dropped_before = [(found[finding], reason) for finding, reason in before.dropped if finding in found]
    fixed = FixResult(
        text=state.source.text,
        applied=[*before.applied, *(finding for finding in applied if finding.path == result.path)],
        dropped=dropped_before + [pair for pair in dropped if pair[0].path == result.path],
        remaining=state.diagnostics,
    )
    return result._replace(fixed=fixed)
