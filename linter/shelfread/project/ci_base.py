"""Find the commit that a pull request or a push starts from, by the variables of the CI."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.errors import InputError
from shelfread.core.git import EMPTY_TREES, is_shallow, merge_base, resolve

_EVENT_BYTES = 32 << 20
_PRE_COMMIT = "PRE_COMMIT_FROM_REF"
_COMMITS = (
    "CI_MERGE_REQUEST_DIFF_BASE_SHA",  # GitLab
    "BITBUCKET_PR_DESTINATION_COMMIT",
    "CI_COMMIT_BEFORE_SHA",  # GitLab, a push
)
_BRANCHES = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "CHANGE_TARGET",  # Jenkins
    "SYSTEM_PULLREQUEST_TARGETBRANCH",  # Azure
)
_DEFAULTS = ("origin/HEAD", "origin/main", "origin/master", "@{upstream}", "main", "master")


def find_base_commit(root: str, environ: Mapping[str, str]) -> str:
    """Return the commit at which HEAD left its base branch; raises InputError if none is found.

    A commit that a CI's variables name must exist: another one would hide diagnostics or invent them.
    """
    if rev := environ.get(_PRE_COMMIT):
        return merge_base(root, rev, "HEAD")
    if re.fullmatch(r"refs/pull/\d+/merge", environ.get("GITHUB_REF", "")) and _exists(root, "HEAD^2"):
        return resolve(root, "HEAD^1")  # GitHub checks out a merge into the newest commit of the base
    for name in _revisions(environ):
        if name == _replaced_commit(environ) and not _exists(root, name) and not is_shallow(root):
            raise InputError(
                f"this push replaced {name[:7]}, which no longer exists: name a revision instead of 'auto'",
                root,
            )
        return merge_base(root, name, "HEAD")
    for name in _DEFAULTS:
        if _exists(root, name):
            return merge_base(root, name, "HEAD")
    head = resolve(root, "HEAD")
    if head in EMPTY_TREES:
        return head
    raise InputError("no base branch found: name a revision instead of 'auto'", root)


def _revisions(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the revisions that the CI's variables name, the most reliable first."""
    named = [*_event_commits(environ), *(environ.get(key, "") for key in _COMMITS)]
    # Forty zeros: the push created the branch.
    yield from (name for name in named if name.strip("0"))
    for key in _BRANCHES:
        if name := environ.get(key, "").removeprefix("refs/heads/"):
            yield f"origin/{name}"


def _replaced_commit(environ: Mapping[str, str]) -> str:
    """Return the commit before a forced push."""
    event = _read_event(environ)
    return str(event.get("before")) if isinstance(event, dict) and event.get("forced") is True else ""


def _read_event(environ: Mapping[str, str]) -> Any:
    """Return a GitHub event; None if there is none."""
    try:
        with open(environ.get("GITHUB_EVENT_PATH", ""), "rb") as stream:
            return json.loads(stream.read(_EVENT_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def _event_commits(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the base commit in a GitHub event: of a pull request, of a merge queue, of a push."""
    event = _read_event(environ)
    for keys in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        found = event
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str) and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", found):
            yield found


def _exists(root: str, rev: str) -> bool:
    try:
        return bool(resolve(root, rev))
    except InputError:
        return False
