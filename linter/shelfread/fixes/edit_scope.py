"""Edit scopes: where the effects of edits may show, in the text before and in the text after."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from shelfread.core.diagnostics import Change, Edit, Effect, Span
from shelfread.core.patterns import lazy
from shelfread.markdown.node import Block, Tree

NEWLINE = lazy(r"\r\n|\n|\r")
_WIDE = frozenset({Change.STRUCTURE, Change.MOVED, Change.REMOVED, Change.INSERTED})
_SPACE = " \t\r\n>"
_MOVED_ACCOUNT = -1


class EditScope(NamedTuple):
    """A span before and after, the effects of its edits, and the number under which its tokens, or all moved ones, count."""

    before: Span
    after: Span
    effects: tuple[Effect, ...]
    account: int

    @property
    def wide(self) -> bool:
        """Whether blocks and links may change as well."""
        return any(effect.change in _WIDE for effect in self.effects)

    @property
    def rewords(self) -> bool:
        """Whether words may change."""
        return any(effect.change is not Change.MARKUP for effect in self.effects)


class SpanIndex:
    """Sorted spans that do not overlap; its methods return the index of a span, -1 for none."""

    def __init__(self, spans: Iterable[Span]) -> None:
        self.starts: list[int] = []
        self.ends: list[int] = []
        for start, end in spans:
            self.starts.append(start)
            self.ends.append(end)

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self.starts, self.ends)

    def at(self, offset: int) -> int:
        """Return the span that holds a character."""
        index = bisect_right(self.starts, offset) - 1
        return index if index >= 0 and offset < self.ends[index] else -1

    def touching(self, start: int, end: int) -> int:
        """Return the last span that overlaps `text[start:end]`."""
        index = bisect_left(self.starts, end) - 1
        return index if index >= 0 and start < self.ends[index] else -1


def find_edit_scopes(tree: Tree, text: str, edits: Iterable[Edit]) -> list[EditScope]:
    """Return the scopes in order; those of two edits that overlap are one with both effects."""
    edits = sorted(edits, key=lambda edit: (edit.start, edit.end))
    shifts = list(accumulate((len(edit.text) - edit.end + edit.start for edit in edits), initial=0))
    joined: list[tuple[Span, int, int]] = []  # the span before, the range of its edits
    for index, edit in enumerate(edits):
        span, first = _affected_span(tree, text, edit), index
        while joined and _share_effects(joined[-1][0], span, edits[joined[-1][1] : index + 1]):
            other, first, _ = joined.pop()
            span = Span(min(other.start, span.start), max(other.end, span.end))
        joined.append((span, first, index + 1))
    scopes = []
    for index, (span, first, last) in enumerate(joined):
        after = Span(span.start + shifts[first], span.end + shifts[last])
        effects = tuple(dict.fromkeys(edit.effect for edit in edits[first:last]))
        moved = any(effect.change is Change.MOVED for effect in effects)
        scopes.append(EditScope(span, after, effects, _MOVED_ACCOUNT if moved else index))
    return scopes


def with_surrounding_space(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield sorted spans with the whitespace and the block quote markers around each, which are gone through once."""
    space = Span(0, 0)
    for start, end in spans:
        first, last = start, end
        if space.start <= start <= space.end:
            first = space.start
        while first and text[first - 1] in _SPACE:
            first -= 1
        if space.start <= end <= space.end:
            last = space.end
        while last < len(text) and text[last] in _SPACE:
            last += 1
        yield Span(first, last)
        space = Span(first if start == end else end, last)


def _share_effects(first: Span, second: Span, edits: Sequence[Edit]) -> bool:
    """Return whether two scopes become one: they overlap, or touch where a structure is repaired."""
    if any(edit.effect.change is Change.STRUCTURE for edit in edits):
        return second.start <= first.end
    return second.start < first.end


def _affected_span(tree: Tree, text: str, edit: Edit) -> Span:
    """Return the span before the edit in which its effect shows."""
    change, stated, _ = edit.effect
    start, end = edit.start, edit.end
    if change is Change.STRUCTURE:
        # A repair shows in the blocks that it touches or joins, whatever whitespace is between them.
        ((start, end),) = with_surrounding_space(text, [Span(start, end)])
        line = NEWLINE.search(text, end)
        end = line.start() if line else len(text)
        for block in _touched_leaves(tree.blocks, start, end):
            start, end = min(start, block.start), max(end, block.end)
    elif stated and change in (Change.WORDS, Change.DESTINATION):
        # An edit of `http` alone may state the whole URL that it changes.
        found = text.find(stated, max(0, end - len(stated)), start + len(stated))
        if found >= 0:
            return Span(found, max(end, found + len(stated)))
    return Span(start, end)


def _touched_leaves(blocks: Sequence[Block], start: int, end: int) -> Iterator[Block]:
    """Yield the blocks without inner blocks that touch a span."""
    pending = [blocks]
    while pending:
        blocks = pending.pop()
        index = bisect_left(blocks, start, key=lambda block: block.end)
        while index < len(blocks) and blocks[index].start <= end:
            if blocks[index].blocks:
                pending.append(blocks[index].blocks)
            else:
                yield blocks[index]
            index += 1
