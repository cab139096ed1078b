"""The lines that two texts share, and the longest part of a sequence that is in order."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

GONE = -1
_DEPTH = 12  # how often the lines between two anchors are aligned again


def align(old: Sequence[str], new: Sequence[str]) -> list[int]:
    """Return for each line of `new` its index in `old`, ascending, or GONE: a patience diff."""
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


def changed_runs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the runs of lines `old[first:last]` that become `new[begin:end]`, in order."""
    first = begin = 0
    for index, line in enumerate([*align(old, new), len(old)]):
        if line == GONE:
            continue
        if line > first or index > begin:
            yield first, line, begin, index
        first, begin = line + 1, index + 1


def _anchors(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of indices of lines that are unique on both sides: the longest sequence that ascends on both."""
    known = _unique(old)
    pairs = [(known[line], index) for line, index in _unique(new).items() if line in known]
    return [pairs[number] for number in in_order([line for line, _ in pairs])]


def in_order(values: Sequence[int], staying: Sequence[bool] | None = None) -> list[int]:
    """Return the indexes of a longest subsequence that never falls, with most `staying` elements, in O(n log n)."""
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


def _unique(lines: Sequence[str]) -> dict[str, int]:
    counts = Counter(lines)
    return {line: index for index, line in enumerate(lines) if counts[line] == 1}
