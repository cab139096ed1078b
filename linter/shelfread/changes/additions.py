"""Find the commit in which each entry of a list was added: the oldest that adds lines with its identity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from shelfread.changes.listed import ListedEntry, list_entries
from shelfread.changes.matching import pair_entries
from shelfread.changes.signs import Signs
from shelfread.core import git
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.file_kind import SUFFIXES
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.vocabulary import Vocabulary

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


class Addition(NamedTuple):
    """An entry of today and the commit that added it, with the line that it had then."""

    entry: ListedEntry
    commit: Commit  # without its hunks
    line: str


class History(NamedTuple):
    """What some commits tell of entries."""

    additions: list[Addition]  # in the order of the entries
    missing: list[ListedEntry]  # the entries that no commit has
    newest: Commit | None
    oldest: Commit | None  # the first and the last commit, without hunks; None if there is none


def find_additions(
    entries: Iterable[ListedEntry], commits: Iterable[Commit], vocabulary: Vocabulary
) -> History:
    """Return which commit added each entry.

    Commits are given newest first. An entry that is listed twice is added once. An entry that a commit reworded, so that
    the lines before it have no sign of it, is paired with the one that it replaced as `shelfread diff` pairs them, and
    is looked for in older commits by the signs of both.
    """
    signs = Signs()
    known: list[ListedEntry] = []
    for entry in entries:
        if signs.find_known(entry) is None:
            signs.add(len(known), entry)
            known.append(entry)
    first_of: dict[int, tuple[Commit, str]] = {}
    newest: Commit | None = None
    oldest: Commit | None = None
    for commit in commits:
        oldest = commit._replace(hunks=[])
        newest = newest or oldest
        for number, line in _read_commit(commit, signs, vocabulary).items():
            first_of[number] = oldest, line
    additions = [Addition(known[number], *first_of[number]) for number in sorted(first_of)]
    missing = [entry for number, entry in enumerate(known) if number not in first_of]
    return History(additions, missing, newest, oldest)


def _read_commit(commit: Commit, signs: Signs, vocabulary: Vocabulary) -> dict[int, str]:
    """Return the entries whose signs are in the lines that a commit added, with their lines."""
    hunks = _without_moved(commit.hunks)
    lines: dict[int, str] = {}
    places: dict[int, list[int]] = {}
    before: set[int] = set()
    for index, hunk in enumerate(hunks):
        before.update(signs.find(hunk.removed))
        for number, line in signs.find(hunk.added).items():
            lines.setdefault(number, hunk.added[line])
            places.setdefault(index, []).append(number)
    for index, numbers in places.items():
        hunk = hunks[index]
        if hunk.removed and not before.issuperset(numbers):
            _add_older_signs(hunk, before, signs, vocabulary)
    return lines


def _without_moved(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Return hunks without the lines that the commit removed at one place and added at another."""
    removed = Counter(line.strip() for hunk in hunks for line in hunk.removed)
    added = Counter(line.strip() for hunk in hunks for line in hunk.added)
    moved = removed.keys() & added.keys()
    if not moved:
        return list(hunks)
    return [Hunk(*([line for line in side if line.strip() not in moved] for side in hunk)) for hunk in hunks]


def _add_older_signs(hunk: Hunk, before: set[int], signs: Signs, vocabulary: Vocabulary) -> None:
    """Add the signs of the entries that new ones replaced at the same place."""
    old, new = (list_entries([_document(lines, vocabulary)]) for lines in hunk)
    if not old:
        return
    for pair in pair_entries(old, new):
        number = signs.find_known(pair.after)
        if number is not None and number not in before and signs.find_known(pair.before) is None:
            signs.add(number, pair.before)


def _document(lines: Sequence[str], vocabulary: Vocabulary) -> Document:
    text = dedent("\n".join(lines))
    return read(Source(f"# List\n\n{text}\n", "list.md"), vocabulary)
