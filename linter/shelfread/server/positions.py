"""Positions of the language server protocol, and offsets of the text.

A position is a line and a count of code units, both from 0. Lines end with LF, CRLF or CR, as in `Source`. The code
units are those of the encoding that client and server agreed on. Offsets count code points, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source

_UNIT_BYTES = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""For each encoding the codec and the size of a code unit."""


def _count_units(text: str, encoding: str) -> int:
    """Return the length of a text in code units of `utf-8`, `utf-16` or `utf-32`."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    codec, size = _UNIT_BYTES[encoding]
    return len(text.encode(codec)) // size


def _count_code_points(line: str, units: int, encoding: str) -> int:
    """Return how many code points of a line take `units` code units at most; all if the line is shorter."""
    if encoding == "utf-32" or line.isascii():
        return min(units, len(line))
    codec, size = _UNIT_BYTES[encoding]
    # The part of a character at the end is ignored: a position within a character is that of the character.
    return len(line.encode(codec)[: units * size].decode(codec, "ignore"))


class Positions:
    """Converts between the offsets of a text and positions."""

    def __init__(self, source: Source, encoding: str = "utf-16") -> None:
        self.source, self.encoding = source, encoding
        self._before = _count_units("\ufeff", encoding) if source.bom else 0
        """The BOM is a character of the first line for the client; `Source` leaves it out."""

    def position(self, offset: int) -> lsp.Position:
        """Return the position of an offset; of one beyond the end, that of the end."""
        source = self.source
        line = source.line_at(min(offset, len(source.text)))
        before = source.lines[line][: offset - source.starts[line]]
        return lsp.Position(line, _count_units(before, self.encoding) + (self._before if line == 0 else 0))

    def range(self, span: Span) -> lsp.Range:
        """Return the range of a span."""
        return lsp.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position; one beyond the end of its line or of the text is that end."""
        lines, line = self.source.lines, position.line
        if line >= len(lines):
            return len(self.source.text)
        units = position.character - (self._before if line == 0 else 0)
        return self.source.starts[line] + _count_code_points(lines[line], max(units, 0), self.encoding)

    def span(self, range: lsp.Range) -> Span:
        """Return the span of a range; the end of a range that ends before it starts is its start."""
        start = self.offset(range.start)
        return Span(start, max(start, self.offset(range.end)))


def split_lines(text: str) -> list[str]:
    """Return the lines of a text with their newlines; the last one, perhaps empty, has none."""
    source = Source(text)
    return [text[start:end] for start, end in pairwise([*source.starts, len(text)])]


def replace_range(lines: Sequence[str], range: lsp.Range, text: str, encoding: str) -> list[str]:
    """Return the lines, with their newlines, after a range of them is replaced; what is beyond the end is the end."""
    first, before = _locate(lines, range.start, encoding)
    last, after = _locate(lines, range.end, encoding)
    if (last, after) < (first, before):
        last, after = first, before
    # A line more on both sides: the text may begin or end within a CRLF, or make one.
    begin, end = max(first - 1, 0), min(last + 2, len(lines))
    joined = "".join(lines[begin:first]) + lines[first][:before] + text + lines[last][after:]
    new = split_lines(joined + "".join(lines[last + 1 : end]))
    if end < len(lines) and not new[-1]:
        new.pop()  # the line after them is there
    return [*lines[:begin], *new, *lines[end:]]


def _locate(lines: Sequence[str], position: lsp.Position, encoding: str) -> tuple[int, int]:
    """Return the index of a position's line, and the offset in it."""
    if position.line >= len(lines):
        return len(lines) - 1, len(lines[-1])
    line = lines[position.line].rstrip("\r\n")
    return position.line, _count_code_points(line, position.character, encoding)
