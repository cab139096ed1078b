"""Lines of a list with a span underlined, cut to the width of the terminal."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.report.terminal import TerminalStyle, fit, printable_character, width


class Snippet(NamedTuple):
    """A line as printed, and the columns to underline: `length` columns after the first `indent`."""

    text: str
    indent: int
    length: int


def line_span(source: Source, line: int) -> Span:
    """Return the span of a line, counted from 1, without its newline."""
    start = source.starts[line - 1]
    return Span(start, start + len(source.lines[line - 1]))


def _cells(text: str) -> list[str]:
    """Return each character as it is printed."""
    return list(text) if text.isprintable() else list(map(printable_character, text))


def snippet(source: Source, span: Span, room: int, style: TerminalStyle) -> Snippet:
    """Return the first line of a span with as much as fits into `room` columns."""
    line = line_span(source, source.position(span.start)[0])
    start, end = min(span.start, line.end), min(max(span.end, span.start), line.end)
    # All but combining characters take a column, so that no more than this can be shown.
    before = _cells(source.text[max(line.start, start - 2 * room) : start])
    within = _cells(source.text[start : min(end, start + 2 * room)])
    after = _cells(source.text[end : min(line.end, end + 2 * room)])
    ellipsis = style.ellipsis
    middle, length = fit(within, room - 2 * len(ellipsis))
    if len(middle) < len(within):
        after, middle = [], [*middle, ellipsis]
        length += len(ellipsis)
    spare = room - length
    total_before, total_after = width("".join(before)), width("".join(after))
    # The text before gets what the text after does not need, but at least half of the room.
    left_room = max(spare // 2, spare - total_after)
    if total_before > left_room:
        kept, used = fit(reversed(before), left_room - len(ellipsis))
        before = [ellipsis, *reversed(kept)]
        total_before = used + len(ellipsis)
    if total_after > spare - total_before:
        kept, _ = fit(after, spare - total_before - len(ellipsis))
        after = [*kept, ellipsis]
    return Snippet("".join([*before, *middle, *after]), total_before, max(length, 1))
