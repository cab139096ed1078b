"""Edits that move entries by whole lines and keep the blank lines between them."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import MARKUP, MOVED, Edit
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Entry
from shelfread.index.order import Order
from shelfread.index.sorted_lists import with_lines

_NUMBERED = (".", ")")
_NUMBER = lazy(r"\d{1,9}")
_SHARED = 16  # findings that share their edits, at most: of more findings, only the first has the edits


class Move(NamedTuple):
    """Indexes of the entry to move and of the staying entries between which it belongs; None at either end."""

    place: int
    after: int | None
    before: int | None


def moves(found: Order) -> list[Move]:
    """Return the moves of the entries that are out of order, sorted; equal entries keep their order."""
    staying = [(found.values[number], number) for number in found.kept]
    kept = set(found.kept)
    out = sorted((value, number) for number, value in enumerate(found.values) if number not in kept)
    moving = []
    for value, number in out:
        index = bisect_right(staying, (value, number))
        after = found.places[staying[index - 1][1]] if index else None
        before = found.places[staying[index][1]] if index < len(staying) else None
        moving.append(Move(found.places[number], after, before))
    return moving


def edits_of_moves(
    source: Source, run: Sequence[Entry], moving: list[Move]
) -> Mapping[int, tuple[Edit, ...]]:
    """Return the edits for each move, by place; those to one place, and all of a numbered list, share them."""
    lines = RunLines(source, run)
    if not lines.have_own_lines():
        return {}
    numbers = _renumbered(source, run, moving)
    gone = {move.place for move in moving}
    groups: dict[int | None, list[Move]] = {}
    for move in moving:
        groups.setdefault(move.after, []).append(move)
    edits: dict[int, tuple[Edit, ...]] = {}
    everything: list[Edit] = []
    for after, group in groups.items():
        texts = [lines.text_of(move.place, numbers.get(move.place)) for move in group]
        together = [lines.insertion(after, group[0].before, texts)]
        together += [lines.removal(move.place, gone) for move in group]
        everything += together
        edits.update(_shared(group, together))
    if numbers:
        staying = (lines.numbered(place, number) for place, number in numbers.items() if place not in gone)
        return _shared(moving, [*everything, *staying])
    return edits


def _shared(group: list[Move], edits: list[Edit]) -> dict[int, tuple[Edit, ...]]:
    places = sorted(move.place for move in group)
    return dict.fromkeys(places if len(places) <= _SHARED else places[:1], tuple(sorted(edits)))


def _renumbered(source: Source, run: Sequence[Entry], moving: list[Move]) -> dict[int, str]:
    """Return the numbers that change in a list that is numbered in sequence, by place."""
    if run[0].block.marker not in _NUMBERED or run[0].block.kind != "item":
        return {}
    found = (_NUMBER.match(source.text, entry.block.start) for entry in run)
    numbers = [match[0] if match else "" for match in found]
    if len(set(numbers)) == 1:
        return {}
    following: dict[int | None, list[int]] = {}
    for move in moving:
        following.setdefault(move.after, []).append(move.place)
    gone = {move.place for move in moving}
    places = []
    first = next(move.before for move in moving if move.after is None) if None in following else -1
    for place in range(len(numbers)):
        if place == first:
            places += following[None]
        if place not in gone:
            places += [place, *following.get(place, ())]
    return {place: number for place, number in zip(places, numbers, strict=True) if numbers[place] != number}


class RunLines:
    """The lines of a run's siblings."""

    def __init__(self, source: Source, run: Sequence[Entry]) -> None:
        self.source = source
        self.siblings = with_lines(run, source)
        gaps = Counter(self._blank_before(place) for place in range(1, len(run)))
        self.usual_blank = gaps.most_common(1)[0][0] if gaps else ""

    def _blank_before(self, place: int) -> str:
        before, sibling = self.siblings[place - 1], self.siblings[place]
        return self.source.text[self.source.start_of(before.bottom) : self.source.start_of(sibling.top)]

    def have_own_lines(self) -> bool:
        """Return whether every sibling begins its line."""
        text, starts = self.source.text, self.source.starts
        for sibling in self.siblings:
            block = sibling.entry.block
            if text[starts[block.first] : block.start].strip(" \t>"):
                return False
        return True

    def text_of(self, place: int, number: str | None) -> str:
        """Return a sibling's lines, with another number unless it is None."""
        top, bottom = (
            self.source.start_of(self.siblings[place].top),
            self.source.start_of(self.siblings[place].bottom),
        )
        text = self.source.text[top:bottom]
        if number is not None:
            start = self.siblings[place].entry.block.start - top
            text = text[:start] + _NUMBER.sub(number, text[start:], count=1)
        return text if text.endswith(("\n", "\r")) else text + self.source.newline

    def numbered(self, place: int, number: str) -> Edit:
        start = self.siblings[place].entry.block.start
        match = _NUMBER.match(self.source.text, start)
        return Edit(start, match.end() if match else start, number, MARKUP)

    def insertion(self, after: int | None, before: int | None, texts: list[str]) -> Edit:
        """Return the edit that inserts lines after a sibling, in place of its newline, so that it touches no removal behind it."""
        text, blank = self.source.text, self.usual_blank
        if after is None:
            start = self.source.start_of(self.siblings[before or 0].top)
            return Edit(start, start, "".join(lines + blank for lines in texts), MOVED)
        end = self.source.start_of(self.siblings[after].bottom)
        new = "".join(blank + lines for lines in texts)
        size = 2 if text.startswith("\r\n", end - 2) else 1
        if text[end - 1] not in "\r\n":
            return Edit(end, end, (self.source.newline + new).removesuffix(self.source.newline), MOVED)
        return Edit(end - size, end, text[end - size : end] + new, MOVED)

    def removal(self, place: int, gone: set[int]) -> Edit:
        """Return the edit that removes a sibling's lines with the fewer of the blank lines around it."""
        sibling, text = self.siblings[place], self.source.text
        start, end = self.source.start_of(sibling.top), self.source.start_of(sibling.bottom)
        before = self._blank_before(place) if place else ""
        last = place + 1 == len(self.siblings)
        after = "" if last or place + 1 in gone else self._blank_before(place + 1)
        if not place or (not last and place + 1 not in gone and len(after) < len(before)):
            end += len(after)
        else:
            start -= len(before)
        if text[end - 1] not in "\r\n":
            start -= 2 if text.startswith("\r\n", start - 2) else 1
        return Edit(start, end, "", MOVED)
