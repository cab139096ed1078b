"""Other addresses under which a thing may be found, by what its host is known to have changed."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote

from shelfread.core.support.regex import lazy
from shelfread.linkcheck.registries.github import repository_of

_ON_BRANCH = lazy(
    r"https?://(?:www\.)?github\.com/[^/?#]+/[^/?#]+/(?P<kind>blob|tree|raw)/(?P<branch>master|main)(?P<rest>/[^?#]*)?",
    re.IGNORECASE,
)
_BRANCH = lazy(r"(?!.*\.\.)[A-Za-z0-9_][\w./+@-]{0,199}(?<![./])")


class OnBranch(NamedTuple):
    """A file or folder of a repository, on a branch that was the default at some time."""

    repository: str
    """`owner/name`, as written."""
    kind: str
    """blob, tree or raw."""
    branch: str
    rest: str
    """The path with its first slash, still encoded."""


def on_branch(url: str) -> OnBranch | None:
    """What an address names on `master` or `main`."""
    match, repository = _ON_BRANCH.fullmatch(url), repository_of(url)
    if match is None or repository is None:
        return None
    return OnBranch(repository, match["kind"].lower(), match["branch"], match["rest"] or "")


def at_branch(place: OnBranch, repository: str, branch: str) -> str | None:
    """The path on GitHub of the same thing on another branch; None for one that is no branch's name."""
    if not _BRANCH.fullmatch(branch) or branch == place.branch:
        return None
    return f"/{repository}/{place.kind}/{quote(branch, safe='/')}{place.rest}"
