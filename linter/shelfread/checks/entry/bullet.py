"""The rule `entry/bullet`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from shelfread.checks.common.levels import levels
from shelfread.core.diagnostics import MARKUP, Applicability, Edit, RawDiagnostic, Severity, Span
from shelfread.document.model import Document
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block

_BULLETS = frozenset("-*+")
_FEW = 3
"""As many items may have slipped; more are a list of their own."""
_MUCH = 3
"""How many times as many items the lists beside them have."""


def bullet(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report items with another bullet than the items directly above or below, which begin a list of their own."""
    usual: str | None = None
    for level in context.table(levels, document):
        for run in _adjacent_lists(level, document.source.text):
            counts = Counter({block.marker: 0 for block in run})
            for block in run:
                counts[block.marker] += len(block.blocks)
            marker = max(counts, key=lambda each: counts[each])
            odd = [block for block in run if block.marker != marker]
            slipped = sum(len(block.blocks) for block in odd)
            if slipped > _FEW * len(odd) or slipped * _MUCH > counts[marker]:
                continue
            if usual is None:
                usual = _usual(document)
            certain = usual == marker
            for block in odd:
                yield from _items(block, marker, certain)


def _items(block: Block, marker: str, certain: bool) -> Iterator[RawDiagnostic]:
    applicability = Applicability.SAFE if certain else Applicability.UNSAFE
    severity = Severity.WARNING if certain else Severity.INFO
    edits = tuple(Edit(item.start, item.start + 1, marker, MARKUP) for item in block.blocks)
    values = {"found": block.marker, "expected": marker}
    yield RawDiagnostic(Span(block.start, block.start + 1), values, edits, applicability, severity)


def _adjacent_lists(level: Sequence[Block], text: str) -> Iterator[list[Block]]:
    """Yield the bullet lists that follow each other with nothing between, not even an empty line in tight ones."""
    for is_list, group in groupby(level, key=lambda block: block.kind == "list" and block.marker in _BULLETS):
        run: list[Block] = []
        for block in group if is_list else ():
            if run and run[-1].tight and block.tight and _is_apart(run[-1], block, text):
                yield from [run] if len(run) > 1 else []
                run = []
            run.append(block)
        if len(run) > 1:
            yield run


def _is_apart(above: Block, below: Block, text: str) -> bool:
    between = text[above.end : below.start].replace("\r\n", "\n").replace("\r", "\n")
    return between.count("\n") > 1


def _usual(document: Document) -> str:
    """Return the bullet of nine of ten lists of a document; empty if there is none."""
    counts: Counter[str] = Counter()
    waiting = list(document.tree.blocks)
    while waiting:
        block = waiting.pop()
        waiting += block.blocks
        if block.kind == "list" and block.marker in _BULLETS:
            counts[block.marker] += len(block.blocks)
    marker, count = counts.most_common(1)[0]
    return marker if count * 10 >= counts.total() * 9 else ""
