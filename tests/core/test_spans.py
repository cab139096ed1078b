"""Searches in sorted spans."""

from __future__ import annotations

import pytest

from shelfread.core.diagnostics import Span, find_overlapping, find_parents

SPANS = [Span(2, 4), Span(6, 8), Span(8, 10)]


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [(0, 2, []), (3, 7, SPANS[:2]), (4, 6, []), (7, 7, [Span(6, 8)]), (6, 6, []), (0, 20, SPANS)],
)
def test_overlapping_spans(start: int, end: int, found: list[Span]) -> None:
    assert list(find_overlapping(SPANS, start, end)) == found


class Read(tuple[Span, ...]):
    """Counts the spans that are read."""

    count = 0

    def __getitem__(self, index):
        self.count += 1
        return super().__getitem__(index)

    def __iter__(self):
        for span in super().__iter__():
            self.count += 1
            yield span


def test_overlapping_spans_are_looked_up() -> None:
    spans = Read(Span(2 * n, 2 * n + 1) for n in range(10_000))
    assert list(find_overlapping(spans, 19_990, 19_993)) == [Span(19_990, 19_991), Span(19_992, 19_993)]
    assert spans.count < 40


def test_the_innermost_span_around_each() -> None:
    spans = [Span(0, 9), Span(1, 4), Span(2, 3), Span(4, 5), Span(9, 12), Span(10, 11)]
    assert find_parents(spans) == [-1, 0, 1, 0, -1, 4]
