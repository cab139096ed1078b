"""The rule `entry/numbering`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.index.order.runs import levels
from shelfread.markdown.node import Block

_NUMBERED = (".", ")")
_NUMBER = lazy(r"\d{1,9}")
_FEW = 9
"""Wrong steps are slips if there is one only, or right ones are as many times more."""


def numbering(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report lists that are numbered in sequence, up or down, and skip or repeat a number."""
    for level in levels(document):
        for block in level:
            if block.kind == "list" and block.marker in _NUMBERED and len(block.blocks) > 3:
                for items in _split(block.blocks):
                    yield from _check_sequence(items, document.source.text)


def _split(items: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Yield stretches of items that each start anew with the first number of the list."""
    first = 0
    for index in range(2, len(items) - 1):
        restarts = items[index].level == items[0].level != items[index - 1].level
        if restarts and items[index + 1].level == items[1].level:
            yield items[first:index]
            first = index
    yield items[first:]


def _check_sequence(items: tuple[Block, ...], text: str) -> Iterator[RawDiagnostic]:
    """Yield the first number that is out of sequence, if most are in sequence."""
    steps = [after.level - before.level for before, after in pairwise(items)]
    step = 1 if steps.count(1) >= steps.count(-1) else -1
    total, right = len(steps), steps.count(step)
    wrong = total - right
    if not wrong or right < 2 * wrong:
        return
    slip = 1 + next(index for index, difference in enumerate(steps) if difference != step)
    edits = []
    for index, item in enumerate(items):
        match = _NUMBER.match(text, item.start)
        number = items[0].level + step * index
        if match is None or number < 0:
            return
        width = len(match[0]) if match[0].startswith("0") else 0
        written = str(number).zfill(width)
        if written != match[0]:
            edits.append(Edit(*match.span(), written, Effect(Change.MARKUP)))
    match = _NUMBER.match(text, items[slip].start)
    values = {"number": items[slip].level, "before": items[slip - 1].level, "count": right, "total": total}
    clear = wrong == 1 or wrong * _FEW <= right
    yield RawDiagnostic(
        Span(*match.span()) if match else Span(items[slip].start, items[slip].start + 1),
        values,
        tuple(edits) if step > 0 else (),  # a page numbers every list upwards from its first number
        severity=Severity.WARNING if clear else Severity.INFO,
    )
