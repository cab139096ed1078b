"""Slips in URLs."""

from __future__ import annotations

import pytest

from shelfread.checks.link.malformed import find_fault, missing_scheme


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org",
        "https://example.org/a_(b)",
        "https://example.org/?q='a'",
        "https://web.archive.org/web/2019id_/http://example.org/",
        "https://example.org/compare/v1...v2",
        "https://user:pass@example.org:8080/",
        "http://[::1]:3000/",
        "https://例え.jp/テスト",
        "https://en.wikipedia.org/wiki/Navier–Stokes_equations",
        "https://zh.wikipedia.org/wiki/C（语言）",
        "mailto:a@example.org",
        "magnet:?xt=urn:btih:1",
        "vscode://extension",
        "ftp://example.org/a",
        "hdfs://cluster/a",
        "docs/http-server.md",
        "http/readme.md",
        "#https://",
        "//example.org/a",
        "https://{host}/a",
        "https://...",
        "https://en.wikipedia.org/wiki/Acme_Inc.",
        "https://shelf.dev/acme-inc.",
        "https://github.com/ada/E.T.",
    ],
)
def test_addresses_with_nothing_wrong(url: str) -> None:
    assert find_fault(url) is None


@pytest.mark.parametrize(
    ("url", "fixed"),
    [
        ("htps://example.org", "https://example.org"),
        ("http:example.org/a", "http://example.org/a"),
        ("http://http://example.org", "http://example.org"),
        ("httphttps://example.org", "https://example.org"),
        ("://example.org", "https://example.org"),
        ("https://example.org/\u200b", "https://example.org/"),
        ("http：／／example．org/a", "http://example.org/a"),
        ("“https://example.org”", "https://example.org"),
        ("https://example.org/a，", "https://example.org/a"),
        ("[https://a.org](https://b.org)", None),
    ],
)
def test_addresses_with_one_reading(url: str, fixed: str | None) -> None:
    fault = find_fault(url)
    assert fault is not None
    assert fault.fixed == fixed
    assert fixed is None or find_fault(fixed) is None


def test_a_host_is_no_file() -> None:
    assert missing_scheme("ohmyz.sh", set()) is None
    assert missing_scheme("ohmyz.sh/a", {"ohmyz.sh"}) is not None
    for name in ("readme.io", "notes.md", "run.py", "a/b.com", "1.5", "v1.0", "Makefile", "LICENSE.txt"):
        assert missing_scheme(name, set()) is None


@pytest.mark.parametrize(
    ("url", "is_certain"),
    [
        ("https://shelf.dev.", True),
        ("https://github.com/acme/box.", False),
        ("https://github.com/acme/Box.", False),
        ("https://arxiv.org/abs/2108.06869.", False),
        ("https://shelf.dev/a#the-books.", False),
    ],
)
def test_a_full_stop_of_the_sentence(url: str, is_certain: bool) -> None:
    fault = find_fault(url)
    assert fault is not None
    assert (fault.message, fault.fixed, fault.is_certain) == ("stray-end", url[:-1], is_certain)
