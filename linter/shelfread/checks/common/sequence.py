"""Which elements of a sequence are in order: a longest subsequence that never falls."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence


def in_order(values: Sequence[int], staying: Sequence[bool] | None = None) -> list[int]:
    """Return the indexes of a longest subsequence that never falls, in O(n log n).

    It has as many of the elements that are `staying` as possible, then as many of the others.
    """
    weights = [1] * len(values) if staying is None else [len(values) if stays else 1 for stays in staying]
    # By weight: the least value that a subsequence of this weight can end in. Both rise.
    least, totals, ends = list[int](), list[int](), list[int]()
    previous: list[int] = []
    for index, value in enumerate(values):
        position = bisect_right(least, value)
        total = weights[index] + (totals[position - 1] if position else 0)
        previous.append(ends[position - 1] if position else -1)
        lighter = position
        while lighter < len(totals) and totals[lighter] <= total:
            lighter += 1
        least[position:lighter], totals[position:lighter], ends[position:lighter] = [value], [total], [index]
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
