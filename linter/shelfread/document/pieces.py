"""Cuts a text into pieces that can be parsed one by one, and keeps those that are the same after an edit.

A piece begins at a heading that is one whatever stands above it: each cut is proved by parsing a heading behind the piece.
Pieces are joined where something reaches over a heading: a formula, a generated part, a heading that is an entry.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.document.entry.entry_fields import all_links
from shelfread.document.linked_headings import choose_linked, levels_and_links
from shelfread.markdown.node import Link, Tree
from shelfread.markdown.parse import BlockParse
from shelfread.markdown.protected import find_math_blocks, generator_marks

_HEADING = lazy(r"^(#{1,6})(?=[ \t\r\n]|\Z)", re.MULTILINE)
_SENTINEL = "#\n"
"""A heading that is parsed behind a part, to see whether one can begin there."""


class Piece(NamedTuple):
    """The text of a part and its syntax tree."""

    source: Source
    front_matter: int
    """The number of its lines."""
    tree: Tree
    links: tuple[Link, ...]
    references: Mapping[str, tuple[str, str]]
    """The destination and the title of its definitions, by label."""
    headings: tuple[tuple[int, bool], ...]
    """The level of each heading, and whether it links to what it names."""
    marks: tuple[tuple[bool, str], ...]
    """The comments of generators: whether it ends a generated part, and its name."""
    is_closed: bool
    """Whether a heading can follow it, which is not known of the last one."""

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def level(self) -> int:
        """The level of the heading that it begins with; 0 for the first piece."""
        match = _HEADING.match(self.source.text)
        return len(match[1]) if match else 0


class Pieces:
    """The pieces of a text; those of an earlier one are kept."""

    def __init__(
        self,
        source: Source,
        front_matter: int,
        old: Sequence[Piece],
        references: Mapping[str, tuple[str, str]],
    ) -> None:
        """`references` are the definitions that the old pieces were read with."""
        self._source, self._front_matter = source, front_matter
        self._newline = source.newline if "\r" in source.text else "\n"
        self._old = old
        self.found: list[Piece] = []
        self.references = references

    def read(self) -> None:
        """Find and parse the pieces."""
        text = self._source.text
        first, last, start, end = self._find_changed(text)
        old = self._old
        middle = list(self._split(text, start, end, old[last:]))
        taken = sum(len(source.text) for source, _ in middle) - (end - start)
        while taken > 0:
            taken -= len(old[last].text)
            last += 1
        self._parse([*old[:first], *middle, *old[last:]])
        while merged := self._find_merged():
            self._merge(merged)

    def _find_changed(self, text: str) -> tuple[int, int, int, int]:
        """Return the indexes of the first old piece that is not the same, and of those that are again, and where."""
        old = self._old
        first, start = 0, 0
        while first < len(old) and text.startswith(old[first].text, start):
            start += len(old[first].text)
            first += 1
        last, end = len(old), len(text)
        while last > max(first, 1) and text.endswith(old[last - 1].text, start, end):
            last -= 1
            end -= len(old[last].text)
        # A piece ends where a line does and a heading begins, or the text ends.
        while last < len(old) and end > 0 and text[end - 1] != "\n":
            end += len(old[last].text)
            last += 1
        while (
            first
            and start < len(text)
            and not (old[first - 1].is_closed and text[start - 1] == "\n" and _HEADING.match(text, start))
        ):
            first -= 1
            start -= len(old[first].text)
        return first, last, start, end

    def _split(
        self, text: str, start: int, end: int, after: Sequence[Piece]
    ) -> Iterator[tuple[Source, BlockParse]]:
        """Yield the text from `start` to `end` at its headings, with as much of the pieces behind it as belongs to it."""
        behind = list(after)
        edges = [match.start() for match in _HEADING.finditer(text, start, end) if match.start() > start]
        if start == 0 and self._front_matter:
            starts = self._source.starts
            body = starts[self._front_matter] if self._front_matter < len(starts) else len(text)
            edges = [edge for edge in edges if edge >= body]
        edges.append(end)
        edges.reverse()
        step = 1
        while start < end:
            for _ in range(min(step, len(edges))):
                edge = edges.pop()
            source = self._part_source(text[start:edge])
            front_matter = self._front_matter if start == 0 else 0
            if edge == len(text):
                yield source, BlockParse(source, front_matter)
                return
            parse = BlockParse(source, front_matter, _SENTINEL)
            if parse.ends_with_heading():
                yield source, parse
                start, step = edge, 1
                continue
            edges.append(edge)
            step *= 2  # a fence that is not closed may reach over many headings
            while len(edges) < step + 1 and behind:
                end += len(behind.pop(0).text)
                edges.insert(0, end)

    def _part_source(self, text: str) -> Source:
        source = Source(text, self._source.path)
        source.__dict__["newline"] = self._newline
        return source

    def _parse(self, pieces: Sequence[Piece | tuple[Source, BlockParse]]) -> None:
        """Parse the inlines of new pieces; if the definitions are others than before, of all."""
        own = [piece.references if isinstance(piece, Piece) else piece[1].references for piece in pieces]
        references: dict[str, tuple[str, str]] = {}
        for found in own:
            for label, definition in found.items():
                references.setdefault(label, definition)
        is_same = references == self.references
        self.references = references
        self.found = []
        for index, piece in enumerate(pieces):
            is_last = index + 1 == len(pieces)
            if isinstance(piece, Piece):
                if is_same:
                    self.found.append(piece)
                    continue
                front_matter = piece.front_matter
                parse = BlockParse(piece.source, front_matter, "" if is_last else _SENTINEL)
                if not is_last:
                    parse.ends_with_heading()
                source = piece.source
            else:
                (source, parse), front_matter = piece, self._front_matter if not index else 0
            found = parse.references
            tree = parse.tree(references)
            self.found.append(
                Piece(
                    source=source,
                    front_matter=front_matter,
                    tree=tree,
                    links=tuple(all_links(tree.blocks)),
                    references=found,
                    headings=tuple(levels_and_links(tree.blocks)),
                    marks=tuple(generator_marks(tree.comments)),
                    is_closed=not is_last,
                )
            )

    def _find_merged(self) -> list[tuple[int, int]]:
        """Return the rows of pieces that belong together, as half-open ranges of indexes."""
        rows = [*self._below_linked(), *self._generated(), *self._formulas()]
        merged: list[tuple[int, int]] = []
        for first, last in sorted(rows):
            if merged and first < merged[-1][1]:
                merged[-1] = merged[-1][0], max(merged[-1][1], last)
            else:
                merged.append((first, last))
        return merged

    def _below_linked(self) -> Iterator[tuple[int, int]]:
        """Yield the pieces below each heading that is an entry: they are its description."""
        for index, linked in enumerate(linked_headings(self.found)):
            if linked:
                level = min(self.found[index].headings[number][0] for number in linked)
                last = index + 1
                while last < len(self.found) and self.found[last].level > level:
                    last += 1
                if last > index + 1:
                    yield index, last

    def _generated(self) -> Iterator[tuple[int, int]]:
        opened: dict[str, int] = {}
        for index, piece in enumerate(self.found):
            for is_end, name in piece.marks:
                if not is_end:
                    opened.setdefault(name, index)
                elif (start := opened.pop(name, index)) < index:
                    yield start, index + 1

    def _formulas(self) -> Iterator[tuple[int, int]]:
        text = self._source.text
        if "$$" not in text:
            return
        starts = [0, *accumulate(len(piece.text) for piece in self.found)]
        for span in find_math_blocks(text):
            first, last = bisect_right(starts, span.start) - 1, bisect_right(starts, span.end - 1)
            if last > first + 1:
                yield first, last

    def _merge(self, rows: Iterable[tuple[int, int]]) -> None:
        pieces: list[Piece | tuple[Source, BlockParse]] = []
        done = 0
        for first, last in rows:
            pieces += self.found[done:first]
            source = self._part_source("".join(piece.text for piece in self.found[first:last]))
            front_matter = self.found[first].front_matter
            if last == len(self.found):
                pieces.append((source, BlockParse(source, front_matter)))
            else:
                parse = BlockParse(source, front_matter, _SENTINEL)
                parse.ends_with_heading()
                pieces.append((source, parse))
            done = last
        self._parse([*pieces, *self.found[done:]])


def linked_headings(pieces: Sequence[Piece]) -> list[frozenset[int]]:
    """Return for each piece the numbers of its headings that are entries."""
    linked = choose_linked([heading for piece in pieces for heading in piece.headings])
    if not linked:
        return [frozenset()] * len(pieces)
    found = []
    done = 0
    for piece in pieces:
        count = len(piece.headings)
        found.append(frozenset([number for number in range(count) if done + number in linked]))
        done += count
    return found
