"""Which addresses are connected to: only public ones, however they are written, checked where sockets are created.

The author of a list chooses the URLs, and the run may be inside a company's network or a cloud. Only where a socket is
created the address is final: an IP address in a URL never meets the resolver, and a name may resolve to another address
between the check and the connection (DNS rebinding).
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from shelfread.index.answers import NOT_PUBLIC

Policy = Callable[[str, int], str]
"""Returns the objection to a connection to an IP address and port; empty if it is allowed."""

AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]
"""As returned by getaddrinfo."""

SocketFactory = Callable[[AddressInfo], socket.socket]

objections: ContextVar[list[str]] = ContextVar("objections")
"""The objection to each address that one request tried, empty if it was allowed; aiohttp hides the exceptions."""

PORTS = frozenset({80, 443, 8080, 8443})

_PUBLIC_6 = ip_network("2000::/3")
"""All that IANA has assigned for use on the Internet (ipv6-unicast-address-assignments)."""
_MAPPED = ip_network("::ffff:0:0/96")
_NAT64 = ip_network("64:ff9b::/96")
_FORBIDDEN = [
    ip_network(block)
    for block in (
        # IANA's special-purpose registries; which of them ipaddress knows depends on the version of Python.
        "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24"
        " 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
        " 64:ff9b:1::/48 2001::/23 2001:db8::/32 3fff::/20 fc00::/7 fe80::/10 fec0::/10 ff00::/8"
        # Azure serves the metadata and DNS of its machines at a public address.
        " 168.63.129.16/32"
    ).split()
]


class RefusedError(OSError):
    """An address to which no connection is allowed."""


def open_socket(info: AddressInfo) -> socket.socket:
    """Return a socket of the requested kind, not yet connected."""
    return socket.socket(*info[:3])


def guard(policy: Policy, opener: SocketFactory = open_socket) -> SocketFactory:
    """Return a socket factory for aiohttp's connector that raises RefusedError if the policy objects."""

    def guarded(info: AddressInfo) -> socket.socket:
        ip, port = info[4][:2]
        objection = policy(ip, port)
        objections.get([]).append(objection)
        if objection:
            raise RefusedError(objection)
        return opener(info)

    return guarded


def objection(ip: str, port: int) -> str:
    """Return the objection to a connection: only public addresses and ports of the web are allowed."""
    try:
        address = ip_address(ip)
    except ValueError:
        return f"{ip} is not an IP address"
    if not all(map(_is_public, _addresses(address))):
        return f"{ip} {NOT_PUBLIC}"
    return "" if port in PORTS else f"port {port} is not one of {', '.join(map(str, sorted(PORTS)))}"


def private_policy(port: int | None) -> Policy:
    """Return the policy for a host that the user allows: any address, at the given port or at those of the web."""
    ports = PORTS if port is None else {port}
    return lambda _, requested: "" if requested in ports else f"port {requested} was not allowed"


def _is_public(address: IPv4Address | IPv6Address) -> bool:
    if any(address in block for block in _FORBIDDEN if block.version == address.version):
        return False
    if isinstance(address, IPv6Address):
        if address in _MAPPED or address in _NAT64:
            return True  # the embedded IPv4 address decides
        if address not in _PUBLIC_6 or address.scope_id:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _addresses(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address | IPv6Address]:
    """An address, and every IPv4 address that a gateway may translate it to."""
    yield address
    if isinstance(address, IPv4Address):
        return
    low, high = int(address) & 0xFFFF_FFFF, int(address) >> 32
    if address in _MAPPED or address in _NAT64 or high == 0:
        yield IPv4Address(low)
    if high & 0xFFFF_FFFF in (0x0000_5EFE, 0x0200_5EFE):  # ISATAP, RFC 5214
        yield IPv4Address(low)
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo


class SystemResolver(AbstractResolver):
    """As aiohttp's threaded resolver, without the flag that hides IPv6 addresses from a machine without IPv6.

    A host that has only such addresses would seem not to exist, and its links would be dead. Its own threads are so many
    that a slow name server delays little else.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(32, "dns")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        infos = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        )
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=proto,
                flags=flags,
            )
            for kind, _, proto, _, address in infos
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
