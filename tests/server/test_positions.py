"""Positions in code units, with astral characters, every end of a line, a BOM, and places beyond the end."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.server.open_documents import OpenDocument, Positions, split_lines
from support.language_client import UNITS

TEXTS = st.text(alphabet="aé中😀\u2028\u0085\f\n\r |", max_size=30)
ENCODINGS = st.sampled_from(sorted(UNITS))


def place(line: int, character: int) -> lsp.Position:
    return lsp.Position(line, character)


@pytest.mark.parametrize(
    ("encoding", "character"),
    [("utf-8", 10), ("utf-16", 5), ("utf-32", 4)],
    ids=["utf-8", "utf-16", "utf-32"],
)
def test_a_character_counts_as_its_code_units(encoding: str, character: int) -> None:
    positions = Positions(Source("- x\n中😀é [a]\n"), encoding)
    offset = positions.source.text.index("[")
    assert positions.position(offset) == place(1, character)
    assert positions.offset(place(1, character)) == offset


def test_only_three_ends_end_a_line() -> None:
    positions = Positions(Source("a\u2028b\r\nc\rd\ne\x0bf\x85g"))
    assert [positions.position(offset).line for offset in range(14)] == [
        0,
        0,
        0,
        0,
        0,
        1,
        1,
        2,
        2,
        3,
        3,
        3,
        3,
        3,
    ]


def test_the_bom_is_a_character_of_the_client() -> None:
    assert Positions(Source("# A", bom=True), "utf-16").position(2) == place(0, 3)
    assert Positions(Source("# A", bom=True), "utf-8").position(2) == place(0, 5)
    assert Positions(Source("# A", bom=True), "utf-8").offset(place(0, 0)) == 0


def test_what_is_beyond_the_end_is_the_end() -> None:
    positions = Positions(Source("ab\r\nc"))
    assert positions.offset(place(0, 99)) == 2
    assert positions.offset(place(9, 0)) == 5
    assert positions.position(99) == place(1, 1)
    assert positions.span(lsp.Range(place(1, 1), place(0, 0))) == Span(5, 5)


def test_a_place_within_a_character_is_its_beginning() -> None:
    positions = Positions(Source("😀a"))
    assert [positions.offset(place(0, units)) for units in range(4)] == [0, 0, 1, 2]


def client_lines(text: str) -> list[str]:
    """Return lines with their ends, as the protocol counts them."""
    return re.split(r"(?<=\n)|(?<=\r)(?!\n)", text)


def is_within_crlf(text: str, offset: int) -> bool:
    return offset > 0 and text[offset - 1 : offset + 1] == "\r\n"


def client_position(text: str, offset: int, encoding: str) -> lsp.Position:
    """Return the position of an offset, which is not within a CRLF."""
    codec, size = UNITS[encoding]
    before = client_lines(text[:offset])
    return place(len(before) - 1, len(before[-1].encode(codec)) // size)


@given(TEXTS, ENCODINGS)
def test_every_offset_has_its_position(text: str, encoding: str) -> None:
    positions = Positions(Source(text), encoding)
    for offset in range(len(text) + 1):
        if not is_within_crlf(text, offset):
            assert positions.position(offset) == client_position(text, offset, encoding)
            assert positions.offset(positions.position(offset)) == offset


@given(TEXTS)
def test_lines_are_those_of_the_protocol(text: str) -> None:
    assert split_lines(text) == client_lines(text)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 31), st.integers(0, 31), TEXTS), max_size=6), ENCODINGS)
def test_changes_give_the_text_that_the_client_has(
    text: str, changes: list[tuple[int, int, str]], encoding: str
) -> None:
    document = OpenDocument("", "markdown", "list.md", True, 0, text)
    for first, last, new in changes:
        offsets = sorted(min(offset, len(text)) for offset in (first, last))
        start, end = (offset - is_within_crlf(text, offset) for offset in offsets)
        range = lsp.Range(client_position(text, start, encoding), client_position(text, end, encoding))
        document = document.changed(1, [lsp.TextDocumentContentChangePartial(range, new)], encoding)
        text = text[:start] + new + text[end:]
        assert document.text == text


def test_a_range_that_ends_before_it_starts_is_where_it_starts() -> None:
    positions = Positions(Source("ab\ncd\n"), "utf-16")
    assert positions.span(lsp.Range(place(1, 1), place(0, 0))) == Span(4, 4)
