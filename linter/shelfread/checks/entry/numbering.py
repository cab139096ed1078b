"""The numbers of numbered lists."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from shelfread.core.diagnostics import Change, Edit, Effect, RawDiagnostic, Severity, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_NUMBERED = (".", ")")
_NUMBER = lazy(r"\d{1,9}")
_MARKUP = Effect(Change.MARKUP)
_FEW = 9
"""One of so many steps, or one alone, is a slip."""


def numbering(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Lists that count, up or down, and jump or repeat a number on the way."""
    levels: list[tuple[Block, ...]] = [document.tree.blocks]
    while levels:
        for block in levels.pop():
            if block.kind == "list":
                if block.marker in _NUMBERED and len(block.blocks) > 3:
                    for part in _parts(block.blocks):
                        yield from _miscounted(part, document.source.text)
                levels += [item.blocks for item in block.blocks if len(item.blocks) > 1]
            elif block.kind == "quote":
                levels.append(block.blocks)


def _parts(items: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """The items in parts, each of which begins with the number that the list begins with."""
    first = 0
    for place in range(2, len(items) - 1):
        begins = items[place].level == items[0].level != items[place - 1].level
        if begins and items[place + 1].level == items[1].level:
            yield items[first:place]
            first = place
    yield items[first:]


def _miscounted(items: tuple[Block, ...], text: str) -> Iterator[RawDiagnostic]:
    """A list most of whose numbers follow each other, at the first that does not."""
    steps = [after.level - before.level for before, after in pairwise(items)]
    step = 1 if steps.count(1) >= steps.count(-1) else -1
    total, right = len(steps), steps.count(step)
    wrong = total - right
    if not wrong or right < 2 * wrong:
        return
    slip = 1 + next(place for place, each in enumerate(steps) if each != step)
    edits = []
    for place, item in enumerate(items):
        match = _NUMBER.match(text, item.start)
        number = items[0].level + step * place
        if match is None or number < 0:
            return
        width = len(match[0]) if match[0].startswith("0") else 0
        written = str(number).zfill(width)
        if written != match[0]:
            edits.append(Edit(*match.span(), written, _MARKUP))
    match = _NUMBER.match(text, items[slip].start)
    values = {"number": items[slip].level, "before": items[slip - 1].level, "count": right, "total": total}
    clear = wrong == 1 or wrong * _FEW <= right
    yield RawDiagnostic(
        Span(*match.span()) if match else Span(items[slip].start, items[slip].start + 1),
        values,
        tuple(edits) if step > 0 else (),  # the page counts a falling list up from its first number
        severity=Severity.WARNING if clear else Severity.INFO,
    )
