"""The blocks that `format` left as they are: few lines for one reason, however many blocks it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from shelfread.format.result import UnformattedBlock
from shelfread.report.places import line_ranges

_NAMED = 5


def render(path: str, blocks: Sequence[UnformattedBlock]) -> Iterator[str]:
    """Yield the first blocks of each reason, and the line numbers of the others."""
    by_reason: dict[str, list[int]] = {}
    for line, reason in blocks:
        by_reason.setdefault(reason, []).append(line)
    for reason, lines in by_reason.items():
        # A summary of one line would take as much room as the line itself.
        named = len(lines) if len(lines) == _NAMED + 1 else _NAMED
        for line in lines[:named]:
            yield f"{path}:{line}: not formatted: {reason}"
        if others := lines[named:]:
            yield f"{path}: and {len(others)} more not formatted: {reason}: lines {', '.join(line_ranges(others))}"
