"""The commands `check` and `fix`: find the projects, run the rules over each, write the fixes."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core import git
from shelfread.core.errors import UserError
from shelfread.core.source import Source
from shelfread.engine.model import CheckOptions, FileResult, RunResult, request_of
from shelfread.project.config import ConfigTree, check_out_config
from shelfread.project.files import Project, find_inputs

if TYPE_CHECKING:
    from shelfread.engine.fingerprint import Fingerprint
    from shelfread.project.history import BaseRevision


class ProjectResult(NamedTuple):
    project: Project
    run: RunResult


# Returns a context that shows how many of so many files are read; it gives what takes how many more are.
Waiting = Callable[[int], AbstractContextManager[Callable[[int], None]]]


def check(
    options: CheckOptions, unsaved: Mapping[str, bytes], waiting: Waiting
) -> tuple[list[ProjectResult], list[UserError]]:
    """Return the result of each project, and an error for each PATH that cannot be found; `unsaved` is standard input by path."""
    with configurations(options.config_from) as tree:
        projects, errors = find_inputs(options.paths, options.config, options.isolated, unsaved, tree)
        baseline = None
        if options.baseline is not None:
            from shelfread.engine.fingerprint import load as load_baseline

            baseline = load_baseline(options.baseline)
        results = [_check_project(options, project, unsaved, baseline, waiting) for project in projects]
        return results, errors


def merge_results(runs: Iterable[RunResult], errors: Sequence[UserError], baseline: str = "") -> RunResult:
    """Return the results of several projects as one; `errors` are those of PATH."""
    runs = list(runs)
    return RunResult(
        files=tuple(file for run in runs for file in run.files),
        errors=(*errors, *(error for run in runs for error in run.errors)),
        notes=tuple(note for run in runs for note in run.notes),
        since=next((run.since for run in runs if run.since), ""),
        baseline=baseline,
        remarks=tuple(remark for run in runs for remark in run.remarks),
        policy_changes=tuple(dict.fromkeys(change for run in runs for change in run.policy_changes)),
    )


def read_base(project: Project, since: str | None, unsaved: Mapping[str, bytes]) -> BaseRevision | None:
    """Return the project at the commit of `--since`; None without one, or if the project has no files."""
    if not since or not (project.reported or project.others or project.skipped):
        return None
    from shelfread.project.history import read_base_revision

    return read_base_revision(project, since, unsaved)


def count_jobs(project: Project) -> int:
    """Return how many processes to use, one for each megabyte: starting one takes as long as linting that."""
    sizes = (os.path.getsize(path) for path in (*project.reported, *project.others) if os.path.isfile(path))
    megabytes = sum(sizes) >> 20
    return max(min(count_cores(), megabytes), 1)


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check_project(
    options: CheckOptions,
    project: Project,
    unsaved: Mapping[str, bytes],
    baseline: Counter[Fingerprint] | None,
    waiting: Waiting,
) -> ProjectResult:
    key = None
    if not (options.no_cache or options.since or options.baseline or options.config_from or unsaved):
        from shelfread.engine.results import find_key, keep, recall

        key = find_key(options, project)
    result = None if key is None else recall(key, project)
    if result is None:
        from shelfread.engine.run import run
        from shelfread.rulebook.selection import select

        texts = unsaved if key is None else key.texts
        base = read_base(project, options.since, texts)
        selection = select(project.config, options.presets, options.select, options.ignore)
        request = request_of(project, selection, options, base)._replace(unsaved=texts)
        with waiting(len(project.reported) + len(project.others)) as count:
            result = run(request, options.jobs or count_jobs(project), baseline, count)
        if base is not None:
            changes = _policy_changes(options, project, base, result.files)
            result = result._replace(policy_changes=tuple(changes))
        if key is not None:
            keep(key, options, project, result)
    if options.writes:
        from shelfread.engine.load_save import save

        result = save(result, unsaved)
    return ProjectResult(project, result)


def _policy_changes(
    options: CheckOptions, project: Project, base: BaseRevision, results: Sequence[FileResult]
) -> Iterator[str]:
    from shelfread.engine.policy_changes import find_policy_changes, lost_list, new_suppressions, policy_files

    root = git.need_root(os.path.dirname(next(iter((*project.reported, *project.others, "")))))
    yield from find_policy_changes(
        root,
        since=base.name,
        commits=(base.commit, None),
        config_files=policy_files(project.config),
        baseline=options.baseline,
        config_from=bool(options.config_from),
    )
    for result in results:
        if result.path in base.changed:
            if (before := base.changed[result.path]) is not None:
                yield from lost_list(Source(before.text, before.path), result.source, base.name)
            yield from new_suppressions(result.source, base.changed_lines(result.source), base.name)


@contextmanager
def configurations(rev: str | None) -> Iterator[ConfigTree | None]:
    """Give the configurations of a commit, or None for those of the work tree; `auto` is the base of the branch."""
    if rev is None:
        yield None
        return
    from shelfread.project.history import find_base_commit

    root = git.need_root(".")
    with check_out_config(root, find_base_commit(root, os.environ) if rev == "auto" else rev) as tree:
        yield tree
