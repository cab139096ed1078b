"""Rows of an annotated list: a place in the source, a word for what it is, and a text."""

from __future__ import annotations

from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.report.snippet import line_span
from shelfread.report.terminal import TerminalStyle, printable

MAX_SOURCE = 160
"""The longest source line that is shown whole."""
MAX_VALUE = 400
_WORD_WIDTH = len("affiliations?")
_COLOURS = {"section": ("bold",), "no entry": ("cyan",), "not read": ("red",), "unread": ("red",)}


class Row(NamedTuple):
    """A line of the report; `line` and `end_line` count from 1, the last one included."""

    line: int
    end_line: int
    word: str
    """What the row states: a field, with `?` if it is uncertain, or the kind of the lines."""
    text: str

    def render(self, width: int, style: TerminalStyle) -> str:
        """Return the row as one printable line, its first column `width` wide."""
        place = f"{self.line}-{self.end_line}" if self.end_line > self.line else f"{self.line}"
        colours = _COLOURS.get(
            self.word.partition(":")[0], ("yellow",) if self.word[-1:] == "?" else ("dim",)
        )
        padding = " " * (_WORD_WIDTH - len(self.word))
        return f"{place:<{width}}  {style.paint(self.word, *colours)}{padding} {self.text}".rstrip()


def source_line(source: Source, line: int, start: int = 0, end: int = 0) -> str:
    """Return a line as source text, from offset `start` on and up to `end` where these are given."""
    span = line_span(source, line)
    end = min(span.end, end) if end else span.end
    return f"| {excerpt(source.text, max(span.start, start), end, MAX_SOURCE)}".rstrip()


def shown(value: str) -> str:
    """Return a value in one printable line, shortened in its middle if it is very long."""
    return excerpt(value, 0, len(value), MAX_VALUE)


def excerpt(text: str, start: int, end: int, most: int) -> str:
    """Return `text[start:end]` in one printable line, without its middle if it has more than `most` characters."""
    spans = [(start, end)]
    if end - start > most:
        tail = most // 3
        spans = [(start, start + most - tail), (end - tail, end)]
    return " … ".join(_on_one_line(text[begin:stop]) for begin, stop in spans)


def _on_one_line(text: str) -> str:
    return printable(text.replace("\r\n", " ").replace("\n", " ").replace("\r", " "))
