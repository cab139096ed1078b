"""Which elements of a sequence are in order: a longest subsequence that never falls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def in_order(values: Sequence[int]) -> list[int]:
    """Return the indexes of a longest subsequence that never falls, in O(n log n)."""
    least_ends: list[int] = []  # by length - 1: the least value that a subsequence of this length can end in
    ends: list[int] = []
    previous: list[int] = []
    for index, value in enumerate(values):
        length = bisect_right(least_ends, value)
        previous.append(ends[length - 1] if length else -1)
        if length == len(least_ends):
            least_ends.append(value)
            ends.append(index)
        else:
            least_ends[length], ends[length] = value, index
    kept: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        kept.append(index)
        index = previous[index]
    return kept[::-1]


def out_of_order(values: Sequence[int]) -> list[int]:
    """Return the fewest indexes whose removal leaves a sequence that never falls."""
    kept = set(in_order(values))
    return [index for index in range(len(values)) if index not in kept]


def ranks(keys: Sequence[str]) -> list[int]:
    """Return for each key its rank among the distinct keys, from 0."""
    numbers = {key: number for number, key in enumerate(sorted(set(keys)))}
    return [numbers[key] for key in keys]
