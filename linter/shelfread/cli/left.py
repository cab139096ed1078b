"""What stayed as it was, said so that one reason with hundreds of places does not bury the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.format.result import UnformattedBlock

_NAMED = 5


def say_left(path: str, left: Sequence[UnformattedBlock]) -> Iterator[str]:
    """The places of each reason; of many the first few, and the lines of the others."""
    lines: dict[str, list[int]] = {}
    for line, reason in left:
        lines.setdefault(reason, []).append(line)
    for reason, all_lines in lines.items():
        # One more would take as much room as what stands for it.
        named = len(all_lines) if len(all_lines) == _NAMED + 1 else _NAMED
        for line in all_lines[:named]:
            yield f"{path}:{line}: left as it is: {reason}"
        if others := all_lines[named:]:
            yield f"{path}: and {len(others)} more left as they are: {reason}: lines {', '.join(_runs(others))}"


def _runs(lines: Sequence[int]) -> Iterator[str]:
    """Sorted numbers, those in a row as `12-15`."""
    at = 0
    while at < len(lines):
        first = at
        while at + 1 < len(lines) and lines[at + 1] <= lines[at] + 1:
            at += 1
        yield str(lines[first]) if lines[first] == lines[at] else f"{lines[first]}-{lines[at]}"
        at += 1
