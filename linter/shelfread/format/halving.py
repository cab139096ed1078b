"""Find out which of many changes do damage."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from shelfread.core.diagnostics import Span
from shelfread.fixes.verify.conservation import Damage

_Change = TypeVar("_Change")


def keep_harmless(
    changes: Sequence[_Change],
    place_of: Callable[[_Change], Span],
    find_damage: Callable[[Sequence[_Change]], Sequence[Damage]],
    most_tries: int,
) -> tuple[list[_Change], list[tuple[_Change, str]]]:
    """Return the changes that together do no damage, and the others, each with the reason.

    The changes do not overlap. Those at the place of a damage are halved until one is left, in all places at
    once: few groups are tried, however many changes do damage. After `most_tries` groups the rest is given up.
    """
    kept: list[_Change] = []
    harmful: list[tuple[_Change, str]] = []
    pending = deque([sorted(changes, key=place_of)] if changes else [])
    tries = 0
    while pending:
        group = pending.popleft()
        tries += 1
        tried = sorted([*kept, *group], key=place_of)
        damage = find_damage(tried)
        if not damage:
            kept = tried
        elif tries > most_tries:
            harmful += [(change, damage[0].reason) for change in group]
        else:
            guilty: dict[int, str] = {}
            halves: tuple[set[int], set[int]] = set(), set()
            for indexes, reason in _suspects([place_of(change) for change in group], damage):
                if len(indexes) == 1:
                    guilty.setdefault(indexes[0], reason)
                half = len(indexes) // 2
                halves[0].update(indexes[:half])
                halves[1].update(indexes[half:])
            harmful += [(group[index], reason) for index, reason in guilty.items()]
            first, second = halves[0] - guilty.keys(), halves[1] - halves[0] - guilty.keys()
            others = set(range(len(group))) - halves[0] - halves[1]
            pending += [[group[index] for index in sorted(part)] for part in (others, first, second) if part]
    return kept, harmful


def _suspects(places: Sequence[Span], damage: Sequence[Damage]) -> Iterator[tuple[range, str]]:
    """Yield the changes, by their indexes, that touch the place of each damage; all if none does."""
    found = False
    for reason, place in damage:
        if place is not None:
            first = bisect_left(places, place.start, key=lambda span: span.end)
            end = first
            while end < len(places) and places[end].start <= place.end:
                end += 1
            if first < end:
                found = True
                yield range(first, end), reason
    if not found:
        yield range(len(places)), damage[0].reason
