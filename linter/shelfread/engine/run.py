"""A run over one project: read its files, run the rules, leave out the findings of a baseline, fix."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.engine.batch import Batch
from shelfread.engine.model import RunRequest, RunResult
from shelfread.index.answers import NO_ANSWERS, Answers

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.workers import Workers


def run(
    request: RunRequest,
    jobs: int = 1,
    baseline: Counter[Fingerprint] | None = None,
    count: Callable[[int], None] | None = None,
) -> RunResult:
    """Run a request in `jobs` processes, without the findings in `baseline`, which loses them; `count` is told of each file."""
    if jobs > 1 and len(request.reported) + len(request.others) > 1:
        from shelfread.engine.workers import Workers

        return finish_run(Workers(request, jobs, count), baseline=baseline)
    return finish_run(Batch(request, count=count), baseline=baseline)


def finish_run(
    files: Batch | Workers, *, answers: Answers = NO_ANSWERS, baseline: Counter[Fingerprint] | None = None
) -> RunResult:
    """Run what comes after reading; `answers` are those of the network."""
    request, loaded = files.request, files.loaded
    files.check(loaded.facts, loaded.base_facts, answers)
    if baseline is not None:
        files.leave_out(take_known(files.fingerprints(), baseline))
    if request.options.fixes:
        facts = dict(loaded.facts)
        # A round applies what does not overlap, and reads, learns and checks anew; each file takes part in only so many.
        while fixed := files.fix():
            facts |= fixed
            files.check(facts, loaded.base_facts, answers)
    results = files.results()
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
