"""Which lines of a text stood in an earlier one, in time that grows with the lines alone."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence

GONE = -1
_DEPTH = 12
"""How often what lies between lines that are alone is looked at anew."""


def align(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """For each line of `new` its index in `old`, rising, or GONE: patience diff, told by lines that are unique."""
    found = [GONE] * len(new)
    spans = [(0, len(old), 0, len(new), 0)]
    while spans:
        a, b, c, d, depth = spans.pop()
        while a < b and c < d and old[a] == new[c]:
            found[c] = a
            a, c = a + 1, c + 1
        while a < b and c < d and old[b - 1] == new[d - 1]:
            b, d = b - 1, d - 1
            found[d] = b
        if a == b or c == d or depth == _DEPTH:
            continue
        anchors = _anchors(old[a:b], new[c:d])
        if not anchors:
            continue
        x, y = a, c
        for i, j in (*anchors, (b - a, d - c)):
            if (a + i, c + j) != (b, d):
                found[c + j] = a + i
            spans.append((x, a + i, y, c + j, depth + 1))
            x, y = a + i + 1, c + j + 1
    return found


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that each side has once, as pairs of indices that rise on both: the longest such row."""
    there = _alone(old)
    pairs = [(there[line], at) for line, at in _alone(new).items() if line in there]
    tails: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for at, (i, _) in enumerate(pairs):
        place = bisect_left(tails, i)
        before.append(last[place - 1] if place else GONE)
        tails[place : place + 1] = [i]
        last[place : place + 1] = [at]
    row = []
    at = last[-1] if last else GONE
    while at != GONE:
        row.append(pairs[at])
        at = before[at]
    return row[::-1]


def _alone(lines: Iterable[str]) -> dict[str, int]:
    """The lines that are there once, in order, with their index."""
    first: dict[str, int] = {}
    twice = set()
    for at, line in enumerate(lines):
        if line in first:
            twice.add(line)
        else:
            first[line] = at
    return {line: at for line, at in first.items() if line not in twice}
