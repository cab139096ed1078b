"""A line as it is printed: its plain text, and the way back to the source and to its links."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.markdown.node import Break, Code, Emphasis, Html, Inline, Link, Text

_STRONG_TAGS = frozenset({"b", "strong"})
_EMPHASIS_TAGS = frozenset({"i", "em", "u", "ins"})


class TextRange(NamedTuple):
    """A stretch of printed text: a half-open range, and what holds it."""

    start: int
    end: int


class TextLink(NamedTuple):
    """A link and the range of its text in the line."""

    start: int
    end: int
    link: Link


class PlainText(NamedTuple):
    """Plain text with overlays; a break of lines is a newline where hard, else a blank."""

    text: str
    links: list[TextLink]
    strong: list[TextRange]
    emphasis: list[TextRange]
    images: list[Link]
    offsets: list[int]
    source_offsets: list[int]

    def span(self, start: int, end: int) -> Span:
        """Where a range of the text stands in the source."""
        if len(self.offsets) == 1:
            return Span(self.source_offsets[0] + start, self.source_offsets[0] + end)
        first = bisect_right(self.offsets, start) - 1
        last = max(bisect_right(self.offsets, end - 1) - 1, first) if end > start else first
        if first < 0:
            return Span(0, 0)
        return Span(
            self.source_offsets[first] + start - self.offsets[first],
            self.source_offsets[last] + end - self.offsets[last],
        )


def render_plain_text(inlines: Sequence[Inline]) -> PlainText:
    """The printed line of a block's inline nodes; comments and tags print nothing, `<br>` a newline."""
    if len(inlines) == 1 and isinstance(only := inlines[0], Text):
        return PlainText(only.value, [], [], [], [], [0], [only.start])
    printed = PlainText("", [], [], [], [], [], [])
    parts: list[str] = []
    _print(inlines, parts, 0, printed, {})
    return PlainText("".join(parts), *printed[1:])


def plain_text(inlines: Sequence[Inline]) -> str:
    """The words of some inline nodes, without markup, blanks folded."""
    return " ".join(render_plain_text(inlines).text.split())


def _print(
    inlines: Iterable[Inline], parts: list[str], length: int, printed: PlainText, opened: dict[str, int]
) -> int:
    at, to = printed.offsets, printed.source_offsets
    for node in inlines:
        if isinstance(node, Text):
            at.append(length)
            to.append(node.start)
            parts.append(node.value)
            length += len(node.value)
        elif isinstance(node, Link):
            if node.image:
                printed.images.append(node)
                continue
            start = length
            length = _print(node.children, parts, length, printed, opened)
            printed.links.append(TextLink(start, length, node))
        elif isinstance(node, Emphasis):
            start = length
            length = _print(node.children, parts, length, printed, opened)
            if node.delimiter != "~~":
                (printed.strong if len(node.delimiter) == 2 else printed.emphasis).append(
                    TextRange(start, length)
                )
        elif isinstance(node, Code):
            at.append(length)
            to.append(node.start + (node.end - node.start - len(node.value)) // 2)
            parts.append(node.value)
            length += len(node.value)
        elif isinstance(node, Break):
            at.append(length)
            to.append(node.start)
            parts.append("\n" if node.hard else " ")
            length += 1
        elif isinstance(node, Html):
            length = _print_tag(node, parts, length, printed, opened)
    return length


def _print_tag(node: Html, parts: list[str], length: int, printed: PlainText, opened: dict[str, int]) -> int:
    name = node.tag.lstrip("/")
    if name == "br":
        printed.offsets.append(length)
        printed.source_offsets.append(node.start)
        parts.append("\n")
        return length + 1
    if name in _STRONG_TAGS or name in _EMPHASIS_TAGS:
        if node.tag == name:
            opened.setdefault(name, length)
        elif name in opened:
            run = TextRange(opened.pop(name), length)
            (printed.strong if name in _STRONG_TAGS else printed.emphasis).append(run)
    return length
