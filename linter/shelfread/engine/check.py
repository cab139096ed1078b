"""What `check` and `fix` do: find the projects, run the rules over each, write the fixes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core import git
from shelfread.core.errors import UserError
from shelfread.engine.model import FileResult, RunRequest, RunResult
from shelfread.engine.run import run
from shelfread.engine.save import save
from shelfread.project.files import Project
from shelfread.project.inputs import configurations, find_inputs
from shelfread.rulebook.selection import select
from shelfread.taxonomy.load import load

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.project.history import BaseRevision

_MANY_FILES = 100
"""So many files take long enough to show that something happens."""


class CheckOptions(NamedTuple):
    """What is checked, by which rules, and what is done with the findings."""

    paths: Sequence[str]
    unsaved: Mapping[str, bytes] = {}
    """Standard input, by the path that it stands for."""
    config: str | None = None
    isolated: bool = False
    config_from: str | None = None
    taxonomy: str | None = None
    presets: Sequence[str] = ()
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    since: str | None = None
    baseline: str | None = None
    show_info: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    write: bool = False
    """Fixes are written to the files."""
    fingerprints: bool = False
    jobs: int | None = None


class ProjectResult(NamedTuple):
    """A project and what came of it."""

    project: Project
    run: RunResult


Waiting = Callable[[str], AbstractContextManager[None]]
"""Shows a message as long as something takes; none for an empty one."""


def check(options: CheckOptions, waiting: Waiting) -> tuple[list[ProjectResult], list[UserError]]:
    """Return what came of each project, and an error for each PATH that cannot be found."""
    with configurations(options.config_from) as tree:
        projects, errors = find_inputs(options.paths, options.config, options.isolated, options.unsaved, tree)
        baseline = _read_baseline(options.baseline)
        return [_check_project(options, project, baseline, waiting) for project in projects], errors


def merge_results(runs: Iterable[RunResult], errors: Sequence[UserError], baseline: str = "") -> RunResult:
    """Return the results of several projects as one; `errors` are those of PATH."""
    runs = list(runs)
    return RunResult(
        tuple(outcome for run in runs for outcome in run.files),
        (*errors, *(error for run in runs for error in run.errors)),
        tuple(note for run in runs for note in run.notes),
        next((run.since for run in runs if run.since), ""),
        baseline,
        tuple(dict.fromkeys(change for run in runs for change in run.policy_changes)),
    )


def read_base(project: Project, since: str | None, unsaved: Mapping[str, bytes]) -> BaseRevision | None:
    """Return the project at the commit since which findings are asked for, if one is named."""
    if not since or not (project.reported or project.others or project.skipped):
        return None
    from shelfread.project.history import read_base_revision

    return read_base_revision(project, since, unsaved)


def count_jobs(project: Project) -> int:
    """Return how many processes are worth it: one starts in the time that a megabyte takes to read."""
    sizes = (os.path.getsize(path) for path in (*project.reported, *project.others) if os.path.isfile(path))
    megabytes = sum(sizes) >> 20
    if megabytes < 2:
        return 1
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, megabytes)


def _check_project(
    options: CheckOptions, project: Project, baseline: Counter[Fingerprint] | None, waiting: Waiting
) -> ProjectResult:
    config = project.config
    base = read_base(project, options.since, options.unsaved)
    request = RunRequest(
        reported=project.reported,
        others=project.others,
        selection=select(config, options.presets, options.select, options.ignore),
        taxonomy=load(options.taxonomy or config.taxonomy),
        slugs=config.slugs,
        fix=options.fix,
        unsafe_fixes=options.unsafe_fixes,
        show_info=options.show_info,
        unsaved=options.unsaved,
        base=base,
        fingerprints=options.fingerprints,
    )
    files = len(project.reported) + len(project.others)
    with waiting(f"reading {files} files ..." if files >= _MANY_FILES else ""):
        result = run(request, options.jobs or count_jobs(project), baseline)
    if base is not None:
        changes = _policy_changes(options, project, base, result.files)
        result = result._replace(policy_changes=tuple(changes))
    return ProjectResult(project, save(request, result) if options.write else result)


def _policy_changes(
    options: CheckOptions, project: Project, base: BaseRevision, results: Sequence[FileResult]
) -> Iterator[str]:
    """Yield what a change did to the configuration, rules, suppressions and baseline that it is judged by."""
    from shelfread.engine.policy_changes import find_policy_changes, new_suppressions, policy_files

    root = git.need_root(os.path.dirname(next(iter((*project.reported, *project.others, "")))))
    yield from find_policy_changes(
        root,
        base.name,
        (base.commit, None),
        policy_files(project.config),
        options.baseline,
        project.skipped,
        bool(options.config_from),
    )
    for result in results:
        if result.path in base.changed:
            yield from new_suppressions(result.source, base.changed_lines(result.source), base.name)


def _read_baseline(path: str | None) -> Counter[Fingerprint] | None:
    if path is None:
        return None
    from shelfread.engine.baseline import load as load_baseline

    return load_baseline(path)
