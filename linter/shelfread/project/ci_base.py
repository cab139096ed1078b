"""Where a change begins: the commit that a pull request or a push starts from, as the CI tells."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from shelfread.core.errors import InputError
from shelfread.core.git import is_shallow, merge_base, resolve

_EVENT_BYTES = 32 << 20
_ASKED = "PRE_COMMIT_FROM_REF"
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
    """The commit at which HEAD left its base branch; raises InputError with what to do.

    What a CI's variables name must be there: to take another would hide findings or invent them.
    """
    if asked := environ.get(_ASKED):
        return merge_base(root, asked, "HEAD")
    if re.fullmatch(r"refs/pull/\d+/merge", environ.get("GITHUB_REF", "")) and _is(root, "HEAD^2"):
        return resolve(root, "HEAD^1")  # GitHub checks out the merge into the base's newest commit
    for name in _named(environ):
        if name == _replaced(environ) and not _is(root, name) and not is_shallow(root):
            raise InputError(
                f"this push replaced {name[:7]}, which is not here any more: name a REV instead of 'auto'",
                root,
            )
        return merge_base(root, name, "HEAD")
    for name in _DEFAULTS:
        if _is(root, name):
            return merge_base(root, name, "HEAD")
    resolve(root, "HEAD")
    raise InputError("no base branch is known: name a REV instead of 'auto'", root)


def _named(environ: Mapping[str, str]) -> Iterator[str]:
    """The revisions that the CI's variables name, the surest first."""
    named = [*_of_event(environ.get("GITHUB_EVENT_PATH", "")), *(environ.get(key, "") for key in _COMMITS)]
    # Forty zeros stand for nothing: the push made the branch.
    yield from (name for name in named if name.strip("0"))
    for key in _BRANCHES:
        if name := environ.get(key, "").removeprefix("refs/heads/"):
            yield f"origin/{name}"


def _replaced(environ: Mapping[str, str]) -> str:
    """The commit that a forced push has put another history in the place of."""
    event = _event(environ.get("GITHUB_EVENT_PATH", ""))
    return str(event.get("before")) if isinstance(event, dict) and event.get("forced") is True else ""


def _event(path: str) -> Any:
    """A GitHub event; None where there is none."""
    try:
        with open(path, "rb") as stream:
            return json.loads(stream.read(_EVENT_BYTES))
    except (OSError, ValueError, RecursionError):
        return None


def _of_event(path: str) -> Iterator[str]:
    """The base's hash in the JSON of a GitHub event: a pull request, a merge queue's, a push."""
    event = _event(path)
    for keys in (("pull_request", "base", "sha"), ("merge_group", "base_sha"), ("before",)):
        found = event
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, str) and re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", found):
            yield found


def _is(root: str, rev: str) -> bool:
    try:
        return bool(resolve(root, rev))
    except InputError:
        return False
