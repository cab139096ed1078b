"""Facts about hosts, and the parts of URLs."""

from __future__ import annotations

import pytest

from shelfread.taxonomy.hosts import is_reserved, key_of, page_anchor, registrable


@pytest.mark.parametrize(
    ("name", "domain"),
    [
        ("a.example", "a.example"),
        ("www.cs.a.edu", "a.edu"),
        ("www.a.co.uk", "a.co.uk"),
        ("x.y.a.com.au", "a.com.au"),
        ("www.u.ac.jp", "u.ac.jp"),
        ("x.a.github.io", "a.github.io"),
        ("www.ibm.de", "ibm.de"),
        ("t.co", "t.co"),
        ("127.0.0.1", "127.0.0.1"),
        ("::1", "::1"),
        ("localhost", "localhost"),
    ],
)
def test_registrable(name: str, domain: str) -> None:
    assert registrable(name) == domain


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://a.org/b#c", "https://a.org/b"),
        ("HTTP://A.org", "HTTP://A.org"),
        ("mailto:a@b.org", None),
        ("a.md#b", None),
        ("#b", None),
        ("https://", None),
        ("http:///a", None),
        ("javascript:https://a.org", None),
    ],
)
def test_what_the_web_is_asked(url: str, key: str | None) -> None:
    assert key_of(url) == key


@pytest.mark.parametrize(
    "url", ["http://example.org/", "http://a.example/", "https://x.test:80/", "http://localhost:3000"]
)
def test_names_that_are_no_host(url: str) -> None:
    assert is_reserved(url)


@pytest.mark.parametrize(
    "url", ["http://example.org.uk/", "http://myexample.com/", "http://[::1", "http://127.0.0.1/"]
)
def test_names_that_are_a_host(url: str) -> None:
    assert not is_reserved(url)


@pytest.mark.parametrize(
    ("url", "anchor"),
    [
        ("https://a.org/b#c", "c"),
        ("https://a.org/b#L12-L20", None),
        ("https://a.org/b#:~:text=a", None),
        ("https://a.org/b#!/c", None),
        ("https://a.org/b.pdf#sec", None),
        ("https://github.com/o/r/blob/main/a.md#c", None),
        ("https://github.com/o/r#readme", None),
        ("https://github.com/o/r/#c", None),
        ("https://www.github.com/o/r?tab=readme-ov-file#c", None),
        ("https://github.com/o/r/tree/main#c", None),
        ("https://github.com/o/r/wiki#c", None),
        ("https://gist.github.com/o/1#c", None),
        ("https://github.com/features#c", "c"),
        ("https://docs.github.com/en/rest#c", "c"),
        ("https://a.org/b#", None),
        ("https://a.org/b", None),
    ],
)
def test_which_anchors_a_page_could_have(url: str, anchor: str | None) -> None:
    assert page_anchor(url) == anchor
