"""A line of a list with a place in it underlined, cut to what a terminal holds."""

from __future__ import annotations

from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.report.terminal import TerminalStyle, fit, printable_character, width


class Snippet(NamedTuple):
    """A line as printed, and what is underlined: `indent` columns from its beginning, `length` wide."""

    text: str
    indent: int
    length: int


def line_span(source: Source, line: int) -> Span:
    """The span of a line, from 1, without its end."""
    start = source.starts[line - 1]
    return Span(start, start + len(source.lines[line - 1]))


def snippet(source: Source, span: Span, room: int, style: TerminalStyle) -> Snippet:
    """The first line of a span; a longer one goes on as far as there is room."""
    line = line_span(source, source.position(span.start)[0])
    start, end = min(span.start, line.end), min(max(span.end, span.start), line.end)
    # A character takes one column at least, but for marks: looking further than this is of no use.
    before = [printable_character(one) for one in source.text[max(line.start, start - 2 * room) : start]]
    within = [printable_character(one) for one in source.text[start : min(end, start + 2 * room)]]
    after = [printable_character(one) for one in source.text[end : min(line.end, end + 2 * room)]]
    ellipsis = style.ellipsis
    middle, length = fit(within, room - 2 * len(ellipsis))
    if len(middle) < len(within):
        after, middle = [], [*middle, ellipsis]
        length += len(ellipsis)
    spare = room - length
    total_before, total_after = width("".join(before)), width("".join(after))
    # What precedes gets what is left of the room, but at least half of the spare; else what follows.
    left_room = max(spare // 2, spare - total_after)
    if total_before > left_room:
        kept, used = fit(reversed(before), left_room - len(ellipsis))
        before = [ellipsis, *reversed(kept)]
        total_before = used + len(ellipsis)
    if total_after > spare - total_before:
        kept, _ = fit(after, spare - total_before - len(ellipsis))
        after = [*kept, ellipsis]
    return Snippet("".join([*before, *middle, *after]), total_before, max(length, 1))
