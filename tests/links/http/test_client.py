"""What the client sends, and how much it reads."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator

import pytest
from yarl import URL

from shelfread.links.client import safe_headers
from shelfread.links.exchange import Request
from support.web import ANY, Call, Web, bomb, endless, quick, serve


async def cookie(call: Call) -> None:
    call.reply(200, headers={"Set-Cookie": "a=b; Path=/"})


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {"plain.test": {"/cookie": cookie}, "bomb.test": {ANY: bomb(300)}, "endless.test": {ANY: endless}}
    with serve(sites) as web:
        yield web


def test_a_token_goes_to_one_host_only() -> None:
    token = {"Authorization": "bearer x", "Accept": "a", "Cookie": "c", "Host": "h"}
    assert safe_headers(token, URL("https://api.github.com/graphql")) == {
        "Authorization": "bearer x",
        "Accept": "a",
    }
    for other in (
        "http://api.github.com/graphql",
        "https://api.github.com:8443/graphql",
        "https://api.github.com.evil.test/",
        "https://github.com/",
        "https://gist.api.github.com/",
    ):
        assert safe_headers(token, URL(other)) == {"Accept": "a"}


def test_no_tokens_cookies_or_proxies(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://10.0.0.1:8080")
    web.opened.clear()
    web.requests.clear()

    async def run() -> None:
        async with web.client() as client:
            for _ in range(2):
                await client.fetch(
                    Request(web.url("plain.test", "/cookie"), headers={"authorization": "bearer x"})
                )

    asyncio.run(run())
    assert len(web.requests) == 2
    assert all(not {"cookie", "authorization"} & set(request.headers) for request in web.requests)
    assert all(request.headers["user-agent"].startswith("shelfread/") for request in web.requests)
    assert {ip for ip, _ in web.opened} == {web.addresses["plain.test"]}


@pytest.mark.parametrize("name", ["bomb.test", "endless.test"])
def test_a_body_is_read_to_its_limit(web: Web, name: str) -> None:
    async def run() -> int:
        async with web.client(quick(link=20)) as client:
            reply = await client.fetch(Request(web.url(name, "/"), limit=1 << 19))
            return len(reply.body)

    tracemalloc.start()
    try:
        assert asyncio.run(run()) == 1 << 19
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()
