"""What is out of order in a row."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any


def misplaced(values: Sequence[Any]) -> set[int]:
    """The fewest places whose values keep the rest from rising, in n log n steps; equals may stand together."""
    tops: list[Any] = []  # the least value that a row of that length can end in
    at: list[int] = []
    before: list[int | None] = []
    for place, value in enumerate(values):
        length = bisect_right(tops, value)
        if length == len(tops):
            tops.append(value)
            at.append(place)
        else:
            tops[length], at[length] = value, place
        before.append(at[length - 1] if length else None)
    kept: set[int] = set()
    last = at[-1] if at else None
    while last is not None:
        kept.add(last)
        last = before[last]
    return set(range(len(values))) - kept
