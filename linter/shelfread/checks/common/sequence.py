"""What of a sequence is in order: a longest part that never falls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def in_order(values: Sequence[int]) -> list[int]:
    """The places of a longest subsequence that never falls, in n log n steps."""
    last: list[int] = []  # the least value that a subsequence of this length can end in
    places: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        length = bisect_right(last, value)
        before.append(places[length - 1] if length else -1)
        if length == len(last):
            last.append(value)
            places.append(place)
        else:
            last[length], places[length] = value, place
    kept: list[int] = []
    place = places[-1] if places else -1
    while place >= 0:
        kept.append(place)
        place = before[place]
    return kept[::-1]


def out_of_order(values: Sequence[int]) -> list[int]:
    """The fewest places that keep the others from rising."""
    kept = set(in_order(values))
    return [place for place in range(len(values)) if place not in kept]


def ranks(keys: Sequence[str]) -> list[int]:
    """The keys as numbers of the same order."""
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]
