"""Subsequences that never fall."""

from __future__ import annotations

import random

import pytest

from shelfread.core.differences import in_order


def test_a_longest_part_in_order() -> None:
    assert in_order([]) == []
    assert in_order([3, 1, 2, 2, 5, 4]) == [1, 2, 3, 5]


@pytest.mark.parametrize("seed", range(20))
def test_the_longest_part_is_as_long_as_can_be(seed: int) -> None:
    values = random.Random(seed).choices(range(20), k=60)
    best = [1] * len(values)
    for at, value in enumerate(values):
        best[at] += max((best[i] for i in range(at) if values[i] <= value), default=0)
    kept = in_order(values)
    assert len(kept) == max(best)
    assert [values[place] for place in kept] == sorted(values[place] for place in kept)
