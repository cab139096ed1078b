"""Where a block's inline content stands in the source.

The block parser takes a prefix off each line (indentation, quote marks, a heading's `#`) and trims the
whole; it notes the column at which each line's content begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.common.utils import MD_TRIM_CHARS

from shelfread.core.source import Source
from shelfread.core.support.regex import lazy

_PIPE = lazy(r"(?<!\\)\|")
_ESCAPED_PIPE = lazy(r"\\\|")


class SourceMap(NamedTuple):
    """Content offsets `at` (rising) that begin stretches, and the source offsets `to` they stand at."""

    offsets: list[int]
    source_offsets: list[int]

    def to_source(self, offset: int) -> int:
        """The source offset that a content offset stands for."""
        i = bisect_right(self.offsets, offset) - 1
        return self.source_offsets[i] + offset - self.offsets[i] if i >= 0 else self.source_offsets[0]


def map_content(content: str, first: int, columns: Sequence[int], source: Source) -> SourceMap:
    """The places of the lines of a trimmed paragraph, setext heading or HTML block.

    `first` is the number of its first line, `columns` are those at which its lines' content begins. Every
    line of the content is the end of a source line, but it may begin before its column: upstream miscounts
    some tabs in quotes.
    """
    line = source.lines[first]
    if len(columns) == 1 and line.startswith(content, columns[0]):
        return SourceMap([0], [source.starts[first] + columns[0]])
    skipped = 0  # lines of exotic blanks alone, which trimming has removed
    while skipped < len(columns) - 1:
        if source.lines[first + skipped][columns[skipped] :].strip(MD_TRIM_CHARS):
            break
        skipped += 1
    at: list[int] = []
    to: list[int] = []
    offset = 0
    for number, part in enumerate(content.split("\n"), first + skipped):
        line = source.lines[number]
        body = part.lstrip(" \t")  # a tab taken in part leaves blanks that the source lacks
        end = len(line) if line.endswith(body) else len(line.rstrip(MD_TRIM_CHARS))
        at.append(offset + len(part) - len(body))
        to.append(source.starts[number] + end - len(body))
        offset += len(part) + 1
    return SourceMap(at, to)


def map_heading(content: str, line: int, column: int, source: Source) -> SourceMap:
    """The place of an ATX heading's content, which stands between runs of `#`."""
    text = source.lines[line]
    while text.startswith("#", column):
        column += 1
    blanks = len(text) - column - len(text[column:].lstrip(MD_TRIM_CHARS)) if content else 0
    return SourceMap([0], [source.starts[line] + column + blanks])


def map_row(contents: list[str], line: int, column: int, source: Source) -> list[SourceMap]:
    """The places of a table row's cells; a cell's `\\|` stands for `|` in its content."""
    text = source.lines[line]
    start, end = _trim(text, column, len(text))
    cuts = [match.start() for match in _PIPE.finditer(text, start, end)]
    edges = [start - 1, *cuts, end]
    if cuts and cuts[0] == start:
        del edges[0]
    begin = source.starts[line]
    missing = SourceMap([0], [begin + end])
    places = [_map_cell(text, edges[i] + 1, edges[i + 1], begin) for i in range(len(edges) - 1)]
    return places[: len(contents)] + [missing] * (len(contents) - len(places))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in MD_TRIM_CHARS:
        start += 1
    while end > start and text[end - 1] in MD_TRIM_CHARS:
        end -= 1
    return start, end


def _map_cell(text: str, start: int, end: int, base: int) -> SourceMap:
    start, end = _trim(text, start, end)
    at, to = [0], [base + start]
    for dropped, match in enumerate(_ESCAPED_PIPE.finditer(text, start, end)):
        # The backslash is dropped, so the pipe stands for both.
        pipe = match.start() - start - dropped
        at += pipe, pipe + 1
        to += base + match.start(), base + match.end()
    return SourceMap(at, to)
