"""What all lists add up to: which rules speak how often, which lists need care, what is in several lists, papers by
venue and year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from itertools import combinations
from typing import NamedTuple

from shelfread.audit.audit_rows import EntryRow, LinkRow, ListRow, Row

_PAIRS = 30  # so many pairs of lists are on the page
_MANY = 50  # what is in more lists says little about any two of them, and has too many pairs


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
        things = [Shared(*self._shown[root], lists) for root, lists in self._lists.items() if len(lists) > 1]
        return sorted(things, key=lambda thing: (-len(thing.lists), thing.title, thing.lists))

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


def most_shared(shared: Sequence[Shared]) -> list[tuple[int, int, int]]:
    """Return the pairs of lists that share most, and how many things they share."""
    counts: Counter[tuple[int, int]] = Counter()
    for thing in shared:
        if len(thing.lists) <= _MANY:
            counts.update(combinations(thing.lists, 2))
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(first, second, count) for (first, second), count in ordered[:_PAIRS]]


def _hash(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "big")


def _url(entry: EntryRow) -> str | None:
    for key in entry.keys:
        kind, _, value = key.partition(":")
        if kind == "doi":
            return f"https://doi.org/{value}"
        if kind == "arxiv":
            return f"https://arxiv.org/abs/{value}"
        if kind == "url":
            return f"https://{value.partition(' ')[0]}"
    return None


class RuleCount(NamedTuple):
    """How often a rule speaks, infos left out."""

    id: str
    errors: int
    warnings: int
    fixes: int
    lists: int


class ListCount(NamedTuple):
    """A list, and how often each rule speaks in it, infos left out."""

    row: ListRow
    rules: Counter[str]
    verdicts: Counter[str]  # how many of its links have each verdict, as far as `shelfread links` knows them


class Summary(NamedTuple):
    """What an audit found."""

    lists: Sequence[ListCount]
    rules: Sequence[RuleCount]
    shared: Sequence[Shared]
    pairs: Sequence[tuple[int, int, int]]  # two lists, by their numbers, and how many things they share
    published: Counter[tuple[str, int]]
    things: int  # how many different things are listed

    @property
    def failed(self) -> int:
        """How many lists have an error."""
        return sum(one.row.error is not None for one in self.lists)

    def total(self, column: str) -> int:
        """Return the sum of a column of the lists."""
        return sum(getattr(one.row, column) for one in self.lists)


class RowTally:
    """Counts rows as they come: those of one list after the other, its own row first."""

    def __init__(self) -> None:
        self._lists: list[ListCount] = []
        self._severities: Counter[tuple[str, str]] = Counter()
        self._fixes: Counter[str] = Counter()
        self._things = Things()

    def add(self, row: Row) -> None:
        """Count one more row."""
        if isinstance(row, ListRow):
            self._lists.append(ListCount(row, Counter(), Counter()))
        elif isinstance(row, EntryRow):
            self._things.add(row, len(self._lists) - 1)
        elif isinstance(row, LinkRow):
            if row.verdict is not None:
                self._lists[-1].verdicts[row.verdict] += 1
        elif row.severity != "info":
            self._lists[-1].rules[row.rule] += 1
            self._severities[row.rule, row.severity] += 1
            self._fixes[row.rule] += row.fix is not None

    def result(self) -> Summary:
        """Return what the rows add up to."""
        severities = self._severities
        in_lists = Counter(rule for one in self._lists for rule in one.rules)
        rules = [
            RuleCount(rule, severities[rule, "error"], severities[rule, "warning"], self._fixes[rule], lists)
            for rule, lists in in_lists.items()
        ]
        shared = self._things.shared()
        return Summary(
            lists=self._lists,
            rules=sorted(rules, key=lambda rule: (-rule.errors - rule.warnings, rule.id)),
            shared=shared,
            pairs=most_shared(shared),
            published=self._things.published(),
            things=len(self._things),
        )
