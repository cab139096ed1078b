"""Which addresses are connected to: names and numbers that lead to private networks are refused."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.client import Client
from shelfread.links.request_limits import RefusedError, guard, objection, private_policy
from support.links import check
from support.web import Web, in_order, page, quick, redirect, serve

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
    "no host": "http://:80/",
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


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    sites = {
        "plain.test": {"/": page()},
        "lures.test": {f"/{n}": redirect(target, 302) for n, target in enumerate(FORBIDDEN.values())},
        "rebound.test": {"/": page(404)},
        "intranet.test": {
            "/": page(),
            "/on": redirect("http://10.0.0.1/"),
            "/gone": in_order(page(404), page()),
        },
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


def test_forbidden_addresses_are_not_requested(web: Web) -> None:
    web.opened.clear()
    urls = list(FORBIDDEN.values())
    check_refused(web, check(web, urls, resolver=web.resolver(NAMES)), urls)
    assert web.opened == []


def test_redirects_to_forbidden_addresses_are_not_followed(web: Web) -> None:
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


def test_only_the_public_addresses_of_a_name_are_tried(web: Web) -> None:
    web.opened.clear()
    names = {"mixed.test": [["10.0.0.1", "::1", web.addresses["plain.test"], "169.254.169.254"]]}
    url = web.url("mixed.test")
    assert check(web, [url], resolver=web.resolver(names))[url].verdict is Verdict.ALIVE
    assert {ip for ip, _ in web.opened} == {web.addresses["plain.test"]}


def test_dns_rebinding_is_refused(web: Web) -> None:
    web.opened.clear()
    resolver = web.resolver({"rebound.test": [[web.addresses["rebound.test"]], ["127.0.0.1"]]})
    url = web.url("rebound.test")
    assert check(web, [url], resolver=resolver)[url].verdict is Verdict.UNSAFE
    assert resolver.requests["rebound.test"] == 2
    assert {ip for ip, _ in web.opened} == {web.addresses["rebound.test"]}


def test_the_guard_opens_only_allowed_sockets() -> None:
    opened = []
    factory = guard(lambda ip, port: "no" if port == 1 else "", opened.append)  # type: ignore[arg-type, return-value, func-returns-value]
    with pytest.raises(RefusedError):
        factory((2, 1, 6, "", ("192.0.2.1", 1)))
    assert opened == []
    factory((2, 1, 6, "", ("192.0.2.1", 2)))
    assert len(opened) == 1


@pytest.mark.parametrize(("port", "allowed"), [(None, {80, 443, 8080, 8443}), (8000, {8000})])
def test_a_private_host_is_asked_at_the_port_that_was_named(port: int | None, allowed: set[int]) -> None:
    policy = private_policy(port)
    assert {one for one in (22, 80, 443, 8000, 8080, 8443) if not policy("10.0.0.7", one)} == allowed


def look_privately(web: Web, allowed: set[str], urls: list[str]) -> dict[str, Verdict]:
    """With the real policy, but for what is allowed."""

    async def run() -> dict[str, LinkRecord]:
        from shelfread.links.online_check import check_urls

        settings = quick(allow_private=frozenset(allowed))
        names = {**NAMES, "other.test": [[web.addresses["intranet.test"]]]}
        async with Client(settings, opener=web.open, resolver=web.resolver(names)) as client:
            return await check_urls(urls, (), {}, lambda _: None, client)

    records = asyncio.run(run())
    return {url: records[url].verdict for url in urls}


def test_only_the_named_private_host_is_allowed(web: Web) -> None:
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


def test_an_allowed_ip_address_and_its_port(web: Web) -> None:
    literal = web.literal("intranet.test")
    address = web.addresses["intranet.test"]
    assert look_privately(web, {f"{address}:{web.ports['http']}"}, [literal]) == {literal: Verdict.ALIVE}
    assert look_privately(web, {address}, [literal]) == {literal: Verdict.UNSAFE}, "the port was not named"
    assert look_privately(web, {f"{address}:1"}, [literal]) == {literal: Verdict.UNSAFE}


@pytest.mark.parametrize(
    "ip", ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::5db8:d822"]
)
def test_public_addresses_are_allowed(ip: str) -> None:
    assert not any(objection(ip, port) for port in (80, 443, 8080, 8443))
    assert objection(ip, 22)


def test_a_name_is_not_allowed() -> None:
    assert objection("plain.test", 80)
