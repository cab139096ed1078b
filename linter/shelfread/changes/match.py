"""Find out which entry after a change is which before: the most reliable signs first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence

from shelfread.changes.fuzzy_match import pair_similar
from shelfread.changes.model import ListedEntry, Pair
from shelfread.document.identity import title_key

_Signs = Callable[[ListedEntry], Iterable[Hashable]]


def pair_entries(before: Sequence[ListedEntry], after: Sequence[ListedEntry]) -> list[Pair]:
    """Return the entries that both sides have; of several listings of a thing the most similar are paired."""
    pairs: list[Pair] = []
    for signs in _PASSES:
        found = _join(before, after, signs)
        before, after = unpaired(before, after, found)
        pairs += found
    return pairs + pair_similar(before, after, pairs)


def unpaired(
    before: Iterable[ListedEntry], after: Iterable[ListedEntry], pairs: Iterable[Pair]
) -> tuple[list[ListedEntry], list[ListedEntry]]:
    """Return the entries of both sides that are in no pair."""
    paired = {entry for pair in pairs for entry in pair}
    old, new = ([entry for entry in side if entry not in paired] for side in (before, after))
    return old, new


def _join(before: Iterable[ListedEntry], after: Iterable[ListedEntry], signs: _Signs) -> list[Pair]:
    """Return pairs with a common sign, in the order in which they are listed."""
    waiting: dict[Hashable, deque[ListedEntry]] = {}
    for entry in before:
        for sign in signs(entry):
            waiting.setdefault(sign, deque()).append(entry)
    taken: set[ListedEntry] = set()
    pairs = []
    for entry in after if waiting else ():
        for sign in signs(entry):
            queue = waiting.get(sign, ())
            while queue and queue[0] in taken:
                queue.popleft()
            if queue:
                taken.add(queue[0])
                pairs.append(Pair(queue.popleft(), entry))
                break
    return pairs


def _ids(entry: ListedEntry) -> list[str]:
    """Return identifiers and URLs, not titles."""
    return [key for key in entry.keys if not key.startswith("title:")]


def _long_title(entry: ListedEntry) -> list[str]:
    return [key] if (key := title_key(entry.title)) else []


# From the same text, section and previous entry to the same long title anywhere.
_PASSES: tuple[_Signs, ...] = (
    lambda entry: [(entry.section, entry.text, entry.previous_text)],
    lambda entry: [(entry.section, entry.text)],
    lambda entry: [(entry.section.path, entry.text)],
    lambda entry: [(entry.section.titles, entry.text)],
    lambda entry: [entry.text],
    lambda entry: [(key, entry.section, entry.title) for key in _ids(entry)],
    lambda entry: [(key, entry.section) for key in _ids(entry)],
    lambda entry: [(key, entry.title) for key in _ids(entry)],
    _ids,
    lambda entry: [(entry.title, entry.section)] if entry.title else [],
    lambda entry: [(key, entry.section.path) for key in _long_title(entry)],
    _long_title,
)
