"""The data of the page of an audit."""

from __future__ import annotations

from collections import Counter

from shelfread.audit.audit_run import _published


def test_venues_stand_by_frequency_then_by_name_and_years_from_the_last() -> None:
    counts = Counter({("VLDB", 2020): 1, ("ATC", 2021): 1, ("OSDI", 2019): 2, ("OSDI", 2020): 1})
    data = _published(counts)
    assert data["venues"] == ["OSDI", "ATC", "VLDB"]
    assert data["years"] == [2021, 2020, 2019]
    assert data["papers"] == [[0, 1, 2], [1, 0, 0], [0, 1, 0]]
    assert (data["totals"], data["others"]) == ([3, 1, 1], 0)
