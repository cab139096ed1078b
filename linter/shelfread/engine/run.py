"""A run over one project: read its files, run the rules, leave out the findings of a baseline, fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.core.diagnostics import Diagnostic
from shelfread.engine.batch import Batch
from shelfread.engine.model import FileResult, RunRequest, RunResult
from shelfread.index.answers import NO_ANSWERS, Answers
from shelfread.index.facts import Facts

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.workers import Workers

_MAX_CROSS_FILE_ROUNDS = 10
"""How often fixes that edit several files are applied at most: each may make others possible."""


def run(request: RunRequest, jobs: int = 1, baseline: Counter[Fingerprint] | None = None) -> RunResult:
    """Run a request in `jobs` processes; unreadable files are in the errors of the result.

    Findings in `baseline` are left out, and removed from it.
    """
    if jobs > 1 and len(request.reported) + len(request.others) > 1:
        from shelfread.engine.workers import Workers

        return finish_run(Workers(request, jobs), baseline=baseline)
    return finish_run(Batch(request), baseline=baseline)


def finish_run(
    files: Batch | Workers,
    *,
    answers: Answers = NO_ANSWERS,
    baseline: Counter[Fingerprint] | None = None,
) -> RunResult:
    """Run what comes after reading; `answers` are those of the network."""
    request, loaded = files.request, files.loaded
    files.check(loaded.facts, loaded.base_facts, answers)
    if baseline is not None:
        files.leave_out(take_known(files.fingerprints(), baseline))
    dropped: Sequence[tuple[Diagnostic, str]] = ()
    if request.options.fixes:
        dropped = _fix(files, dict(loaded.facts), loaded.base_facts, answers)
    results = [_with_dropped(result, dropped) for result in files.results()]
    looks = files.looks()
    files.close()
    # An unchanged file that cannot be read is a note: the change did not break it.
    changed = request.reported if request.base is None else request.base.changed
    named = set(request.reported).intersection(changed)
    return RunResult(
        tuple(results),
        tuple(error for path, error in loaded.errors.items() if path in named),
        tuple(error for path, error in loaded.errors.items() if path not in named),
        since="" if request.base is None else request.base.name,
        looks=looks,
    )


def _fix(
    files: Batch | Workers, facts: dict[str, Facts], base_facts: Mapping[str, Facts], answers: Answers
) -> Sequence[tuple[Diagnostic, str]]:
    """Fix the files until a further run would change nothing; return the fixes across files that were dropped.

    A round applies what does not overlap, reads the changed texts again, learns the conventions anew, and checks all
    files. Fixes across files come when nothing else is left. A file takes part in a limited number of rounds, so this
    ends.
    """
    across = 0
    while True:
        changed = files.fix()
        dropped: Sequence[tuple[Diagnostic, str]] = ()
        if not changed and across < _MAX_CROSS_FILE_ROUNDS:
            across += 1
            changed, dropped = _fix_across_files(files)
        if not changed:
            return dropped
        facts |= changed
        files.check(facts, base_facts, answers)


def _fix_across_files(
    files: Batch | Workers,
) -> tuple[dict[str, Facts], Sequence[tuple[Diagnostic, str]]]:
    """Apply fixes that edit several files; return the facts of the changed files, and the fixes that were dropped."""
    fixes = files.cross_file_fixes()
    if not fixes:
        return {}, ()
    from shelfread.fixes.cross_file import apply_across, edited_files

    done = apply_across(files.states(edited_files(fixes)), fixes)
    return files.replace(done.changed, done.applied) if done.changed else {}, done.dropped


def _with_dropped(result: FileResult, dropped: Sequence[tuple[Diagnostic, str]]) -> FileResult:
    own = [pair for pair in dropped if pair[0].path == result.path]
    if not own or result.fixed is None:
        return result
    import dataclasses

    return result._replace(fixed=dataclasses.replace(result.fixed, dropped=[*result.fixed.dropped, *own]))


def take_known(
    found: Mapping[str, Sequence[Fingerprint]], baseline: Counter[Fingerprint]
) -> dict[str, Counter[Fingerprint]]:
    """Return the findings of each file that are in a baseline, and remove them from it.

    Entries move between files, so all files share one baseline. It is distributed before anything is fixed, so that
    a fix in one file does not use up the known findings of another.
    """
    from shelfread.engine.fingerprint import split_known

    named = [(fingerprint, (path, fingerprint)) for path, file in found.items() for fingerprint in file]
    known: dict[str, Counter[Fingerprint]] = {path: Counter() for path in found}
    for path, fingerprint in split_known(named, baseline)[1]:
        known[path][fingerprint] += 1
    return known
