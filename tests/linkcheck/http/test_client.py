"""What the client sends, and how much it reads."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator

import pytest
from yarl import URL

from shelfread.linkcheck.http.client import safe_headers
from shelfread.linkcheck.request import Request
from support.web import ANY, Call, Web, bomb, endless, quick, serve

FORBIDDEN = {
    "loopback": "http://127.0.0.1/",
    "loopback, elsewhere": "http://127.9.8.7/",
    "decimal": "http://2130706433/",
    "hexadecimal": "http://0x7f000001/",
    "hexadecimal parts": "http://0x7f.0.0.1/",
    "octal": "http://0177.0.0.1/",
    "short": "http://127.1/",
    "shorter": "http://0/",
    "too long": "http://127.0.0.1.1/",
    "trailing dot": "http://127.0.0.1./",
    "full-width digits": "http://127.0.0.1/",
    "circled digits": "http://①②⑦.⓪.⓪.①/",
    "ideographic dots": "http://127。0。0。1/",
    "percent-encoded": "http://%31%32%37.0.0.1/",
    "unspecified": "http://0.0.0.0/",
    "private 10": "http://10.0.0.1/",
    "private 172": "http://172.16.0.1/",
    "private 192": "http://192.168.1.1/",
    "carrier": "http://100.64.0.1/",
    "link-local": "http://169.254.1.1/",
    "multicast": "http://224.0.0.1/",
    "broadcast": "http://255.255.255.255/",
    "documentation": "http://192.0.2.1/",
    "metadata": "http://169.254.169.254/latest/meta-data/",
    "metadata of Azure": "http://168.63.129.16/",
    "metadata of Oracle": "http://192.0.0.192/",
    "metadata of Alibaba": "http://100.100.100.200/",
    "metadata of AWS by IPv6": "http://[fd00:ec2::254]/",
    "IPv6 loopback": "http://[::1]/",
    "IPv6 unspecified": "http://[::]/",
    "IPv6 link-local": "http://[fe80::1]/",
    "IPv6 with a zone": "http://[fe80::1%25lo]/",
    "IPv6 unique local": "http://[fc00::1]/",
    "IPv6 site-local": "http://[fec0::1]/",
    "IPv6 multicast": "http://[ff02::1]/",
    "IPv4 mapped": "http://[::ffff:127.0.0.1]/",
    "IPv4 mapped, hexadecimal": "http://[::ffff:7f00:1]/",
    "IPv4 compatible": "http://[::127.0.0.1]/",
    "IPv4 translated": "http://[::ffff:0:7f00:1]/",
    "6to4": "http://[2002:7f00:1::]/",
    "Teredo": "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
    "NAT64": "http://[64:ff9b::7f00:1]/",
    "NAT64, local": "http://[64:ff9b:1::7f00:1]/",
    "ISATAP": "http://[2606:4700::5efe:7f00:1]/",
    "localhost": "http://localhost/",
    "localhost, dotted": "http://localhost./",
    "a name of a private address": "http://inside.test/",
    "a name of IPv6 loopback": "http://inside6.test/",
    "a name of private addresses alone": "http://all-inside.test/",
    "file": "file:///etc/passwd",
    "ftp": "ftp://plain.test/",
    "gopher": "gopher://127.0.0.1:70/",
    "data": "data:text/html,hello",
    "javascript": "javascript:alert(1)",
    "a user": "http://me@plain.test/",
    "a user and a password": "http://me:secret@plain.test/",
    "a user who looks like a host": "http://plain.test@127.0.0.1/",
    "a backslash before a user": "http://plain.test\\@127.0.0.1/",
    "ssh's port": "http://public.test:22/",
    "mail's port": "http://public.test:25/",
    "redis' port": "http://93.184.216.34:6379/",
    "a port out of range": "http://plain.test:99999/",
    "no host": "http:///etc/passwd",
    "a host of dots": "http://../",
    "a zero-width host": "http://pla​in.test/",
}


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
