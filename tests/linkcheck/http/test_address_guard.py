"""Nothing that a list's author writes makes a request reach what is not public.

Behind the guard stands `Web.open`, which notes every address that would have been connected to and lets none but the
test web's own through: where the guard fails, the test does, and still nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator

import pytest
from yarl import URL

from shelfread.core.errors import ConfigError
from shelfread.core.link_record import LinkRecord, Verdict
from shelfread.linkcheck.http.address_guard import RefusedError, guard
from shelfread.linkcheck.http.address_policy import allows
from shelfread.linkcheck.http.client import Client, safe_headers
from shelfread.linkcheck.http.url import on_the_wire, private_hosts, redirected
from shelfread.linkcheck.request import FetchError, Request
from support.web import ANY, Call, Web, bomb, endless, in_order, page, quick, redirect, serve
from support.web.check import check

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
NAMES = {
    "localhost": [["127.0.0.1", "::1"]],
    "inside.test": [["192.168.0.9"]],
    "inside6.test": [["::1"]],
    "all-inside.test": [["10.0.0.1", "::ffff:10.0.0.2", "169.254.169.254"]],
    "public.test": [["93.184.216.34"]],
}


async def cookie(call: Call) -> None:
    call.reply(200, headers={"Set-Cookie": "a=b; Path=/"})


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {
        "plain.test": {"/": page(), "/cookie": cookie},
        "lures.test": {f"/{n}": redirect(target, 302) for n, target in enumerate(FORBIDDEN.values())},
        "rebound.test": {"/": page(404)},
        "intranet.test": {
            "/": page(),
            "/on": redirect("http://10.0.0.1/"),
            "/gone": in_order(page(404), page()),
        },
        "bomb.test": {ANY: bomb(300)},
        "endless.test": {ANY: endless},
    }
    with serve(sites) as web:
        yield web


def check_refused(web: Web, records: dict[str, LinkRecord], urls: list[str]) -> None:
    assert {
        name: records[url].reason
        for name, url in zip(FORBIDDEN, urls, strict=True)
        if records[url].verdict is not Verdict.UNSAFE
    } == {}
    assert [place for place in web.opened if not web.is_ours(*place)] == []


def test_forbidden_addresses_are_not_asked(web: Web) -> None:
    web.opened.clear()
    urls = list(FORBIDDEN.values())
    check_refused(web, check(web, urls, resolver=web.resolver(NAMES)), urls)
    assert web.opened == []


def test_no_redirect_leads_to_them(web: Web) -> None:
    web.opened.clear()
    urls = [web.url("lures.test", f"/{n}") for n in range(len(FORBIDDEN))]
    records = check(web, urls, resolver=web.resolver(NAMES))
    # What is written after the host of the redirecting page is on that host, and harmless.
    harmless = {web.url("lures.test", f"/{list(FORBIDDEN).index(name)}") for name in ("no host",)}
    bad = {
        name: records[url]
        for name, url in zip(FORBIDDEN, urls, strict=True)
        if records[url].verdict is not Verdict.UNSAFE and url not in harmless
    }
    assert bad == {}
    assert [place for place in web.opened if not web.is_ours(*place)] == []


def test_of_mixed_answers_only_the_public_one_is_tried(web: Web) -> None:
    web.opened.clear()
    names = {"mixed.test": [["10.0.0.1", "::1", web.addresses["plain.test"], "169.254.169.254"]]}
    url = web.url("mixed.test")
    assert check(web, [url], resolver=web.resolver(names))[url].verdict is Verdict.ALIVE
    assert {ip for ip, _ in web.opened} == {web.addresses["plain.test"]}


def test_a_name_that_changes_its_mind_is_refused(web: Web) -> None:
    web.opened.clear()
    resolver = web.resolver({"rebound.test": [[web.addresses["rebound.test"]], ["127.0.0.1"]]})
    url = web.url("rebound.test")
    assert check(web, [url], resolver=resolver)[url].verdict is Verdict.UNSAFE
    assert resolver.requests["rebound.test"] == 2
    assert {ip for ip, _ in web.opened} == {web.addresses["rebound.test"]}


@pytest.mark.parametrize(
    "ip", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_public_addresses_are_allowed(ip: str) -> None:
    assert all(allows(ip, port) for port in (80, 443, 8080, 8443))
    assert not allows(ip, 22)


def test_what_is_no_address_is_not_allowed() -> None:
    assert not allows("plain.test", 80)


def test_the_guard_opens_nothing_it_objects_to() -> None:
    opened = []
    factory = guard(lambda ip, port: "no" if port == 1 else "", opened.append)  # type: ignore[arg-type, return-value, func-returns-value]
    with pytest.raises(RefusedError):
        factory((2, 1, 6, "", ("192.0.2.1", 1)))
    assert opened == []
    factory((2, 1, 6, "", ("192.0.2.1", 2)))
    assert len(opened) == 1


def look_privately(web: Web, allowed: set[str], urls: list[str]) -> dict[str, Verdict]:
    """With the real policy, but for what is allowed."""

    async def run() -> dict[str, LinkRecord]:
        from shelfread.linkcheck.resolve import check_urls

        settings = quick(allow_private=frozenset(allowed))
        names = {**NAMES, "other.test": [[web.addresses["intranet.test"]]]}
        async with Client(settings, opener=web.open, resolver=web.resolver(names)) as client:
            return await check_urls(urls, (), settings, {}, lambda _: None, client)

    records = asyncio.run(run())
    return {url: records[url].verdict for url in urls}


def test_a_private_host_is_freed_by_name_and_no_other(web: Web) -> None:
    web.opened.clear()
    port = web.ports["http"]
    free, other, literal, onward = (
        web.url("intranet.test"),
        web.url("other.test"),
        web.literal("intranet.test"),
        web.url("intranet.test", "/on"),
    )
    verdicts = look_privately(web, {f"intranet.test:{port}"}, [free, other, literal, onward, free + "gone"])
    assert verdicts == {
        free: Verdict.ALIVE,
        other: Verdict.UNSAFE,
        literal: Verdict.UNSAFE,
        onward: Verdict.UNSAFE,
        free + "gone": Verdict.ALIVE,
    }
    assert all(web.is_ours(*place) for place in web.opened)


def test_a_freed_literal_and_its_port(web: Web) -> None:
    literal = web.literal("intranet.test")
    address = web.addresses["intranet.test"]
    assert look_privately(web, {f"{address}:{web.ports['http']}"}, [literal]) == {literal: Verdict.ALIVE}
    assert look_privately(web, {address}, [literal]) == {literal: Verdict.UNSAFE}, "the port was not named"
    assert look_privately(web, {f"{address}:1"}, [literal]) == {literal: Verdict.UNSAFE}


def test_hosts_to_free_are_read() -> None:
    assert private_hosts(["Wiki.Example", "10.0.0.7:8000", "[::1]:81", "::2", "wiki.example:99"]) == {
        "wiki.example": {None, 99},
        "10.0.0.7": {8000},
        "::1": {81},
        "::2": {None},
    }
    for wrong in (
        "",
        "http://wiki.example",
        "wiki.example/x",
        "me@wiki.example",
        "127.1",
        "a:b",
        "10.0.0.0/8",
    ):
        with pytest.raises(ConfigError, match="--allow-private"):
            private_hosts([wrong])


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


def test_neither_tokens_nor_cookies_nor_proxies(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert all(not {"cookie", "authorization"} & set(asked.headers) for asked in web.requests)
    assert all(asked.headers["user-agent"].startswith("shelfread/") for asked in web.requests)
    assert {ip for ip, _ in web.opened} == {web.addresses["plain.test"]}


@pytest.mark.parametrize("name", ["bomb.test", "endless.test"])
def test_no_body_is_too_big(web: Web, name: str) -> None:
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
        ("http://example.com/(a)|[b]{c}^`'", "http://example.com/(a)|[b]{c}^`'"),
        ("http://example.com/a?b=c d&e=%20", "http://example.com/a?b=c%20d&e=%20"),
    ],
)
def test_addresses_are_sent_as_browsers_do(written: str, sent: str) -> None:
    assert str(on_the_wire(written)) == sent


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
    ],
)
def test_locations_are_read_as_browsers_do(location: str, target: str) -> None:
    assert redirected("http://h.test/a/x?c#d", location) == target


def test_no_address_is_longer_than_servers_take() -> None:
    assert on_the_wire("http://h.test/".ljust(8192, "x"))
    with pytest.raises(FetchError, match="longer"):
        on_the_wire("http://h.test/".ljust(8193, "x"))
