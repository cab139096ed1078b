"""Pages that are not there though the host says 200 OK."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

import pytest

from shelfread.core.link_record import Hop, LinkRecord, Trouble, Verdict
from shelfread.linkcheck.classify.soft404 import SIMILAR, check_soft_404, not_found_title, sibling, similarity
from shelfread.linkcheck.request import FetchError, Reply, Request

URL = "https://a.example/papers/x.html"
ARTICLE = b"<html><title>On x</title><p>" + b" ".join(b"word%d" % n for n in range(300))
LOST = b"<html><title>Sorry</title><body><p>There is nothing here at all, have a look at our <a href=/>start</a>."

Site = Callable[[str], "tuple[int, bytes] | str"]


def look(site: Site, verdict: Verdict = Verdict.ALIVE, url: str = URL) -> tuple[LinkRecord, list[str]]:
    """The record of an address after a closer look at a host, whose answer is a page or the address of another."""
    asked: list[str] = []

    async def fetch(request: Request) -> Reply:
        asked.append(request.url)
        assert len(asked) < 20
        answer = site(urlsplit(request.url).path)
        if isinstance(answer, str):
            return Reply(request.url, 302, {"location": answer})
        return Reply(request.url, answer[0], {}, answer[1])

    record = LinkRecord(url, verdict, "200 OK", (Hop(url, 200),), checked_at=5.0)
    return asyncio.run(check_soft_404(record, fetch)), asked


def test_a_host_that_says_404_is_believed() -> None:
    record, asked = look(lambda path: (200, ARTICLE) if path == "/papers/x.html" else (404, LOST))
    assert (record.verdict, record.reason) == (Verdict.ALIVE, "200 OK")
    assert len(asked) == 2 and asked[0] == URL
    assert asked[1].startswith("https://a.example/papers/") and asked[1].endswith(".html")


def test_a_host_that_has_another_page_for_what_is_not_there_is_believed() -> None:
    record, _ = look(lambda path: (200, ARTICLE if path == "/papers/x.html" else LOST))
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
def test_a_host_that_answers_all_alike_cannot_be_told(site: Site) -> None:
    record, _ = look(site)
    assert record.verdict is Verdict.BLOCKED
    assert record.checked_at == 5.0 and record.hops == (Hop(URL, 200),)


@pytest.mark.parametrize("name", ["a", "of", "caf%C3%A9", "x.html"])
def test_a_host_that_repeats_what_was_asked_for_cannot_be_told(name: str) -> None:
    said = b"<p>A page of that name is not to be had at this place of a host: <b>%s</b>"

    def site(path: str) -> tuple[int, bytes]:
        return 200, said % unquote(path.rpartition("/")[2]).encode()

    record, _ = look(site, url=f"https://a.example/papers/{name}")
    assert record.verdict is Verdict.BLOCKED


def test_a_title_raises_suspicion() -> None:
    page = ARTICLE.replace(b"On x", b"Error 404: \n Page not found")
    record, _ = look(lambda path: (200, page) if path == "/papers/x.html" else (404, LOST))
    assert (record.verdict, record.reason) == (Verdict.SUSPECT, "its title is 'Error 404: Page not found'")


@pytest.mark.parametrize("verdict", [one for one in Verdict if one not in (Verdict.ALIVE, Verdict.MOVED)])
def test_only_what_answers_is_looked_at(verdict: Verdict) -> None:
    record, asked = look(lambda path: (200, LOST), verdict)
    assert record.verdict is verdict and not asked


def test_what_fails_now_changes_nothing() -> None:
    def lost(path: str) -> tuple[int, bytes]:
        raise FetchError(Trouble.TIMEOUT)

    def lost_beside(path: str) -> tuple[int, bytes]:
        return (200, LOST) if path == "/papers/x.html" else lost(path)

    def astray(path: str) -> tuple[int, bytes] | str:
        return (200, LOST) if path == "/papers/x.html" else "https://[bad"

    for site in (lost, lost_beside, astray, lambda path: "/again", lambda path: (503, b"")):
        assert look(site)[0].verdict is Verdict.ALIVE


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
def test_an_address_beside_another(url: str, beside: str) -> None:
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
def test_titles(title: str, missing: bool) -> None:
    body = f"<html><head><TITLE lang='en'>{title}</TITLE>".encode()
    assert not_found_title(body) == (title if missing else "")
    assert not_found_title(title.encode()) == ""


def test_likeness() -> None:
    assert similarity(ARTICLE, ARTICLE) == 1.0
    assert similarity(ARTICLE, LOST) == 0.0
    assert similarity(ARTICLE, ARTICLE + b" and a few words more") > SIMILAR
    assert similarity(ARTICLE, ARTICLE[: len(ARTICLE) // 2]) < SIMILAR
    assert similarity(b"", b"") == 1.0 and similarity(b"", b"a") == 0.0
    assert similarity(b"<" * 500_000, b"a \xff") == 0.0  # in linear time
