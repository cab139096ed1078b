"""Find the changes that do no damage, among many of which some do."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from shelfread.core.diagnostics import Span
from shelfread.fixes.conservation import Damage

_UNTRIED = "too many changes at once would do damage: it was not tried"
_Change = TypeVar("_Change")


class Suspects(NamedTuple):
    """The changes in a place where damage shows, by their indexes, and whether others that are kept are there too."""

    indexes: Sequence[int]
    have_company: bool
    reason: str


class Search(Generic[_Change]):
    """Tries groups of changes of one text.

    The damage in a place is done by the changes of that place, and what is tried is tried in all places at once: few
    texts are read, however many changes are harmful. If the place is not known, groups are halved.
    """

    def __init__(
        self,
        places_of: Callable[[_Change], Iterable[Span]],
        find_damage: Callable[[Sequence[_Change]], Sequence[Damage]],
        most_tries: int,
    ) -> None:
        """`find_damage` returns the damage that changes do together; it is called `most_tries` times at most."""
        self.kept: list[_Change] = []
        """Changes that do no damage together."""
        self.harmful: list[tuple[_Change, str]] = []
        """Changes that do it alone, or were not tried, with the reason."""
        self.harmful_together: list[tuple[_Change, str]] = []
        """Changes that do it only beside those that are kept."""
        self._places_of, self._find_damage = places_of, find_damage
        self._tries_left = most_tries

    def run(self, groups: Iterable[Sequence[_Change]]) -> None:
        """Try all changes; those that do damage beside others at last, when all others are kept."""
        self._run(groups)
        late, self.harmful_together = self.harmful_together, []
        if late:
            self._run([[change for change, _ in late]])

    def find_suspects(self, group: Sequence[_Change], damage: Iterable[Damage]) -> list[Suspects]:
        """Return the suspects of each damage; none if one of them may be done anywhere."""
        tried, beside = _Places(map(self._places_of, group)), _Places(map(self._places_of, self.kept))
        found = []
        for reason, place in damage:
            if place is None or not (indexes := tried.at(place)):
                return []
            found.append(Suspects(indexes, bool(beside.at(place)), reason))
        return found

    def judge(self, group: Sequence[_Change], suspects: Iterable[Suspects]) -> list[list[_Change]]:
        """Reject the changes that are the only suspects of a place, and return groups of the others to be tried."""
        guilty: dict[int, Suspects] = {}
        halves: tuple[set[int], set[int]] = set(), set()
        for suspect in suspects:
            indexes = suspect.indexes
            if len(indexes) == 1:
                guilty.setdefault(indexes[0], suspect)
            else:
                halves[0].update(indexes[: len(indexes) // 2])
                halves[1].update(indexes[len(indexes) // 2 :])
        for index, suspect in guilty.items():
            rejected = self.harmful_together if suspect.have_company else self.harmful
            rejected.append((group[index], suspect.reason))
        first = halves[0] - guilty.keys()
        second = halves[1] - halves[0] - guilty.keys()
        others = set(range(len(group))) - halves[0] - halves[1] - guilty.keys()
        return [[group[index] for index in sorted(part)] for part in (others, first, second) if part]

    def _run(self, groups: Iterable[Sequence[_Change]]) -> None:
        pending = deque(groups)
        while pending:
            group = pending.popleft()
            if not self._tries_left:
                self.harmful += [(change, _UNTRIED) for change in group]
                continue
            self._tries_left -= 1
            tried = sorted([*self.kept, *group], key=lambda change: min(self._places_of(change)))
            if damage := self._find_damage(tried):
                anywhere = Suspects(range(len(group)), bool(self.kept), damage[0].reason)
                pending += self.judge(group, self.find_suspects(group, damage) or [anywhere])
            else:
                self.kept = tried


class _Places:
    """Where changes edit a text."""

    def __init__(self, changes: Iterable[Iterable[Span]]) -> None:
        self._places = sorted(
            (place.end, place.start, index) for index, places in enumerate(changes) for place in places
        )

    def at(self, place: Span) -> list[int]:
        """Return the indexes of the changes that edit or touch a place."""
        found = set()
        for position in range(bisect_left(self._places, (place.start,)), len(self._places)):
            _, start, index = self._places[position]
            if start > place.end:
                break
            found.add(index)
        return sorted(found)
