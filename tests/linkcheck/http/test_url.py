"""URLs as they are sent."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.errors import ConfigError
from shelfread.linkcheck.http.url import on_the_wire, private_hosts, redirected
from shelfread.linkcheck.request import FetchError


def test_private_hosts() -> None:
    assert private_hosts(["Wiki.Example", "10.0.0.7:8000", "[::1]:81", "::2", "wiki.example:99"]) == {
        "wiki.example": {None, 99},
        "10.0.0.7": {8000},
        "::1": {81},
        "::2": {None},
    }
    for invalid in (
        "",
        "http://wiki.example",
        "wiki.example/x",
        "me@wiki.example",
        "127.1",
        "a:b",
        "10.0.0.0/8",
    ):
        with pytest.raises(ConfigError, match="--allow-private"):
            private_hosts([invalid])


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        ("HTTP://Bücher.Example/ä ö?q=ü#x", "http://xn--bcher-kva.example/%C3%A4%20%C3%B6?q=%C3%BC"),
        ("http://ex%61mple.com/a%2fb%7e", "http://example.com/a%2fb%7e"),
        ("https://example.com?x=1", "https://example.com/?x=1"),
        ("https://example.com", "https://example.com/"),
        ("https://example.com.:443/a", "https://example.com./a"),
        (" http://example.com/a\n/b ", "http://example.com/a/b"),
        ("http://[2606:4700:0::1111]/", "http://[2606:4700::1111]/"),
        ("http://example.com/(a)|[b]{c}^`'", "http://example.com/(a)|[b]%7Bc%7D%5E%60'"),
        ("http://example.com/?(a)|[b]{c}^`'\\", "http://example.com/?(a)|[b]{c}^`%27\\"),
        ("http://example.com/a/../b/./c", "http://example.com/b/c"),
        ("http://example.com/a/%2E%2e/b/%2e/c", "http://example.com/b/c"),
        ("http://example.com/../../a", "http://example.com/a"),
        ("http://example.com/a/b/..", "http://example.com/a/"),
        ("http://example.com/a/.", "http://example.com/a/"),
        ("http://example.com/a//../b", "http://example.com/a/b"),
        ("http://example.com/...", "http://example.com/..."),
        ("http://example.com/.well-known/.a", "http://example.com/.well-known/.a"),
        ("http://example.com\\a\\..\\b?c\\d", "http://example.com/b?c\\d"),
        ("http:\\\\example.com\\a", "http://example.com/a"),
        ("http://example.com/?a/../b", "http://example.com/?a/../b"),
        ("http://example.com/@a", "http://example.com/@a"),
        ('http://example.com/"a"<b>', "http://example.com/%22a%22%3Cb%3E"),
        ("http://example.com/a?b=c d&e=%20", "http://example.com/a?b=c%20d&e=%20"),
    ],
)
def test_urls_are_sent_as_browsers_do(written: str, sent: str) -> None:
    assert str(on_the_wire(written)) == sent


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/b c", "http://h.test/b%20c"),
        ("b", "http://h.test/a/b"),
        ("../b", "http://h.test/b"),
        ("?b", "http://h.test/a/x?b"),
        ("//other.test/b", "http://other.test/b"),
        ("\\\\other.test\\b", "http://other.test/b"),
        ("/caf\udcc3\udca9", "http://h.test/caf%C3%A9"),
        ("/b#part two", "http://h.test/b#part%20two"),
        ("HTTPS://other.test", "https://other.test"),
        ("/b\t\r\nc", "http://h.test/bc"),
    ],
)
def test_locations_are_read_as_browsers_do(location: str, target: str) -> None:
    assert redirected("http://h.test/a/x?c#d", location) == target


def test_the_longest_url() -> None:
    assert on_the_wire("http://h.test/".ljust(8192, "x"))
    with pytest.raises(FetchError, match="longer"):
        on_the_wire("http://h.test/".ljust(8193, "x"))


_PARTS = [
    "..",
    ".",
    "%2e",
    "%2E%2e",
    "a",
    "A%20",
    "\\",
    "/",
    "//",
    "?",
    "{b}",
    "^",
    "|",
    "`",
    "'",
    '"',
    "<",
    "é",
    "中",
    " ",
    "%zz",
    "=&",
]


@given(st.lists(st.sampled_from(_PARTS), max_size=12).map("".join))
def test_what_is_sent_is_sent_again_as_it_is(tail: str) -> None:
    sent = str(on_the_wire(f"http://h.test/{tail}"))
    assert sent.isascii() and sent.isprintable() and " " not in sent
    assert str(on_the_wire(sent)) == sent
    path = sent.partition("?")[0]
    assert not set(path) & set('\\^`{}"<>')
    assert not {".", "..", "%2e", "%2e%2e"} & set(path.lower().split("/"))
