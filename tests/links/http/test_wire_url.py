"""URLs as they are sent."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shelfread.core.errors import ConfigError
from shelfread.links.exchange import FetchError
from shelfread.links.wire_url import on_the_wire, private_hosts, redirected


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
        "127.1.1.1.1",
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
        ("http://example.com:80/a", "http://example.com/a"),
        ("https://example.com:0443/a", "https://example.com/a"),
        ("http://example.com:08080/a", "http://example.com:8080/a"),
        ("http://example.com:/a", "http://example.com/a"),
        ("http:/example.com/a", "http://example.com/a"),
        ("http:\\/\\example.com/a", "http://example.com/a"),
        ("ht\ttp://exam\nple.com/a\r", "http://example.com/a"),
        ("http://134744072/", "http://8.8.8.8/"),
        ("http://8.8.2056/", "http://8.8.8.8/"),
        ("http://0x8.010.0X808./", "http://8.8.8.8/"),
        ("http://８。８．８.8/", "http://8.8.8.8/"),
        ("http://0x/", "http://0.0.0.0/"),
        ("http://faß.example/", "http://xn--fa-hia.example/"),
        ("http://ＥＸＡＭＰＬＥ。com/", "http://example.com/"),
        ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
        ("http://exam\u00adple\u200b.com/", "http://example.com/"),
        ("http://example.com/\x01\x7f%zz%", "http://example.com/%01%7F%zz%"),
        ("http://example.com/@a", "http://example.com/@a"),
        ('http://example.com/"a"<b>', "http://example.com/%22a%22%3Cb%3E"),
        ("http://example.com/a?b=c d&e=%20", "http://example.com/a?b=c%20d&e=%20"),
    ],
)
def test_urls_are_sent_as_browsers_do(written: str, sent: str) -> None:
    assert str(on_the_wire(written)) == sent


@pytest.mark.parametrize(
    "host",
    [
        "256.1.1.1",
        "1.2.3.256",
        "4294967296",
        "1.2.3.4.5",
        "09.1.1.1",
        "1.1.1.0x100",
        "1..1",
        "0xg.1",
        "1_0.1",
    ],
)
def test_numbers_that_are_no_address(host: str) -> None:
    with pytest.raises(FetchError, match="not an IPv4 address"):
        on_the_wire(f"http://{host}/")


@pytest.mark.parametrize("host", ["1%202.3.4.5", "1%00.2", "1.2.3.4%0a5"])
def test_blanks_beside_numbers_are_refused(host: str) -> None:
    with pytest.raises(FetchError, match="no name server knows"):
        on_the_wire(f"http://{host}/")


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
        ("http:b", "http://h.test/a/b"),
        ("https:b/c", "https://b/c"),
        ("///other.test/b", "http://other.test/b"),
        ("http:////other.test/b", "http://other.test/b"),
        ("/%2e%2e/b", "http://h.test/%2e%2e/b"),
    ],
)
def test_locations_are_read_as_browsers_do(location: str, target: str) -> None:
    assert redirected("http://h.test/a/x?c#d", location) == target


def test_the_longest_url() -> None:
    assert on_the_wire("http://h.test/".ljust(8192, "x"))
    with pytest.raises(FetchError, match="longer"):
        on_the_wire("http://h.test/".ljust(8193, "x"))


_PARTS = [
    *(
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
    ),
    *(" ", "%zz", "=&", "\t", "\n", "\r", "\x01", "~", "[x]", "@", ":"),
]
_tails = st.lists(st.sampled_from(_PARTS), max_size=12).map("".join)

_PATH_ENCODED = {*map(chr, range(0x21)), *'"<>`^{}', "\x7f"}
_QUERY_ENCODED = {*map(chr, range(0x21)), *"\"'<>", "\x7f"}
"""<https://url.spec.whatwg.org/#path-percent-encode-set> and the special-query set, without what is not ASCII."""


@given(_tails)
def test_what_is_sent_is_sent_again_as_it_is(tail: str) -> None:
    sent = str(on_the_wire(f"http://h.test/{tail}"))
    assert sent.isascii() and sent.isprintable() and " " not in sent
    assert str(on_the_wire(sent)) == sent
    path = sent.partition("?")[0]
    assert not set(path) & set('\\^`{}"<>')
    assert not {".", "..", "%2e", "%2e%2e"} & set(path.lower().split("/"))


@given(st.characters(max_codepoint=0x2FFF, exclude_categories=["Cs"]))
def test_each_component_encodes_its_own_characters(character: str) -> None:
    if character in "\t\n\r#":
        return
    encoded = "".join(f"%{byte:02X}" for byte in character.encode())
    in_path = encoded if character in _PATH_ENCODED or not character.isascii() else character
    in_query = encoded if character in _QUERY_ENCODED or not character.isascii() else character
    if character not in "?\\/":
        assert str(on_the_wire(f"http://h.test/a{character}b")) == f"http://h.test/a{in_path}b"
    assert str(on_the_wire(f"http://h.test/a?b{character}c")) == f"http://h.test/a?b{in_query}c"


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.lists(st.sampled_from("dox"), min_size=4, max_size=4))
def test_an_address_has_one_form_however_it_is_written(address: int, count: int, bases: list[str]) -> None:
    octets = address.to_bytes(4, "big")
    numbers = [*octets[: count - 1], int.from_bytes(octets[count - 1 :], "big")]
    forms = {"d": "{:d}", "o": "0{:o}", "x": "0X{:x}"}
    host = ".".join(forms[base].format(number) for base, number in zip(bases, numbers, strict=False))
    assert on_the_wire(f"http://{host}/").raw_host == str(IPv4Address(address))


@given(_tails, _tails)
def test_a_relative_location_is_what_the_whole_url_is(folder: str, name: str) -> None:
    """What a page redirects to is requested as the same URL in a list would be."""
    base = str(on_the_wire(f"http://h.test/{folder}"))
    target = redirected(base, f"http://other.test/{name}")
    assert on_the_wire(target) == on_the_wire(f"http://other.test/{name}")
    from_root = name.lstrip(" \t\n\r\x01/\\")
    assert on_the_wire(redirected(base, "/" + from_root)) == on_the_wire("http://h.test/" + from_root)
