"""Decoding, newlines, and the way between offsets and lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.errors import InputError
from shelfread.core.source import Source

texts = st.text(st.sampled_from("ab\n\r\t\f\v\u2028\x85\x1c é👩"), max_size=30)


def test_a_bom_is_not_text_and_comes_back():
    source = Source.from_bytes(b"\xef\xbb\xbf# a\n", "list.md")
    assert (source.text, source.bom, source.path) == ("# a\n", True, "list.md")
    assert source.to_bytes("# b\n") == b"\xef\xbb\xbf# b\n"
    assert Source.from_bytes(b"a").to_bytes("é") == "é".encode()


def test_a_second_bom_is_text():
    assert Source.from_bytes(b"\xef\xbb\xbf\xef\xbb\xbfa").text == "\ufeffa"


def test_the_empty_text():
    source = Source.from_bytes(b"")
    assert (source.lines, source.starts, source.newline) == ([""], [0], "\n")
    assert source.position(0) == (1, 1)


@pytest.mark.parametrize(
    ("text", "lines", "starts", "newline"),
    [
        ("a\nb\n", ["a", "b", ""], [0, 2, 4], "\n"),
        ("a\r\nb", ["a", "b"], [0, 3], "\r\n"),
        ("a\rb\r", ["a", "b", ""], [0, 2, 4], "\r"),
        ("a\r\nb\nc\r\rd", ["a", "b", "c", "", "d"], [0, 3, 5, 7, 8], "\r\n"),
        ("a\fb\u2028c\x85d\x1ce\vf", ["a\fb\u2028c\x85d\x1ce\vf"], [0], "\n"),
        ("\n\r", ["", "", ""], [0, 1, 2], "\n"),
    ],
)
def test_only_lf_crlf_and_cr_end_lines(text, lines, starts, newline):
    source = Source(text)
    assert (source.lines, source.starts, source.newline) == (lines, starts, newline)


@given(texts)
def test_lines_and_starts_say_the_same(text):
    source = Source(text)
    ends = [*re.findall(r"\r\n|\n|\r", text), ""]
    assert "".join(line + end for line, end in zip(source.lines, ends, strict=True)) == text
    for line, start in zip(source.lines, source.starts, strict=True):
        assert text.startswith(line, start)


@given(texts)
def test_positions_go_both_ways(text):
    source = Source(text)
    for offset in range(len(text) + 1):
        line, column = source.position(offset)
        assert source.line_at(offset) == line - 1
        inside = text[offset - 1 : offset + 1] != "\r\n"
        assert source.offset(line, column) == (offset if inside else offset - 1) or column > len(
            source.lines[line - 1]
        )


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a [x] b", "a b"),
        ("a[x] b", "a b"),
        ("a [x]b", "a b"),
        ("[x]  b", "b"),
        ("  [x] b", "  b"),
        ("a [x]\nb", "a\nb"),
        ("a\n [x]\t\nb", "a\nb"),
        ("a\r\n[x]\r\nb", "a\r\nb"),
        ("a\n [x] ", "a\n"),
    ],
)
def test_what_is_removed_takes_its_blanks_along(text, left):
    start, end = Source(text).with_blanks(text.index("["), text.index("]") + 1)
    assert text[:start] + text[end:] == left


def test_a_column_counts_code_points():
    source = Source("a\n👩‍👩 b")
    assert source.position(source.text.index("b")) == (2, 5)
    assert source.offset(2, 5) == source.text.index("b")
    assert source.offset(1, 99) == 1


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"ab\xff", 1, "not UTF-8 at byte 2 (0xff)"),
        (b"\xef\xbb\xbfa\r\n\xe9", 2, "not UTF-8 at byte 6 (0xe9)"),
        (b"a\rb\r\xc3(", 3, "not UTF-8 at byte 4 (0xc3)"),
        (b"a\n\xed\xa0\x80", 2, "not UTF-8 at byte 2 (0xed)"),
        (b"\xff\xfe#\x00", 1, "not UTF-8 at byte 0 (0xff)"),
        (b"a\rb\n\0", 3, "a NUL character"),
        (b"#\x00 \x00", 1, "UTF-16"),
    ],
)
def test_what_cannot_be_read_is_said_with_its_place(data, line, message):
    with pytest.raises(InputError) as caught:
        Source.from_bytes(data, "list.md")
    assert (caught.value.path, caught.value.line) == ("list.md", line)
    assert message in caught.value.message
