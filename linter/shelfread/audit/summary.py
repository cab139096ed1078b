"""What all lists add up to: which rules speak how often, which lists need care, what is in several lists, papers by
venue and year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shelfread.audit.rows import EntryRow, LinkRow, ListRow, Row
from shelfread.audit.things import Shared, Things, pairs
from shelfread.core.support.named_tuple import NamedTuple

INFO = "info"
_PAIRS = 30


class RuleCount(NamedTuple):
    """How often a rule speaks, infos left out."""

    rule: str
    errors: int
    warnings: int
    fixes: int
    lists: int


class ListCount(NamedTuple):
    """A list, and how often each rule speaks in it, infos left out."""

    row: ListRow
    rules: Counter[str]
    verdicts: Counter[str]
    """How many of its links have each verdict, as far as `shelfread links` knows them."""


class Pair(NamedTuple):
    """Two lists, by their numbers, and how many things they share."""

    first: int
    second: int
    shared: int


class Summary(NamedTuple):
    """What an audit found."""

    lists: Sequence[ListCount]
    rules: Sequence[RuleCount]
    shared: Sequence[Shared]
    pairs: Sequence[Pair]
    published: Counter[tuple[str, int]]
    things: int
    """How many different things are listed."""

    @property
    def failed(self) -> int:
        """How many lists have an error."""
        return sum(each.row.error is not None for each in self.lists)

    def total(self, column: str) -> int:
        """Return the sum of a column of the lists."""
        return sum(getattr(each.row, column) for each in self.lists)


class Tally:
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
        elif row.severity != INFO:
            self._lists[-1].rules[row.rule] += 1
            self._severities[row.rule, row.severity] += 1
            self._fixes[row.rule] += row.fix is not None

    def result(self) -> Summary:
        """Return what the rows add up to."""
        in_lists = Counter(rule for each in self._lists for rule in each.rules)
        rules = [
            RuleCount(
                rule,
                self._severities[rule, "error"],
                self._severities[rule, "warning"],
                self._fixes[rule],
                lists,
            )
            for rule, lists in in_lists.items()
        ]
        shared = self._things.shared()
        return Summary(
            lists=self._lists,
            rules=sorted(rules, key=lambda rule: (-rule.errors - rule.warnings, rule.rule)),
            shared=shared,
            pairs=[Pair(*pair) for pair, _ in zip(pairs(shared), range(_PAIRS), strict=False)],
            published=self._things.published(),
            things=len(self._things),
        )
