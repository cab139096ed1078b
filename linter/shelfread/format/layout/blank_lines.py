"""Blank lines between blocks, blanks at the ends of lines, and the end of the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.format.layout.replacement import Piece
from shelfread.markdown.node import Block, Break, Emphasis, Inline, Link, Tree

_TRAILING = re.compile(r"[ \t]+$")
_ALMOST = lazy(r"\s*(?:[-*+\u2022]|\d{1,9}[.)])[^\s\d*+-]|\s*[-*+]\s*[\u00a0\u3000]")
_OWN_LINES = frozenset({"html", "definition", "front"})
"""What need not be parted from what it is beside: a comment, an anchor, definitions below each other."""


class Unit(NamedTuple):
    """A block of the page, or what lies between blocks: definitions and front matter; its lines from 0."""

    kind: str
    first: int
    last: int
    block: Block | None = None


def find_units(source: Source, tree: Tree) -> list[Unit]:
    """What a page consists of, in order."""
    units = [Unit(block.kind, block.first, block.last, block) for block in tree.blocks]
    firsts = [unit.first for unit in units]
    if tree.protected and tree.protected[0].start == 0 and source.text[:3] in ("---", "+++"):
        last = source.line_at(max(0, tree.protected[0].end - 1)) + 1
        if not units or units[0].first >= last:
            units.append(Unit("front", 0, last))
    for one in tree.definitions:
        first, last = source.line_at(one.start), source.line_at(max(one.start, one.end - 1)) + 1
        above = bisect_right(firsts, first) - 1
        if above < 0 or units[above].last <= first:
            units.append(Unit("definition", first, last))
    return sorted(units, key=lambda unit: unit.first)


def gap_pieces(source: Source, units: Sequence[Unit]) -> Iterator[Piece]:
    """One blank line between blocks, none before the first, one newline behind the last."""
    for before, after in pairwise(units):
        lines = after.first - before.last
        beside = before.kind in _OWN_LINES or after.kind in _OWN_LINES
        if lines == 1 or (lines == 0 and beside) or lines < 0:
            continue
        if lines == 0 and _ALMOST.match(source.lines[before.last - 1]):
            continue  # a slip away from being an item of the list below
        start, end = source.starts[before.last], source.starts[after.first]
        if not source.text[start:end].strip():
            yield Piece(start, end, source.newline)
    if units and units[0].first > 0 and not source.text[: source.starts[units[0].first]].strip():
        yield Piece(0, source.starts[units[0].first], "")


def end_piece(source: Source, units: Sequence[Unit]) -> Iterator[Piece]:
    """One newline at the end of the text."""
    end = len(source.text.rstrip(" \t\r\n"))
    if units and units[-1].kind in ("html", "code"):
        line = source.line_at(end)  # what stands at its end is shown
        end = source.starts[line] + len(source.lines[line])
    if end and source.text[end:] != source.newline:
        yield Piece(end, len(source.text), source.newline)


def inner_gap_pieces(source: Source, block: Block) -> Iterator[Piece]:
    """One blank line where several stand in a list; where none stands it stays so."""
    pending = [block]
    while pending:
        outer = pending.pop()
        for before, after in pairwise(outer.blocks):
            if after.first - before.last > 1:
                start, end = source.starts[before.last], source.starts[after.first]
                if not source.text[start:end].strip():
                    yield Piece(start, end, source.newline)
        pending += [one for one in outer.blocks if one.kind in ("list", "item")]


def trailing_pieces(source: Source, unit: Unit) -> Iterator[Piece]:
    """Blanks at the ends of a unit's lines, but for those that break the line on the page too."""
    hard = set(_hard_breaks(source, unit.block)) if unit.block is not None else set()
    rigid = set(_rigid_lines(unit.block)) if unit.block is not None else set()
    if unit.kind in ("front", "code", "html"):
        return
    for number in range(unit.first, unit.last):
        match = _TRAILING.search(source.lines[number])
        if match is not None and number not in hard and number not in rigid:
            start = source.starts[number]
            yield Piece(start + match.start(), start + match.end(), "")


def _hard_breaks(source: Source, block: Block) -> Iterator[int]:
    pending = [block]
    while pending:
        one = pending.pop()
        pending += one.blocks
        yield from (source.line_at(at) for at in _breaks(one.inlines))


def _breaks(inlines: Sequence[Inline]) -> Iterator[int]:
    for node in inlines:
        if isinstance(node, Break) and node.hard:
            yield node.start
        elif isinstance(node, Emphasis | Link):
            yield from _breaks(node.children)


def _rigid_lines(block: Block) -> Iterator[int]:
    """The lines of code and HTML."""
    pending = [block]
    while pending:
        one = pending.pop()
        pending += one.blocks
        if one.kind in ("code", "html"):
            yield from range(one.first, one.last)
