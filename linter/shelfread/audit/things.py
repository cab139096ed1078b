"""What is listed in several lists: entries with a common identity key are one thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from itertools import combinations

from shelfread.audit.rows import EntryRow
from shelfread.core.support.named_tuple import NamedTuple

_MANY = 50
"""What is in more lists says little about any two of them, and has too many pairs."""


class Shared(NamedTuple):
    """A thing and the lists that it is in, by their numbers."""

    title: str
    url: str | None
    lists: Sequence[int]


class Things:
    """The entries of all lists. Of a key only a hash of 8 bytes is kept, so a million entries take some 200 MB."""

    def __init__(self) -> None:
        self._parents: dict[int, int] = {}
        self._lists: dict[int, list[int]] = {}
        self._shown: dict[int, tuple[str, str | None]] = {}
        self._published: dict[int, tuple[str, int]] = {}

    def add(self, entry: EntryRow, number: int) -> None:
        """Add an entry of a list; the lists come one after the other."""
        if not entry.keys:
            return
        root = self._unite([_hash(key) for key in entry.keys])
        lists = self._lists.setdefault(root, [])
        if number not in lists[-1:]:
            lists.append(number)
        if len(lists) > 1 and root not in self._shown:
            self._shown[root] = entry.title, _url(entry)
        if entry.kind == "paper" and entry.venue is not None and entry.year is not None:
            self._published.setdefault(root, (entry.venue, entry.year))

    def published(self) -> Counter[tuple[str, int]]:
        """Return how many papers were published where and when; each counts once, in however many lists it is."""
        return Counter(self._published.values())

    def __len__(self) -> int:
        return len(self._lists)

    def shared(self) -> list[Shared]:
        """Return what is in several lists, the most frequent first."""
        found = [Shared(*self._shown[root], lists) for root, lists in self._lists.items() if len(lists) > 1]
        return sorted(found, key=lambda each: (-len(each.lists), each.title, each.lists))

    def _unite(self, keys: Sequence[int]) -> int:
        """Return the root of the tree that holds some keys, made one of the trees that hold any of them."""
        roots = sorted({self._root(key) for key in keys})
        first, *others = roots
        for root in others:
            self._parents[root] = first
            lists = {*self._lists.pop(root, ()), *self._lists.get(first, ())}
            if lists:
                self._lists[first] = sorted(lists)
            for table in (self._shown, self._published):
                if root in table:
                    table.setdefault(first, table.pop(root))  # type: ignore[arg-type]
        return first

    def _root(self, key: int) -> int:
        parent = self._parents.setdefault(key, key)
        while parent != (above := self._parents[parent]):
            self._parents[key] = above
            key, parent = parent, above
        return parent


def pairs(shared: Sequence[Shared]) -> Iterator[tuple[int, int, int]]:
    """Yield two lists and how many things they share, the pairs with most first."""
    counts: Counter[tuple[int, int]] = Counter()
    for each in shared:
        if len(each.lists) <= _MANY:
            counts.update(combinations(each.lists, 2))
    for (first, second), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield first, second, count


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big")


def _url(entry: EntryRow) -> str | None:
    """Return the address of an entry, as far as its keys name one."""
    for key in entry.keys:
        kind, _, value = key.partition(":")
        if kind == "doi":
            return f"https://doi.org/{value}"
        if kind == "arxiv":
            return f"https://arxiv.org/abs/{value}"
        if kind == "url":
            return f"https://{value.partition(' ')[0]}"
    return None
