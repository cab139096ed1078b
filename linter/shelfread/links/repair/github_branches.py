"""URLs of files on a branch of a repository at GitHub."""

from __future__ import annotations

from urllib.parse import quote

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.links.registries.github import repository_of

_ON_BRANCH = lazy(
    r"(?i)https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+/(?P<kind>blob|tree|raw)/(?P<branch>master|main)(?P<rest>/[^?#]*)?"
)
_BRANCH = lazy(r"(?!.*\.\.)[A-Za-z0-9_][\w./+@-]{0,199}(?<![./])")


class BranchPath(NamedTuple):
    """A file or folder on `master` or `main`, which may have been the default branch."""

    repository: str
    """`owner/name`, as written."""
    kind: str
    """blob, tree or raw."""
    branch: str
    path: str
    """The path with its first slash, percent-encoded."""


def on_branch(url: str) -> BranchPath | None:
    """Return the file or folder that a URL names; None if it is not on `master` or `main`."""
    match, repository = _ON_BRANCH.fullmatch(url), repository_of(url)
    if match is None or repository is None:
        return None
    return BranchPath(repository, match["kind"].lower(), match["branch"], match["rest"] or "")


def path_on_branch(branch_path: BranchPath, repository: str, branch: str) -> str | None:
    """Return the path on GitHub on another branch; None if the branch is the same, or its name is not valid."""
    if not _BRANCH.fullmatch(branch) or branch == branch_path.branch:
        return None
    return f"/{repository}/{branch_path.kind}/{quote(branch, safe='/')}{branch_path.path}"
