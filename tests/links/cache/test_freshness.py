"""How long a verdict holds."""

from __future__ import annotations

import pytest

from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.record_cache import TIME_TO_LIVE, is_fresh

DAY = 86400.0
NOW = 1_795_000_000.0


def record(verdict: Verdict, age: float = 0.0) -> LinkRecord:
    return LinkRecord("https://a.example/", verdict, "", checked_at=NOW - age)


@pytest.mark.parametrize(
    ("verdict", "days"),
    [
        (Verdict.ALIVE, 7),
        (Verdict.MOVED, 7),
        (Verdict.BLOCKED, 3),
        (Verdict.SUSPECT, 3),
        (Verdict.DEAD, 1),
        (Verdict.UNKNOWN, 0),
        (Verdict.UNSAFE, 0),
    ],
)
def test_time_to_live_of_each_verdict(verdict: Verdict, days: int) -> None:
    assert TIME_TO_LIVE.get(verdict, 0) == days * DAY
    assert is_fresh(record(verdict, 0.99 * days * DAY), NOW) is (days > 0)
    assert not is_fresh(record(verdict, 1.01 * days * DAY), NOW)


@pytest.mark.parametrize("age", [-1.0, -400 * DAY, float("nan"), float("inf")])
def test_a_record_from_the_future_is_not_fresh(age: float) -> None:
    assert not is_fresh(record(Verdict.ALIVE, age), NOW)


def test_a_record_without_needed_anchors_is_not_fresh() -> None:
    assert not is_fresh(record(Verdict.ALIVE), NOW, anchors=True)
    assert is_fresh(record(Verdict.ALIVE)._replace(anchors=frozenset()), NOW, anchors=True)
    assert is_fresh(record(Verdict.BLOCKED), NOW, anchors=True)
