"""Where edits may show their effects: stretches of the text before, and what they are after."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from typing import NamedTuple

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Block, Tree

NEWLINE = lazy(r"\r\n|\n|\r")
_WIDE = frozenset({Change.STRUCTURE, Change.MOVED, Change.REMOVED})
_BLANKS = " \t\r\n>"
_EVERYWHERE = -1


class EditScope(NamedTuple):
    """A stretch before and after, and the effects of the edits in it.

    `account` is the number of what comes and goes here; all that moves has one, wherever it stands.
    """

    before: Span
    after: Span
    effects: tuple[Effect, ...]
    account: int

    @property
    def wide(self) -> bool:
        """Whether blocks and links, too, may come and go."""
        return any(effect.change in _WIDE for effect in self.effects)

    @property
    def rewords(self) -> bool:
        """Whether words may come and go."""
        return any(effect.change is not Change.MARKUP for effect in self.effects)


class SpanIndex:
    """Sorted spans that do not overlap, and which of them is where; -1 for none."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in spans:
            self.starts.append(start)
            self.ends.append(end)

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self.starts, self.ends)

    def at(self, offset: int) -> int:
        number = bisect_right(self.starts, offset) - 1
        return number if number >= 0 and offset < self.ends[number] else -1

    def touching(self, start: int, end: int) -> int:
        number = bisect_left(self.starts, end) - 1
        return number if number >= 0 and start < self.ends[number] else -1


def find_edit_scopes(tree: Tree, text: str, edits: Iterable[Edit]) -> list[EditScope]:
    """The zones in order; where those of two edits overlap they are one with both effects."""
    edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    rough: list[tuple[Span, int, int]] = []  # the span before, the first of its edits, the one after its last
    for number, edit in enumerate(edits):
        span, first = _reach(tree, text, edit), number
        while rough and _meet(rough[-1][0], span, edits[rough[-1][1] : number + 1]):
            other, first, _ = rough.pop()
            span = Span(min(other.start, span.start), max(other.end, span.end))
        rough.append((span, first, number + 1))
    zones = []
    for number, (span, first, last) in enumerate(rough):
        after = Span(span.start + shifts[first], span.end + shifts[last])
        effects = tuple(dict.fromkeys(edit.effect for edit in edits[first:last]))
        moved = any(effect.change is Change.MOVED for effect in effects)
        zones.append(EditScope(span, after, effects, _EVERYWHERE if moved else number))
    return zones


def with_surrounding_space(text: str, span: Span) -> Span:
    """A span and the blanks and quote marks around it."""
    start, end = span
    while start and text[start - 1] in _BLANKS:
        start -= 1
    while end < len(text) and text[end] in _BLANKS:
        end += 1
    return Span(start, end)


def _meet(one: Span, other: Span, edits: Sequence[Edit]) -> bool:
    """Whether two zones share their effects: a repaired structure also with what touches it."""
    if any(edit.effect.change is Change.STRUCTURE for edit in edits):
        return other.start <= one.end
    return other.start < one.end


def _reach(tree: Tree, text: str, edit: Edit) -> Span:
    """The stretch before in which an edit's effect shows."""
    change, stated, _ = edit.effect
    start, end = edit.start, edit.end
    if change is Change.STRUCTURE:
        # A repair shows in the blocks that it touches, or joins: blanks between them are no border.
        start, end = with_surrounding_space(text, Span(start, end))
        line = NEWLINE.search(text, end)
        end = line.start() if line else len(text)
        for block in _leaves(tree.blocks, start, end):
            start, end = min(start, block.start), max(end, block.end)
    elif stated and change in (Change.WORDS, Change.DESTINATION):
        # An edit of `http` alone may state the whole address that it alters.
        at = text.find(stated, max(0, end - len(stated)), start + len(stated))
        if at >= 0:
            return Span(at, max(end, at + len(stated)))
    return Span(start, end)


def _leaves(blocks: Sequence[Block], start: int, end: int) -> Iterator[Block]:
    """The blocks without blocks in them that touch a stretch."""
    pending = [blocks]
    while pending:
        blocks = pending.pop()
        for block in islice(blocks, bisect_left(blocks, start, key=lambda block: block.end), None):
            if block.start > end:
                break
            if block.blocks:
                pending.append(block.blocks)
            else:
                yield block
