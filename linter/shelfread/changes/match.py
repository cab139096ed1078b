"""Which entry after is which before: the surest signs first, each in one pass over what is left."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Sequence

from shelfread.changes.fuzzy_match import pair_similar
from shelfread.changes.model import ListedEntry, Pair
from shelfread.document.identity.keys import title_key

_Signs = Callable[[ListedEntry], Iterable[Hashable]]


def pair_entries(before: Sequence[ListedEntry], after: Sequence[ListedEntry]) -> list[Pair]:
    """The entries that both sides have; of several listings of one thing the most alike are one."""
    pairs: list[Pair] = []
    for signs in _PASSES:
        found = _join(before, after, signs)
        before, after = unpaired(before, after, found)
        pairs += found
    return pairs + pair_similar(before, after, pairs)


def unpaired(
    before: Iterable[ListedEntry], after: Iterable[ListedEntry], pairs: Iterable[Pair]
) -> tuple[list[ListedEntry], list[ListedEntry]]:
    """The entries of both sides that are in no pair."""
    taken = {one for pair in pairs for one in pair}
    return [one for one in before if one not in taken], [one for one in after if one not in taken]


def _join(before: Iterable[ListedEntry], after: Iterable[ListedEntry], signs: _Signs) -> list[Pair]:
    """Pairs that have a sign in common, in the order in which they are listed."""
    waiting: dict[Hashable, deque[ListedEntry]] = {}
    for one in before:
        for sign in signs(one):
            waiting.setdefault(sign, deque()).append(one)
    taken: set[ListedEntry] = set()
    pairs = []
    for one in after if waiting else ():
        for sign in signs(one):
            queue = waiting.get(sign, ())
            while queue and queue[0] in taken:
                queue.popleft()
            if queue:
                taken.add(queue[0])
                pairs.append(Pair(queue.popleft(), one))
                break
    return pairs


def _ids(one: ListedEntry) -> list[str]:
    """Identifiers and addresses, not titles."""
    return [key for key in one.keys if not key.startswith("title:")]


def _long_title(one: ListedEntry) -> list[str]:
    key = title_key(one.title)
    return [key] if key else []


_PASSES: tuple[_Signs, ...] = (
    lambda one: [(one.section, one.text, one.previous_text)],
    lambda one: [(one.section, one.text)],
    lambda one: [(one.section.path, one.text)],
    lambda one: [(one.section.titles, one.text)],
    lambda one: [one.text],
    lambda one: [(key, one.section, one.title) for key in _ids(one)],
    lambda one: [(key, one.section) for key in _ids(one)],
    lambda one: [(key, one.title) for key in _ids(one)],
    _ids,
    lambda one: [(one.title, one.section)] if one.title else [],
    lambda one: [(key, one.section.path) for key in _long_title(one)],
    _long_title,
)
"""From all that stands there, in the same section behind the same, to the same long title anywhere."""
