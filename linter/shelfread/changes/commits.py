"""The commits that changed lists, newest first, each with the lines that it removed and added."""

from __future__ import annotations

from collections.abc import Iterator

from shelfread.core import git
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.project.files import SUFFIXES

_START = b"\x01"
_HUNK = lazy(rb"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_LOG = (
    *("log", "--first-parent", "-m", "--patch", "--unified=0", "--inter-hunk-context=0", "--find-renames"),
    *("--no-color", "--no-ext-diff", "--no-textconv", f"--format=%x{_START.hex()}%H %ct %aN", "HEAD", "--"),
)


class Hunk(NamedTuple):
    """Lines at one place of a file before and after a commit, without line ends."""

    removed: list[str]
    added: list[str]


class Commit(NamedTuple):
    """A commit, or a merge with all that it brought; `seconds` is when it was made, since 1970 in UTC."""

    oid: str
    seconds: int
    author: str
    hunks: list[Hunk]


def walk_commits(root: str) -> Iterator[Commit]:
    """Yield the commits of HEAD's first parents that changed Markdown files, newest first.

    Git reads each version of a file once and gives only the lines that differ. A file that was renamed differs in the
    lines that were changed too. Raises InputError if git fails.
    """
    lines = git.stream(root, *_LOG, *(f":(icase)*{suffix}" for suffix in SUFFIXES))
    commit: Commit | None = None
    for line in lines:
        if line.startswith(_START):
            if commit is not None:
                yield commit
            oid, seconds, author = line[len(_START) :].decode("utf-8", "replace").rstrip("\n").split(" ", 2)
            commit = Commit(oid, int(seconds), author, [])
        elif commit is not None and (match := _HUNK.match(line)):
            removed, added = (1 if count is None else int(count) for count in match.groups())
            hunk = Hunk(_take(lines, removed), _take(lines, added))
            commit.hunks.append(hunk)
    if commit is not None:
        yield commit


def _take(lines: Iterator[bytes], count: int) -> list[str]:
    """Return the next lines of a hunk without their sign; git says of a last line when it has no line end."""
    taken: list[str] = []
    while len(taken) < count:
        line = next(lines, None)
        if line is None:
            break
        if not line.startswith(b"\\"):
            taken.append(line[1:].decode("utf-8", "replace").rstrip("\r\n"))
    return taken
