"""The levels of headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from shelfread.core.diagnostics import (
    STRUCTURE,
    Applicability,
    Edit,
    RawDiagnostic,
    RawDiagnostics,
    Severity,
    Span,
)
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_LEAST_AROUND = 4
"""As many headings on both sides show which level is the usual one."""


def increment(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield headings more than one level below the previous one, and one whose level no other heading has.

    A level that the list always omits may be omitted.
    """
    headings = _headings(document)
    levels = [heading.level for heading in headings]
    if (lone := _find_lone(levels)) is not None:
        heading = headings[lone]
        values = {"level": levels[lone], "usual": levels[lone] + 1}
        start = document.source.text.index("#", heading.start) if heading.marker == "#" else heading.start
        lowered = (Edit(start, start, "#", STRUCTURE),) if heading.marker == "#" else ()
        yield RawDiagnostic(_title_span(heading), values, lowered, Applicability.UNSAFE, message="lone")
    jumps = [index for index in range(1, len(levels)) if levels[index] > levels[index - 1] + 1]
    if not jumps:
        return
    jumps_from = Counter(levels[index - 1] for index in jumps)
    steps = _steps(headings)
    for index in jumps:
        above, level = levels[index - 1], levels[index]
        regular = sum(count for (parent, own), count in steps.items() if parent == above and own < level)
        if jumps_from[above] * 2 > regular:
            continue  # the list omits the levels in between
        values = {"level": level, "above": above, "expected": above + 1}
        edits = _lifted(document, headings, index)
        span = _title_span(headings[index])
        yield RawDiagnostic(span, values, edits, Applicability.UNSAFE, Severity.INFO, "jump")


def _find_lone(levels: Sequence[int]) -> int | None:
    """Return the index of the only heading of its level, amid headings one level below; None if there is none."""
    if not levels:
        return None
    counts = Counter(levels[1:])
    usual = min((level for level, count in counts.items() if count > 1), default=0)
    if counts[usual - 1] != 1 or levels[0] == usual - 1:
        return None
    lone = levels.index(usual - 1, 1)
    around = levels[1:lone].count(usual), levels[lone:].count(usual)
    return lone if min(around) >= _LEAST_AROUND and min(levels[1:]) == usual - 1 else None


def depth(document: Document, context: RuleContext, *, max: int = 4) -> RawDiagnostics:
    """Yield headings of a deeper level than `max`."""
    for heading in _headings(document):
        if heading.level > max:
            yield RawDiagnostic(_title_span(heading), {"level": heading.level, "max": max})


def _steps(headings: Sequence[Block]) -> Counter[tuple[int, int]]:
    """Return how many headings of each level have a parent of each level, as (parent's level, level)."""
    found: Counter[tuple[int, int]] = Counter()
    above: list[int] = []
    for heading in headings:
        while above and above[-1] >= heading.level:
            above.pop()
        if above:
            found[above[-1], heading.level] += 1
        above.append(heading.level)
    return found


def _lifted(document: Document, headings: Sequence[Block], index: int) -> tuple[Edit, ...]:
    """Return the edits that lift a heading, its siblings and all below; none if another would become its child."""
    above, level = headings[index - 1].level, headings[index].level
    end = index
    while end < len(headings) and headings[end].level >= level:
        end += 1
    if end < len(headings) and headings[end].level > above + 1:
        return ()
    surplus = level - above - 1
    text = document.source.text
    starts = (text.index("#", heading.start) for heading in headings[index:end])
    return tuple(Edit(start, start + surplus, "", STRUCTURE) for start in starts)


def _headings(document: Document) -> list[Block]:
    return [block for block in document.tree.blocks if block.kind == "heading"]


def _title_span(heading: Block) -> Span:
    """Return the span of a heading's title; of the heading if the title is empty."""
    if not heading.inlines:
        return Span(heading.start, heading.end)
    return Span(heading.inlines[0].start, heading.inlines[-1].end)
