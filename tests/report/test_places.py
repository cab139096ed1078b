"""Lines in few words."""

from __future__ import annotations

import pytest

from shelfread.report.finding_lines import first_lines, line_ranges


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([12], "line 12"),
        ([12, 12], "line 12"),
        ([12, 13], "lines 12-13"),
        ([57, 12], "lines 12 and 57"),
        ([12, 40, 41, 57, 60], "lines 12, 40-41, 57 and 60"),
        ([12, 40, 57, 60, 61], "lines 12, 40, 57 and 60-61"),
        ([12, 40, 57, 60, 62], "lines 12, 40, 57 and 2 more"),
        ([*range(1, 2000, 2)], "lines 1, 3, 5 and 997 more"),
    ],
)
def test_the_first_lines(lines: list[int], told: str) -> None:
    assert first_lines(lines) == told


def test_runs_of_lines() -> None:
    assert list(line_ranges([1, 2, 3, 5, 7, 8])) == ["1-3", "5", "7-8"]
    assert list(line_ranges([])) == []
