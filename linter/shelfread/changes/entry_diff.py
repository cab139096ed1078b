"""The command `diff`: find the revisions and the projects, compare, review."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from shelfread.changes.review import Review, review
from shelfread.changes.revisions import Revision, Texts, find_revisions, read_texts
from shelfread.core.errors import InputError
from shelfread.core.git import need_root
from shelfread.engine.check import Waiting, configurations
from shelfread.engine.model import CheckOptions, RunRequest, request_of
from shelfread.engine.policy_changes import changes_between, find_policy_changes, policy_files
from shelfread.project.config import ConfigTree
from shelfread.project.files import Project, SkippedFile, group_files, relative_path
from shelfread.project.history import project_at
from shelfread.rulebook.selection import select


class DiffOptions(NamedTuple):
    """Which revisions are compared, and by which rules."""

    base: str
    head: str | None
    paths: Sequence[str]
    taxonomy: str | None = None
    config: str | None = None
    config_from: str | None = None
    isolated: bool = False


class DiffResult(NamedTuple):
    """The review of a change, and the changed files that are skipped."""

    review: Review
    skipped: Sequence[SkippedFile]


def diff(options: DiffOptions, waiting: Waiting) -> DiffResult:
    """Compare two revisions; raises InputError for a path that neither has."""
    with configurations(options.config_from) as tree:
        return _diff(options, tree, waiting)


def _diff(options: DiffOptions, tree: ConfigTree | None, waiting: Waiting) -> DiffResult:
    paths = options.paths or (".",)
    root = _root(paths)
    named = [relative_path(os.path.abspath(path)) for path in paths]
    base, head = find_revisions(root, options.base, options.head)
    texts = read_texts(root, base, head)
    known = {*texts.before, *texts.after, *texts.same, *(error.path or "" for error in texts.errors)}
    for path, name in zip(paths, named, strict=True):
        if not any(_is_within(file, name) for file in known):
            raise InputError(f"no list, neither now nor at {base.name}", path)

    def wanted(name: str) -> bool:
        return any(_is_within(name, path) for path in named)

    config = Path(options.config) if options.config else None
    projects = group_files(sorted(known), config, options.isolated, tree, named)
    requests = [_request(project, options, root, base, {**texts.after, **texts.same}) for project in projects]
    with waiting(sum(len(request.reported) for request in requests)) as count:
        reviewed = review(base, head, texts, requests, wanted, count)
    changes = _policy_changes(root, reviewed, texts, projects, wanted, tree is not None)
    files = (file for project in projects for file in project.skipped)
    skipped = [file for file in files if file.path not in texts.same and wanted(file.path)]
    return DiffResult(reviewed._replace(policy_changes=tuple(changes)), skipped)


def _request(
    project: Project, options: DiffOptions, root: str, base: Revision, texts: Mapping[str, bytes]
) -> RunRequest:
    files = project._replace(reported=tuple(path for path in project.reported if path in texts))
    earlier = project_at(files, root, base.name, base.commit or "", texts)
    return request_of(project, select(project.config), CheckOptions(taxonomy=options.taxonomy), earlier)


def _root(paths: Sequence[str]) -> str:
    folder = paths[0]
    root = need_root(folder if os.path.isdir(folder) else os.path.dirname(folder) or ".")
    for path in paths:
        if not Path(os.path.realpath(relative_path(os.path.abspath(path)))).is_relative_to(root):
            raise InputError("not in the same repository as the other paths", path)
    return root


def _policy_changes(
    root: str,
    reviewed: Review,
    texts: Texts,
    projects: Sequence[Project],
    wanted: Callable[[str], bool],
    config_from: bool,
) -> Sequence[str]:
    base = reviewed.base
    lines = find_policy_changes(
        root,
        since=base.name,
        commits=(base.commit or "", reviewed.head.commit),
        config_files=(file for project in projects for file in policy_files(project.config)),
        baseline=None,
        config_from=config_from,
    )
    comments = (
        line
        for name, data in texts.after.items()
        if wanted(name) and name in reviewed.files
        for line in changes_between(texts.before.get(name, b""), data, name, base.name)
    )
    return (*lines, *comments)


def _is_within(name: str, path: str) -> bool:
    """Return whether a file is the one that PATH names, or below it; both are named from the working directory."""
    file, folder = os.path.abspath(name), os.path.abspath(path)
    return file == folder or file.startswith(os.path.join(folder, ""))
