"""Lines with a span underlined."""

from __future__ import annotations

import tracemalloc
from itertools import product

import pytest

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.report.finding_lines import snippet
from shelfread.report.rendering import TerminalStyle, width


@pytest.mark.parametrize(
    ("line", "what", "indent", "length"),
    [
        ("ab teh", "teh", 3, 3),
        ("\tteh", "teh", 4, 3),
        ("列表 teh", "teh", 5, 3),
        ("teh 列表", "列表", 4, 4),
        ("🎉 teh", "teh", 3, 3),
        ("e\u0301 teh", "teh", 2, 3),
        ("\u202eteh", "teh", 8, 3),
        ("a\u200bteh", "\u200b", 1, 8),
        ("", "", 0, 1),
    ],
)
def test_places_are_underlined_where_they_show(line: str, what: str, indent: int, length: int) -> None:
    start = line.index(what)
    made = snippet(Source(line), Span(start, start + len(what)), 80, TerminalStyle())
    assert (made.indent, made.length) == (indent, length)


@pytest.mark.parametrize("style", [TerminalStyle(), TerminalStyle(unicode=False)])
@pytest.mark.parametrize("alphabet", ["abcdefghij", "列表a🎉b", "\u202ea\t"])
def test_a_long_line_is_cut_around_the_place(style: TerminalStyle, alphabet: str) -> None:
    line = (alphabet * 1000)[:1000]
    places = product((0, 1, 50, 200, 399, 400, 799, 990, 1000), (0, 1, 10, 39, 40, 41, 300))
    for start, length in places:
        made = snippet(Source(line), Span(start, min(start + length, 1000)), 40, style)
        assert width(made.text) <= 40, (start, length)
        assert made.indent + made.length <= 41, (start, length)
        if 0 < length <= 10 and alphabet == "abcdefghij":
            assert made.text[made.indent : made.indent + made.length] == line[start : start + length]


def test_a_short_line_is_whole() -> None:
    assert snippet(Source("a" * 40), Span(39, 40), 40, TerminalStyle()).text == "a" * 40


def test_a_place_of_many_lines_shows_its_first() -> None:
    made = snippet(Source("one\ntwo\nthree"), Span(4, 13), 80, TerminalStyle())
    assert (made.text, made.indent, made.length) == ("two", 0, 3)


def test_a_megabyte_in_one_line_is_not_copied() -> None:
    source = Source("teh " * 250_000)
    snippet(source, Span(0, 3), 100, TerminalStyle())  # finds the lines of the text
    tracemalloc.start()
    try:
        for start in range(0, 1_000_000, 100_000):
            snippet(source, Span(start, start + 3), 100, TerminalStyle())
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()
