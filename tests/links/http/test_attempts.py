"""Following redirects, Retry-After."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from shelfread.index.answers import Trouble
from shelfread.links.attempts import follower, retry_after
from shelfread.links.exchange import FetchError, Request
from support.web import Call, Web, page, redirect, serve


def test_retry_after() -> None:
    assert retry_after({"retry-after": " 120 "}) == 120
    assert retry_after({"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}) == 0
    assert (retry_after({"retry-after": "Fri, 31 Dec 2199 23:59:59 GMT"}) or 0) > 1e9
    for nonsense in ("", "soon", "-1", "1.5", "²", "Fri, 99 Dec 1999 23:59:59 GMT", "9" * 5000):
        assert retry_after({"retry-after": nonsense}) in (None, 999999999)


async def slow(call: Call) -> None:
    await asyncio.sleep(0.2)
    call.reply()


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {"page.test": {"/": page(), "/to": redirect("/#top")}}
    with serve(sites) as web:
        yield web


def test_follow_and_fetch(web: Web) -> None:
    async def run() -> None:
        async with web.client() as client:
            follow = follower(client)
            assert (await follow(web.url("page.test", "/to"))).status == 200
            assert (await follow("http://no.test/")).trouble is Trouble.NO_HOST
            assert (await follow("file:///etc/passwd")).trouble is Trouble.REFUSED
            reply = await client.fetch(Request(web.url("page.test", "/to")))
            assert (reply.status, reply.headers.get("location")) == (301, "/#top")
            with pytest.raises(FetchError) as error:
                await client.fetch(Request("http://10.0.0.1/"))
            assert error.value.trouble is Trouble.REFUSED

    asyncio.run(run())
