"""The last step of mending: fixes that edit several files of a project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shelfread.core.diagnostics import Diagnostic
from shelfread.core.source import Source
from shelfread.document.read import read
from shelfread.engine.run import FileResult, LoadedProject, RunRequest, agreed, find, parted, rules_by_path
from shelfread.fixes.cross_file import fix_cross_file
from shelfread.fixes.rounds import FixResult
from shelfread.fixes.select import FixState, edits_other_files
from shelfread.index.facts import facts
from shelfread.index.index import survey


def fix_across_files(
    order: RunRequest, outcomes: list[FileResult], reading: LoadedProject
) -> list[FileResult]:
    """The outcomes after fixes across files; `reading` has the facts of the project before any."""
    if not any(edits_other_files(one) for outcome in outcomes for one in _remaining(outcome)):
        return outcomes
    originals = [outcome.source for outcome in outcomes]
    whole = survey(reading.facts, order.taxonomy, order.slugs, order.web)
    whole, part = parted(order, whole, reading, originals)
    rules = rules_by_path(order, whole)
    states: dict[str, FixState] = {}

    def diagnose(changed: Mapping[str, Source]) -> dict[str, FixState]:
        documents = {path: state.document for path, state in states.items()}
        documents |= {path: read(source, order.taxonomy.vocabulary) for path, source in changed.items()}
        now = whole.amended(*map(facts, documents.values()))
        for path, document in documents.items():
            found = part(document, find(order, document, now, rules(path)[1])).found
            states[path] = FixState(document.source, document, agreed(order, found))
        return states

    diagnose({outcome.path: _source(outcome) for outcome in outcomes})
    result = fix_cross_file(states, diagnose, unsafe=order.unsafe)
    return [_joined(outcome, states[outcome.path], result.applied, result.dropped) for outcome in outcomes]


def _remaining(outcome: FileResult) -> Sequence[Diagnostic]:
    return outcome.fixed.remaining if outcome.fixed else outcome.diagnostics


def _source(outcome: FileResult) -> Source:
    source, fixed = outcome.source, outcome.fixed
    return source if fixed is None else Source(fixed.text, source.path, source.bom)


def _joined(
    outcome: FileResult,
    state: FixState,
    applied: Sequence[Diagnostic],
    dropped: Sequence[tuple[Diagnostic, str]],
) -> FileResult:
    """An outcome with what was done and left undone together, each fix with the file of its finding."""
    before = outcome.fixed or FixResult(outcome.source.text, [], [], [])
    still = {one: one for one in state.diagnostics}
    left = [(still[one], reason) for one, reason in before.dropped if one in still]
    fixed = FixResult(
        text=state.source.text,
        applied=[*before.applied, *(one for one in applied if one.path == outcome.path)],
        dropped=left + [(one, reason) for one, reason in dropped if one.path == outcome.path],
        remaining=state.diagnostics,
    )
    return outcome._replace(fixed=fixed)
