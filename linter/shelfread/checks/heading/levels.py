"""The levels of headings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from shelfread.core.diagnostics import Applicability, Change, Edit, Effect, RawDiagnostic, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_STRUCTURE = Effect(Change.STRUCTURE)


def increment(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Yield headings more than one level below the previous one, unless the list always omits that level."""
    headings = _headings(document)
    jumps = [
        index for index in range(1, len(headings)) if headings[index].level > headings[index - 1].level + 1
    ]
    if not jumps:
        return
    jumps_from = Counter(headings[index - 1].level for index in jumps)
    steps = _steps(headings)
    for index in jumps:
        above, level = headings[index - 1].level, headings[index].level
        regular = sum(count for (parent, own), count in steps.items() if parent == above and own < level)
        if jumps_from[above] * 2 > regular:
            continue  # the list omits the levels in between
        values = {"level": level, "above": above, "expected": above + 1}
        edits = _lifted(document, headings, index)
        yield RawDiagnostic(_title_span(headings[index]), values, edits, Applicability.UNSAFE)


def depth(document: Document, context: RuleContext, *, max: int = 4) -> Iterator[RawDiagnostic]:
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
    return tuple(Edit(start, start + surplus, "", _STRUCTURE) for start in starts)


def _headings(document: Document) -> list[Block]:
    return [block for block in document.tree.blocks if block.kind == "heading"]


def _title_span(heading: Block) -> Span:
    """Return the span of a heading's title; of the heading if the title is empty."""
    if not heading.inlines:
        return Span(heading.start, heading.end)
    return Span(heading.inlines[0].start, heading.inlines[-1].end)
