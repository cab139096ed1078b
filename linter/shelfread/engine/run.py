"""A run over one project: load, diagnose, leave out the findings of a baseline, fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.engine.model import LoadedProject, RunRequest, RunResult
from shelfread.engine.stages import Stages
from shelfread.index.answers import NO_ANSWERS, Answers

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.workers import Workers


def run(request: RunRequest, jobs: int = 1, baseline: Counter[Fingerprint] | None = None) -> RunResult:
    """Run a request in `jobs` processes; unreadable files are in the errors of the result.

    Findings in `baseline` are left out, and removed from it.
    """
    stages: Stages | Workers
    if jobs > 1 and len(request.reported) + len(request.others) > 1:
        from shelfread.engine.workers import Workers

        stages = Workers(request, jobs)
    else:
        stages = Stages(request)
    return finish_run(stages, stages.load(), baseline=baseline)


def finish_run(
    stages: Stages | Workers,
    loaded: LoadedProject,
    *,
    answers: Answers = NO_ANSWERS,
    baseline: Counter[Fingerprint] | None = None,
) -> RunResult:
    """Run the stages after loading; `answers` are those of the network."""
    request = stages.request
    fingerprints = stages.diagnose(loaded, answers, baseline is not None)
    known = {} if baseline is None else take_known(fingerprints, baseline)
    fixed = stages.finish(known)
    results = fixed.results
    if request.keys is not None and not fixed.facts:
        from shelfread.engine.results.whole import keep_run

        keep_run(request.keys, request, loaded, fixed.kept)
    if request.fix and any(result.fixed for result in results):
        from shelfread.engine.settle import settle

        results = settle(stages, loaded, fixed, answers, known)
    stages.close()
    # An unchanged file that cannot be read is a note: the change did not break it.
    changed = request.reported if request.base is None else request.base.changed
    named = set(request.reported).intersection(changed)
    return RunResult(
        tuple(results),
        tuple(error for path, error in loaded.errors.items() if path in named),
        tuple(error for path, error in loaded.errors.items() if path not in named),
        since="" if request.base is None else request.base.name,
    )


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
