"""Fixes a project until a further run would change nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from shelfread.engine.cross_file_fixes import fix_across_files
from shelfread.engine.model import FileResult, FixedFiles, LoadedProject
from shelfread.engine.stages import Stages
from shelfread.fixes.rounds import FixResult

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.workers import Workers
    from shelfread.index.answers import Answers

MAX_PASSES = 5
"""How often the files of a project are fixed at most."""

_UNSETTLED = f"the file did not settle when the project was fixed {MAX_PASSES} times"


def settle(
    stages: Stages | Workers,
    loaded: LoadedProject,
    fixed: FixedFiles,
    answers: Answers,
    known: Mapping[str, Mapping[Fingerprint, int]],
    again: bool = True,
) -> list[FileResult]:
    """Return the results after as many passes as change something; `fixed` are those of the first.

    A pass judges all files by the conventions of the texts that it begins with, so that no fix tips a majority while
    others are made. When a pass changes nothing, the next run would change nothing. Since a base commit, the
    conventions are always those of that commit, and one pass is enough. Files that the last pass still changes are
    left as they were. Fixes across files come last; what they change is read `again`.
    """
    request, results = stages.request, fixed.results
    for number in range(MAX_PASSES):
        if not fixed.facts or request.base is not None:
            break
        if number == MAX_PASSES - 1:
            results = [_undo(result) if result.path in fixed.facts else result for result in results]
            break
        loaded = loaded._replace(facts={**loaded.facts, **fixed.facts}, texts={})
        stages.diagnose(loaded, answers, False)
        fixed = stages.finish(known)
        results = _join(results, fixed.results)
    across = fix_across_files(request, results, loaded, answers, known)
    changed = any(_text(old) != _text(new) for old, new in zip(results, across, strict=True))
    if not again or not changed or request.base is not None:
        return across
    files = {result.path: result.source.to_bytes(_text(result)) for result in across}
    stages = Stages(request._replace(unsaved={**request.unsaved, **files}, keys=None))
    loaded = stages.load()
    stages.diagnose(loaded, answers, False)
    results = settle(stages, loaded, stages.finish(known), answers, known, again=False)
    return _join(across, results)


def _text(result: FileResult) -> str:
    return result.source.text if result.fixed is None else result.fixed.text


def _join(before: Iterable[FileResult], after: Iterable[FileResult]) -> list[FileResult]:
    """Return the results of two passes; a file that can no longer be read keeps those of the first."""
    later = {result.path: result for result in after}
    return [_join_file(result, later[result.path]) if result.path in later else result for result in before]


def _join_file(before: FileResult, after: FileResult) -> FileResult:
    if before.fixed is None and after.fixed is None and before.diagnostics == after.diagnostics:
        return before
    applied = before.fixed.applied if before.fixed is not None else []
    fixed = after.fixed or FixResult(after.source.text, [], [], list(after.diagnostics))
    joined = FixResult(fixed.text, [*applied, *fixed.applied], fixed.dropped, fixed.remaining)
    return before._replace(fixed=joined, fingerprints=after.fingerprints)


def _undo(result: FileResult) -> FileResult:
    """Return the result of a file that is left as it was."""
    found = list(result.diagnostics)
    dropped = [(finding, _UNSETTLED) for finding in found if finding.fix]
    return result._replace(fixed=FixResult(result.source.text, [], dropped, found))
