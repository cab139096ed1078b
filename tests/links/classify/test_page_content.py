"""What pages say: their ids."""

from __future__ import annotations

import pytest

from shelfread.links.attempts import anchors_of
from shelfread.links.exchange import Reply
from support.work import ends

TEXT = b"word " * 50


def anchors(body: bytes, **headers: str) -> frozenset[str] | None:
    return anchors_of(
        Reply("https://a.example/", 200, {"content-type": "text/html", **headers}, body), 1 << 20
    )


@pytest.mark.parametrize(
    "body",
    [
        b"<!doctype html><title>App</title><script src=/a.js></script><div id=root></div>",
        b'<body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>x</script>',
        b"<main class='a' id='app'> Loading... </main>" + TEXT + b"<SCRIPT>1</SCRIPT>",
        b"<style>p{}</style><app-root></app-root><p id=x><script>" + TEXT + b"</script>",
        b"<div id=__next></div><script>" + TEXT,
        b"<!-- " + TEXT + b" --><p id=x>Please wait<script></script>",
    ],
)
def test_a_shell_is_no_evidence(body: bytes) -> None:
    assert anchors(body) == frozenset()


@pytest.mark.parametrize(
    "body",
    [
        b"<p id=x>short, and without a script",
        b"<p id=x>" + TEXT + b"<script>x</script>",
        b"<header><div id=x>" + TEXT + b"</div></header><script>x</script>",
        b"<div id=x><div id=root><p>" + TEXT + b"</div></div><script>x</script>",
    ],
)
def test_a_page_with_text_is(body: bytes) -> None:
    assert "x" in (anchors(body) or ())


def test_the_charset_of_a_meta() -> None:
    body = "<meta charset=windows-1251><p id='раздел'>".encode("cp1251") + TEXT
    assert "раздел" in (anchors(body) or ())


@pytest.mark.parametrize(
    "part",
    ["<script", "<div id=root ", "<div id=", "</script", "<!--", "<", "< id=", "<div id  =", "<title>"],
)
def test_hostile_pages_take_linear_time(part: str) -> None:
    body = (part * (250_000 // len(part))).encode()
    with ends():
        anchors(body + b"<script")
