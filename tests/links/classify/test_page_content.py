"""What pages say: their ids, and whether they mean 'not found'."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import pytest

from shelfread.index.answers import Hop, LinkRecord, Trouble, Verdict
from shelfread.links.classify.page_content import (
    SIMILAR,
    anchors_of,
    check_soft_404,
    not_found_title,
    sibling,
    similarity,
)
from shelfread.links.exchange import FetchError, Reply, Request
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


URL = "https://a.example/papers/x.html"
ARTICLE = b"<html><title>On x</title><p>" + b" ".join(b"word%d" % n for n in range(300))
LOST = b"<html><title>Sorry</title><body><p>There is nothing here at all, have a look at our <a href=/>start</a>."

Site = Callable[[str], "tuple[int, bytes] | str"]


def check(site: Site, verdict: Verdict = Verdict.ALIVE, url: str = URL) -> tuple[LinkRecord, list[str]]:
    """The record of an address after a closer check at a host, whose answer is a page or the address of another."""
    urls: list[str] = []

    async def fetch(request: Request) -> Reply:
        urls.append(request.url)
        assert len(urls) < 20
        answer = site(urlsplit(request.url).path)
        if isinstance(answer, str):
            return Reply(request.url, 302, {"location": answer})
        return Reply(request.url, answer[0], {}, answer[1])

    record = LinkRecord(url, verdict, "200 OK", (Hop(url, 200),), checked_at=5.0)
    return asyncio.run(check_soft_404(record, fetch)), urls


def test_a_host_that_answers_404_is_trusted() -> None:
    record, urls = check(lambda path: (200, ARTICLE) if path == "/papers/x.html" else (404, LOST))
    assert (record.verdict, record.reason) == (Verdict.ALIVE, "200 OK")
    assert len(urls) == 2 and urls[0] == URL
    assert urls[1].startswith("https://a.example/papers/") and urls[1].endswith(".html")


def test_a_host_with_a_different_not_found_page_is_trusted() -> None:
    record, _ = check(lambda path: (200, ARTICLE if path == "/papers/x.html" else LOST))
    assert record.verdict is Verdict.ALIVE


@pytest.mark.parametrize(
    "site",
    [
        lambda path: (200, LOST),
        lambda path: (200, LOST + b"<p>You asked for " + path.rpartition("/")[2].encode()),
        lambda path: (200, b"<div id=root></div><script src=app.js></script>"),
        lambda path: (200, b""),
        lambda path: (200, ARTICLE) if path == "/sorry" else "/sorry",
        lambda path: (200, ARTICLE) if path == "/papers/x.html" else "/papers/x.html#top",
    ],
)
def test_a_host_that_answers_every_url_alike_is_blocked(site: Site) -> None:
    record, _ = check(site)
    assert record.verdict is Verdict.BLOCKED
    assert record.checked_at == 5.0 and record.hops == (Hop(URL, 200),)


@pytest.mark.parametrize("name", ["a", "of", "caf%C3%A9", "x.html"])
def test_a_host_that_repeats_the_requested_name_is_blocked(name: str) -> None:
    text = b"<p>A page of that name is not to be had at this place of a host: <b>%s</b>"

    def site(path: str) -> tuple[int, bytes]:
        return 200, text % unquote(path.rpartition("/")[2]).encode()

    record, _ = check(site, url=f"https://a.example/papers/{name}")
    assert record.verdict is Verdict.BLOCKED


def test_a_not_found_title_is_suspect() -> None:
    page = ARTICLE.replace(b"On x", b"Error 404: \n Page not found")
    record, _ = check(lambda path: (200, page) if path == "/papers/x.html" else (404, LOST))
    assert (record.verdict, record.reason) == (Verdict.SUSPECT, "its title is 'Error 404: Page not found'")


@pytest.mark.parametrize(
    "verdict", [verdict for verdict in Verdict if verdict not in (Verdict.ALIVE, Verdict.MOVED)]
)
def test_only_pages_that_answer_are_checked(verdict: Verdict) -> None:
    record, urls = check(lambda path: (200, LOST), verdict)
    assert record.verdict is verdict and not urls


def test_a_failed_request_changes_nothing() -> None:
    def lost(path: str) -> tuple[int, bytes]:
        raise FetchError(Trouble.TIMEOUT)

    def lost_beside(path: str) -> tuple[int, bytes]:
        return (200, LOST) if path == "/papers/x.html" else lost(path)

    def astray(path: str) -> tuple[int, bytes] | str:
        return (200, LOST) if path == "/papers/x.html" else "https://[bad"

    for site in (lost, lost_beside, astray, lambda path: "/again", lambda path: (503, b"")):
        assert check(site)[0].verdict is Verdict.ALIVE


@pytest.mark.parametrize(
    ("url", "beside"),
    [
        ("https://a.example", "https://a.example/T"),
        ("https://a.example/", "https://a.example/T"),
        ("https://a.example/x", "https://a.example/T"),
        ("https://a.example/x/", "https://a.example/T/"),
        ("https://a.example/d/x.pdf?y#z", "https://a.example/d/T.pdf"),
        ("https://a.example/d/v1.2-final-version", "https://a.example/d/T"),
        ("https://a.example:8443/x.", "https://a.example:8443/T"),
    ],
)
def test_sibling(url: str, beside: str) -> None:
    assert sibling(url, "T") == beside


@pytest.mark.parametrize(
    ("title", "missing"),
    [
        ("404", True),
        ("404 Not Found", True),
        ("Page not found · GitHub", True),
        ("The page could not be found", True),
        ("This document is missing", True),
        ("This item is no longer available", True),
        ("This account doesn't exist", True),
        ("Found: missing links between pages", False),
        ("Room 4041", False),
        ("A Survey of Attention", False),
        ("", False),
    ],
)
def test_not_found_title(title: str, missing: bool) -> None:
    body = f"<html><head><TITLE lang='en'>{title}</TITLE>".encode()
    assert not_found_title(body) == (title if missing else "")
    assert not_found_title(title.encode()) == ""


def test_similarity() -> None:
    assert similarity(ARTICLE, ARTICLE) == 1.0
    assert similarity(ARTICLE, LOST) == 0.0
    assert similarity(ARTICLE, ARTICLE + b" and a few words more") > SIMILAR
    assert similarity(ARTICLE, ARTICLE[: len(ARTICLE) // 2]) < SIMILAR
    assert similarity(b"", b"") == 1.0 and similarity(b"", b"a") == 0.0
    assert similarity(b"<" * 500_000, b"a \xff") == 0.0  # in linear time
