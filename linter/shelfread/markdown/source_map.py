"""Maps from the inline content of a block to the source.

The block parser removes a prefix from each line (indentation, block quote markers, a heading's `#`) and trims
the result. It records the column at which the content of each line begins.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from markdown_it.common.utils import MD_TRIM_CHARS

from shelfread.core.patterns import lazy
from shelfread.core.source import Source

_ANY_PIPE = lazy(r"\|")
_PIPE = lazy(r"(?<!\\)\|")
_ESCAPED_PIPE = lazy(r"\\\|")


class SourceMap(NamedTuple):
    """The content offsets (rising) at which segments begin, and the source offset of each of them."""

    offsets: list[int]
    source_offsets: list[int]

    def to_source(self, offset: int) -> int:
        """Return the source offset of a content offset."""
        i = bisect_right(self.offsets, offset) - 1
        return self.source_offsets[i] + offset - self.offsets[i] if i >= 0 else self.source_offsets[0]


def map_content(content: str, first: int, columns: Sequence[int], source: Source) -> SourceMap:
    """Map the trimmed content of a paragraph, setext heading or HTML block, with one segment per line.

    `first` is the index of its first line, `columns` those at which the contents of its lines begin. A line of
    the content is always the end of a source line, but it may begin before its column: upstream miscounts
    some tabs in block quotes.
    """
    line = source.lines[first]
    if len(columns) == 1 and line.startswith(content, columns[0]):
        return SourceMap([0], [source.starts[first] + columns[0]])
    skipped = 0  # lines of Unicode whitespace only, which trimming has removed
    while skipped < len(columns) - 1:
        if source.lines[first + skipped][columns[skipped] :].strip(MD_TRIM_CHARS):
            break
        skipped += 1
    offsets: list[int] = []
    source_offsets: list[int] = []
    offset = 0
    for index, content_line in enumerate(content.split("\n"), first + skipped):
        line = source.lines[index]
        body = content_line.lstrip(" \t")  # a tab removed in part leaves spaces that the source does not have
        end = len(line) if line.endswith(body) else len(line.rstrip(MD_TRIM_CHARS))
        offsets.append(offset + len(content_line) - len(body))
        source_offsets.append(source.starts[index] + end - len(body))
        offset += len(content_line) + 1
    return SourceMap(offsets, source_offsets)


def map_heading(content: str, line: int, column: int, source: Source) -> SourceMap:
    """Map the content of an ATX heading, which stands between runs of `#`."""
    text = source.lines[line]
    while text.startswith("#", column):
        column += 1
    spaces = len(text) - column - len(text[column:].lstrip(MD_TRIM_CHARS)) if content else 0
    return SourceMap([0], [source.starts[line] + column + spaces])


def map_row(contents: list[str], line: int, column: int, source: Source) -> list[SourceMap]:
    """Map the cells of a table row. `\\|` in a cell is `|` in its content."""
    text = source.lines[line]
    start, end = _trim(text, column, len(text))
    pattern = _PIPE if "\\|" in text else _ANY_PIPE
    pipes = [match.start() for match in pattern.finditer(text, start, end)]
    edges = [start - 1, *pipes, end]
    if pipes and pipes[0] == start:
        del edges[0]
    line_start = source.starts[line]
    missing = SourceMap([0], [line_start + end])
    maps = [_map_cell(text, edges[i] + 1, edges[i + 1], line_start) for i in range(len(edges) - 1)]
    return maps[: len(contents)] + [missing] * (len(contents) - len(maps))


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in MD_TRIM_CHARS:
        start += 1
    while end > start and text[end - 1] in MD_TRIM_CHARS:
        end -= 1
    return start, end


def _map_cell(text: str, start: int, end: int, line_start: int) -> SourceMap:
    start, end = _trim(text, start, end)
    offsets, source_offsets = [0], [line_start + start]
    if text.find("\\|", start, end) < 0:
        return SourceMap(offsets, source_offsets)
    for dropped, match in enumerate(_ESCAPED_PIPE.finditer(text, start, end)):
        # The backslash is dropped, so the pipe maps to both.
        pipe = match.start() - start - dropped
        offsets += pipe, pipe + 1
        source_offsets += line_start + match.start(), line_start + match.end()
    return SourceMap(offsets, source_offsets)
