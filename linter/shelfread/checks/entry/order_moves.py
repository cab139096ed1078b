"""Entries moved to where their order puts them: whole lines, with the blank lines between them kept."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shelfread.checks.entry.order_detection import Order
from shelfread.checks.entry.order_runs import with_lines
from shelfread.core.diagnostics import Change, Edit, Effect
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.document.model import Entry

_MOVED = Effect(Change.MOVED)
_NUMBERED = (".", ")")
_NUMBER = lazy(r"\d{1,9}")
_SHARED = 16
"""Moves that depend on each other are shared by all their findings; of more, the first alone has them."""


class Move(NamedTuple):
    """A sibling that is to stand after another one (None: before all that stay), by their places."""

    place: int
    after: int | None
    before: int | None


def moves(found: Order) -> list[Move]:
    """Where the entries that are out of order belong, in that order; equals keep theirs."""
    staying = [(found.values[number], number) for number in found.kept]
    kept = set(found.kept)
    out = sorted((value, number) for number, value in enumerate(found.values) if number not in kept)
    moving = []
    for one in out:
        at = bisect_right(staying, one)
        after = found.places[staying[at - 1][1]] if at else None
        before = found.places[staying[at][1]] if at < len(staying) else None
        moving.append(Move(found.places[one[1]], after, before))
    return moving


def edits_of_moves(
    source: Source, run: Sequence[Entry], moving: list[Move]
) -> Mapping[int, tuple[Edit, ...]]:
    """The edits for each moving place. What goes to the same place goes together, and all of a list that
    counts: its numbers stay where they are."""
    lines = _Lines(source, run)
    if not lines.are_whole():
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
    whole = tuple(sorted(edits))
    places = sorted(move.place for move in group)
    return dict.fromkeys(places if len(places) <= _SHARED else places[:1], whole)


def _renumbered(source: Source, run: Sequence[Entry], moving: list[Move]) -> dict[int, str]:
    """The numbers that change in a list that counts, by place."""
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


class _Lines:
    """The lines of a run's siblings as spans of the text."""

    def __init__(self, source: Source, run: Sequence[Entry]) -> None:
        self.source = source
        self.siblings = with_lines(run, source)
        gaps = Counter(self._blank_before(place) for place in range(1, len(run)))
        self.usual_blank = gaps.most_common(1)[0][0] if gaps else ""

    def at(self, line: int) -> int:
        starts = self.source.starts
        return starts[line] if line < len(starts) else len(self.source.text)

    def _blank_before(self, place: int) -> str:
        before, sibling = self.siblings[place - 1], self.siblings[place]
        return self.source.text[self.at(before.bottom) : self.at(sibling.top)]

    def are_whole(self) -> bool:
        """Whether every sibling has its lines for itself."""
        text, starts = self.source.text, self.source.starts
        for sibling in self.siblings:
            block = sibling.entry.block
            if text[starts[block.first] : block.start].strip(" \t>"):
                return False
        return True

    def text_of(self, place: int, number: str | None) -> str:
        """A sibling's lines, with another number if it gets one."""
        top, bottom = self.at(self.siblings[place].top), self.at(self.siblings[place].bottom)
        text = self.source.text[top:bottom]
        if number is not None:
            at = self.siblings[place].entry.block.start - top
            text = text[:at] + _NUMBER.sub(number, text[at:], count=1)
        return text if text.endswith(("\n", "\r")) else text + self.source.newline

    def numbered(self, place: int, number: str) -> Edit:
        start = self.siblings[place].entry.block.start
        match = _NUMBER.match(self.source.text, start)
        return Edit(start, match.end() if match else start, number, Effect(Change.MARKUP))

    def insertion(self, after: int | None, before: int | None, texts: list[str]) -> Edit:
        """Lines written behind a sibling, in the place of the newline that ends it: a removal of what follows
        is then another place."""
        text, blank = self.source.text, self.usual_blank
        if after is None:
            start = self.at(self.siblings[before or 0].top)
            return Edit(start, start, "".join(each + blank for each in texts), _MOVED)
        end = self.at(self.siblings[after].bottom)
        new = "".join(blank + each for each in texts)
        size = 2 if text.startswith("\r\n", end - 2) else 1
        if text[end - 1] not in "\r\n":
            return Edit(end, end, (self.source.newline + new).removesuffix(self.source.newline), _MOVED)
        return Edit(end - size, end, text[end - size : end] + new, _MOVED)

    def removal(self, place: int, gone: set[int]) -> Edit:
        """A sibling's lines with the shorter of the blanks around it."""
        sibling, text = self.siblings[place], self.source.text
        start, end = self.at(sibling.top), self.at(sibling.bottom)
        before = self._blank_before(place) if place else ""
        last = place + 1 == len(self.siblings)
        after = "" if last or place + 1 in gone else self._blank_before(place + 1)
        if not place or (not last and place + 1 not in gone and len(after) < len(before)):
            end += len(after)
        else:
            start -= len(before)
        if text[end - 1] not in "\r\n":
            start -= 2 if text.startswith("\r\n", start - 2) else 1
        return Edit(start, end, "", _MOVED)
