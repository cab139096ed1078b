"""The lines of several findings in few words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

_NAMED = 3


def line_ranges(lines: Sequence[int]) -> Iterator[str]:
    """Yield sorted line numbers, consecutive ones as `12-15`."""
    for first, last in _runs(lines):
        yield str(first) if first == last else f"{first}-{last}"


def first_lines(lines: Iterable[int], most: int = _NAMED) -> str:
    """Return `line 12`, or `lines 12, 40-44, 57 and 980 more`: at most so many runs of lines, and the rest counted."""
    ordered = sorted(lines)
    runs = _runs(ordered)
    # To count one run takes as much room as to name it.
    named = runs if len(runs) <= most + 1 else runs[:most]
    noun = "line" if named[-1] == (ordered[0], ordered[0]) else "lines"
    left = sum(line > named[-1][1] for line in ordered)
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in named]
    if left:
        return f"{noun} {', '.join(shown)} and {left:,} more"
    return f"{noun} {', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else f"{noun} {shown[0]}"


def _runs(lines: Sequence[int]) -> list[tuple[int, int]]:
    """Return the first and last number of each run of consecutive ones."""
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line <= runs[-1][1] + 1:
            runs[-1] = runs[-1][0], line
        else:
            runs.append((line, line))
    return runs
