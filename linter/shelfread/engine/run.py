"""A run over one project: load, diagnose, leave out what a baseline knows, fix, fix across files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shelfread.engine.model import LoadedProject, RunRequest, RunResult
from shelfread.engine.stages import Stages

if TYPE_CHECKING:
    from shelfread.core.link_record import LinkRecord
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.engine.workers import Workers


def run(request: RunRequest, jobs: int = 1, baseline: Counter[Fingerprint] | None = None) -> RunResult:
    """Run a request in so many processes; one unreadable file does not keep the others back.

    What `baseline` knows of the project is left out, and taken from it.
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
    link_records: Mapping[str, LinkRecord] | None = None,
    baseline: Counter[Fingerprint] | None = None,
) -> RunResult:
    """Run what comes after loading; `link_records` say what the network said of links."""
    request = stages.request
    link_records = link_records or {}
    fingerprints = stages.diagnose(loaded.facts, loaded.base_facts, link_records, baseline is not None)
    known = {} if baseline is None else share_out(fingerprints, baseline)
    results = stages.finish(known)
    if request.fix and any(result.fixed for result in results):
        from shelfread.engine.cross_file_fixes import fix_across_files

        results = fix_across_files(request, results, loaded, link_records, known)
    # What could not be read at the base commit either is not the doing of the change.
    changed = request.reported if request.base is None else request.base.changed
    named = set(request.reported).intersection(changed)
    return RunResult(
        tuple(results),
        tuple(error for path, error in loaded.errors.items() if path in named),
        tuple(error for path, error in loaded.errors.items() if path not in named),
        since="" if request.base is None else request.base.name,
    )


def share_out(
    found: Mapping[str, Sequence[Fingerprint]], baseline: Counter[Fingerprint]
) -> dict[str, Counter[Fingerprint]]:
    """Return by file what a baseline knows of its findings, and take that from the baseline.

    Entries move from file to file, so all files share one stock. It is shared out before anything is fixed: no
    finding may be fixed at the cost of another file's.
    """
    from shelfread.engine.fingerprint import split_known

    named = [(print, (path, print)) for path, prints in found.items() for print in prints]
    known: dict[str, Counter[Fingerprint]] = {path: Counter() for path in found}
    for path, print in split_known(named, baseline)[1]:
        known[path][print] += 1
    return known
