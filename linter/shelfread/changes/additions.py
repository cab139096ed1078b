"""Find the commit in which each entry of a list was added: the oldest that adds lines with its identity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import dedent

from shelfread.changes.commits import Commit, Hunk
from shelfread.changes.entries import list_entries
from shelfread.changes.match import pair_entries
from shelfread.changes.model import ListedEntry
from shelfread.changes.signs import Signs
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.document.model import Document
from shelfread.document.read import read
from shelfread.taxonomy.vocabulary import Vocabulary


class Addition(NamedTuple):
    """An entry of today and the commit that added it, with the line that it had then."""

    entry: ListedEntry
    commit: Commit
    """Without its hunks."""
    line: str


def find_additions(
    entries: Iterable[ListedEntry], commits: Iterable[Commit], vocabulary: Vocabulary
) -> tuple[list[Addition], list[ListedEntry]]:
    """Return the additions of entries in order, and the entries that no commit has.

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
    oldest: dict[int, tuple[Commit, str]] = {}
    for commit in commits:
        light = commit._replace(hunks=[])
        for number, line in _read_commit(commit, signs, vocabulary).items():
            oldest[number] = light, line
    additions = [Addition(known[number], *oldest[number]) for number in sorted(oldest)]
    return additions, [entry for number, entry in enumerate(known) if number not in oldest]


def _read_commit(commit: Commit, signs: Signs, vocabulary: Vocabulary) -> dict[int, str]:
    """Return the entries whose signs are in the lines that a commit added, with their lines."""
    hunks = _without_moved(commit.hunks)
    found: dict[int, str] = {}
    places: dict[int, list[int]] = {}
    before: set[int] = set()
    for index, hunk in enumerate(hunks):
        before.update(signs.find(hunk.removed))
        for number, line in signs.find(hunk.added).items():
            found.setdefault(number, hunk.added[line])
            places.setdefault(index, []).append(number)
    for index, numbers in places.items():
        hunk = hunks[index]
        if hunk.removed and not before.issuperset(numbers):
            _add_older_signs(hunk, before, signs, vocabulary)
    return found


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
