"""Answers that nothing expects: each look ends with that link's answer, and the run always ends."""

from __future__ import annotations

import asyncio
import encodings.aliases
import zlib
from collections.abc import Iterator

import pytest

import shelfread.links.attempts
import shelfread.links.online_check
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.attempts import decode_page
from shelfread.links.exchange import Fetch
from shelfread.links.online_check import check_urls
from shelfread.links.registry import Lookup, Registry
from support.links import check
from support.web import ANY, Call, Web, drip, endless, half_closed, hang, page, quick, raw, redirect, serve

CHARSETS = sorted(
    {*encodings.aliases.aliases, *encodings.aliases.aliases.values()}
    | set(
        "undefined idna punycode unicode_escape raw_unicode_escape rot13 hex zlib bz2 base64 uu mbcs oem utf_7".split()
    )
    | {"no-such-charset", "x" * 500, "..", "utf-8;", "os", "a\u00e4"}
)
ID = b"<!doctype html><p id=top>" + b"text " * 50


async def many_headers(call: Call) -> None:
    """Send a hundred megabytes of headers, as fast as they are read."""
    call.writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(100_000):
        call.writer.write(b"X-%d: %s\r\n" % (number, b"x" * 1000))
        await call.writer.drain()


def with_charset(charset: str) -> dict[str, str]:
    return {"Content-Type": f"text/html; charset={charset}"}


async def slow_body(call: Call) -> None:
    """Send a page in single bytes."""
    call.writer.write(OK + b"\r\n<p id=top>")
    while not call.reader.at_eof():
        call.writer.write(b"x")
        await call.writer.drain()
        await asyncio.sleep(0.02)


async def slow_hop(call: Call) -> None:
    """Redirect for ever, each time a little before the time is up."""
    await asyncio.sleep(0.3)
    call.reply(301, headers={"Location": call.request.path + "x"})


async def one_hundred(call: Call) -> None:
    """Answer with interim answers only."""
    while not call.reader.at_eof():
        call.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        await call.writer.drain()
        await asyncio.sleep(0.02)


OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
SITES = {
    "charset.test": {f"/{n}": page(body=ID, headers=with_charset(name)) for n, name in enumerate(CHARSETS)},
    "odd.test": {
        "/twice": raw(OK + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        "/negative": raw(OK + b"Content-Length: -5\r\n\r\nhello"),
        "/huge": raw(OK + b"Content-Length: 99999999999999999999999\r\n\r\nhello"),
        "/words": raw(OK + b"Content-Length: many\r\n\r\nhello"),
        "/chunks": raw(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n"),
        "/both": raw(OK + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        "/gzip": raw(OK + b"Content-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello"),
        "/status": raw(b"HTTP/1.1 999999 What\r\n\r\n"),
        "/no-status": raw(b"HTTP/1.1 \r\n\r\n"),
        "/nul": raw(b"HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n"),
        "/two-locations": raw(b"HTTP/1.1 301 M\r\nLocation: /a\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n"),
        "/surrogates": redirect("/\udcff\udcfe"),
        "/brackets": redirect("http://[::1"),
        "/port": redirect("http://odd.test:99999999/"),
        "/many": many_headers,
        "/around": redirect("/around?again"),
        ANY: page(),
    },
    "members.test": {"/": page(body=b"", headers={})},
    "fine.test": {ANY: page()},
    **{
        f"tarpit{number}.test": {ANY: handler, "/": handler}
        for number, handler in enumerate(
            (hang, drip, slow_body, slow_hop, one_hundred, endless, many_headers, redirect("x/"), half_closed)
        )
    },
}


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with serve(SITES) as web:
        yield web


def test_no_charset_ends_a_run(web: Web) -> None:
    urls = [web.url("charset.test", f"/{n}") for n in range(len(CHARSETS))]
    records = check(web, urls, anchors=urls, settings=quick(connect=60, first_byte=60, link=60, host=600))
    assert {record.verdict for record in records.values()} == {Verdict.ALIVE}
    assert all(record.anchors is not None for record in records.values())


@pytest.mark.parametrize("charset", ["punycode", "idna", "undefined", "zlib", "unicode_escape"])
def test_codecs_of_python_alone_are_not_used(charset: str) -> None:
    text = "é".encode() * 100_000
    assert decode_page(text, f"text/html; charset={charset}") == text.decode()


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("é".encode("cp1252"), "text/html; charset=ISO-8859-1", "é"),
        ("€".encode("cp1252"), "text/html;charset='latin1'", "€"),
        ("ф".encode("koi8-r"), 'text/html; Charset = "KOI8-R"', "ф"),
        ("中".encode("gb18030"), "text/html; charset=gb2312", "中"),
        ("あ".encode("cp932"), "text/html; charset=Shift_JIS", "あ"),
        (b"\xff\xfe" + "é".encode("utf-16-le"), "text/html; charset=latin1", "é"),
        (b"\xef\xbb\xbf" + "é".encode(), "text/html; charset=latin1", "é"),
        (b"<meta charset=windows-1252>\xe9", "text/html", "<meta charset=windows-1252>é"),
        (b"<meta charset=utf-16>\xc3\xa9", "text/html", "<meta charset=utf-16>é"),
        (b"<meta charset=koi8-r>\xc3\xa9", "text/html; charset=utf-8", "<meta charset=koi8-r>é"),
        ("é".encode(), "text/html", "é"),
    ],
)
def test_a_page_is_decoded_as_browsers_do(body: bytes, content_type: str, text: str) -> None:
    assert decode_page(body, content_type) == text


def test_a_meta_in_the_long_form() -> None:
    lead = b'<meta http-equiv="Content-Type" content="text/html; charset=big5">'
    assert decode_page(lead + "中".encode("big5"), "text/html").endswith("中")


def test_odd_answers_are_the_answers_of_their_links(web: Web) -> None:
    urls = [web.url("odd.test", path) for path in SITES["odd.test"] if path != ANY]
    records = check(web, [*urls, web.url("fine.test")], anchors=urls)
    assert records[web.url("fine.test")].verdict is Verdict.ALIVE
    assert not any(record.verdict is Verdict.DEAD for record in records.values())
    assert not any("internal error" in record.reason for record in records.values()), records


def test_a_tarpit_ends_when_its_time_is_up(web: Web) -> None:
    """No look is retried here, so that each is one attempt."""
    urls = [web.url(name, path) for name in SITES if name.startswith("tarpit") for path in ("/", "/x/")]
    settings = quick(retries=())
    for anchors in ((), urls):
        web.requests.clear()
        records = check(web, [*urls, web.url("fine.test")], anchors=anchors, settings=settings)
        assert records[web.url("fine.test")].verdict is Verdict.ALIVE
        assert not {Verdict.DEAD, Verdict.MOVED} & {record.verdict for record in records.values()}
        asked = [request for request in web.requests if request.name == "tarpit3.test"]
        assert len(asked) < 2 * settings.redirects  # the time is up before the redirects are too many


def test_an_exception_in_one_look_is_the_answer_of_its_link(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(reply: object, limit: int) -> None:
        raise RecursionError("of a reader")

    monkeypatch.setattr(shelfread.links.attempts, "anchors_of", broken)
    url, other = web.url("fine.test", "/a"), web.url("fine.test", "/b")
    records = check(web, [url, other], anchors=[url])
    assert records[other].verdict is Verdict.ALIVE
    assert (records[url].verdict, records[url].reason) == (Verdict.UNKNOWN, "internal error: RecursionError")


def test_an_exception_in_a_verdict_is_the_answer_of_its_link(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = shelfread.links.online_check.judge

    def broken(attempt, *words):  # type: ignore[no-untyped-def]
        if attempt.status == 200:
            raise KeyError(attempt.url)
        return judge(attempt, *words)

    monkeypatch.setattr(shelfread.links.online_check, "judge", broken)
    url = web.url("fine.test", "/a")
    assert check(web, [url])[url].reason == "internal error: KeyError"


def test_an_exception_in_a_registry_leaves_its_links_to_the_web(web: Web) -> None:
    class Broken(Registry):
        host = "fine.test"

        def claims(self, url: str) -> str | None:
            return "x" if url.endswith("/x") else None

        async def look_up(self, keys: object, fetch: Fetch, now: float) -> Lookup:
            raise TypeError("of an answer")

    url = web.url("fine.test", "/x")

    async def run() -> dict[str, LinkRecord]:
        async with web.client(quick()) as client:
            return await check_urls([url], (), {}, lambda _: None, client, [Broken(None)])  # type: ignore[arg-type]

    assert asyncio.run(run())[url].verdict is Verdict.ALIVE


def test_a_killed_look_ends_no_other(web: Web) -> None:
    urls = [web.url("fine.test", f"/{n}") for n in range(50)]

    async def run() -> dict[str, LinkRecord]:
        async with web.client(quick(concurrency=2)) as client:

            async def kill() -> None:
                for _ in range(5):
                    await asyncio.sleep(0.005)
                    looks = [task for task in asyncio.all_tasks() if task.get_name().startswith("http")]
                    for task in looks[:2]:
                        task.cancel()

            killer = asyncio.ensure_future(kill())
            records = await asyncio.wait_for(check_urls(urls, (), {}, lambda _: None, client), 20)
            await killer
            return records

    records = asyncio.run(run())
    assert set(records) == set(urls)
    assert {record.verdict for record in records.values()} <= {Verdict.ALIVE, Verdict.UNKNOWN}
    assert sum(record.verdict is Verdict.ALIVE for record in records.values()) >= 30


def test_an_exception_of_the_reporter_ends_the_run(web: Web) -> None:
    def on_record(record: LinkRecord) -> None:
        raise BrokenPipeError

    async def run() -> None:
        async with web.client(quick()) as client:
            urls = [web.url("fine.test", f"/{n}") for n in range(50)]
            await asyncio.wait_for(check_urls(urls, (), {}, on_record, client), 20)

    with pytest.raises(BrokenPipeError):
        asyncio.run(run())


def members(*parts: bytes) -> bytes:
    """Several gzip members, as some servers join them."""

    def member(part: bytes) -> bytes:
        packer = zlib.compressobj(wbits=31)
        return packer.compress(part) + packer.flush()

    return b"".join(map(member, parts))


def test_gzip_of_several_members(web: Web) -> None:
    body = members(b"<p id=a>" + b"text " * 99, b"", b"<p id=b>", b"<p id=c>")
    web.sites["members.test"] = {
        "/": page(body=body, headers={"Content-Encoding": "gzip"}),
        "/rest": page(body=body + b"rest", headers={"Content-Encoding": "gzip"}),
        "/empty": page(body=members(*[b""] * 20_000), headers={"Content-Encoding": "gzip"}),
    }
    urls = [web.url("members.test", path) for path in ("/", "/rest", "/empty")]
    records = check(web, urls, anchors=urls)
    assert [records[url].anchors for url in urls[:2]] == [frozenset("abc")] * 2
    assert records[urls[2]].verdict is Verdict.ALIVE
