"""Which addresses may be asked, and how often a host is asked: never private addresses, and politely."""

from __future__ import annotations

import asyncio
import socket
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, TypeVar

from aiohttp.abc import AbstractResolver, ResolveResult

from shelfread.index.answers import NOT_ALLOWED, NOT_PUBLIC
from shelfread.links.exchange import Settings

# Returns the objection to a connection to an IP address and port; empty if it is allowed.
Policy = Callable[[str, int], str]

# As returned by getaddrinfo.
AddressInfo = tuple[int | socket.AddressFamily, int | socket.SocketKind, int, str, tuple[Any, ...]]

SocketFactory = Callable[[AddressInfo], socket.socket]

# The objection to each address that one request tried, empty if it was allowed; aiohttp hides the exceptions.
objections: ContextVar[list[str]] = ContextVar("objections")

PORTS = frozenset({80, 443, 8080, 8443})

# All that IANA has assigned for use on the Internet (ipv6-unicast-address-assignments).
_PUBLIC_6 = ip_network("2000::/3")
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
    return lambda _, requested: "" if requested in ports else f"port {requested} {NOT_ALLOWED}"


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
    """aiohttp's threaded resolver with its own threads, and with IPv6 addresses on machines without IPv6: such hosts exist."""

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


T = TypeVar("T")


class DroppedError(Exception):
    """A request that is never made, and why."""


@dataclass(eq=False, slots=True)
class _Host:
    pause: float
    # one for each request that waits for its turn.
    turns: deque[asyncio.Future[None]] = field(default_factory=deque)
    links: int = 0
    running: int = 0
    not_before: float = 0.0  # the loop's time before which no request starts
    started_at: float | None = None
    dropped: str = ""  # why no further request is made
    queued: bool = False  # whether the host is ready, or waits for the end of a pause


class Throttle:
    """Lets requests start when it is their host's turn."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._hosts: dict[str, _Host] = {}
        self._ready: deque[tuple[str, _Host]] = deque()
        self._running = 0
        self._loop = asyncio.get_running_loop()

    def expect(self, name: str) -> None:
        """Allow a host the time for one more link."""
        self._host(name).links += 1

    async def call(self, name: str, function: Callable[[], Awaitable[T]], first: bool = False) -> T:
        """Return the function's result when it is the host's turn (`first`: the next); raises DroppedError if there is none."""
        host = self._host(name)
        if host.dropped:
            raise DroppedError(host.dropped)
        turn: asyncio.Future[None] = self._loop.create_future()
        (host.turns.appendleft if first else host.turns.append)(turn)
        self._enqueue(name, host)
        self._start()
        try:
            if not turn.done():
                await turn
            turn.result()
            return await function()
        finally:
            if turn.done() and not turn.cancelled() and turn.exception() is None:
                host.running -= 1
                self._running -= 1
                self._enqueue(name, host)
                self._start()

    def pause_host(self, name: str, seconds: float) -> None:
        """Start no request to a host for a while."""
        host = self._host(name)
        host.not_before = max(host.not_before, self._loop.time() + seconds)

    def drop(self, name: str, reason: str) -> None:
        """Make no further request to a host."""
        host = self._host(name)
        host.dropped = host.dropped or reason
        while host.turns:
            turn = host.turns.popleft()
            if not turn.done():
                turn.set_exception(DroppedError(host.dropped))

    def _host(self, name: str) -> _Host:
        if (host := self._hosts.get(name)) is None:
            host = self._hosts[name] = _Host(self._settings.pauses.get(name, self._settings.pause))
        return host

    def _enqueue(self, name: str, host: _Host) -> None:
        """Note that a host is ready for a request, now or at the end of its pause."""
        if host.queued or not host.turns or host.running >= self._settings.per_host:
            return
        host.queued = True
        if host.not_before <= self._loop.time():
            self._ready.append((name, host))
        else:
            self._loop.call_at(host.not_before, self._on_pause_end, name, host)

    def _on_pause_end(self, name: str, host: _Host) -> None:
        self._ready.append((name, host))
        self._start()

    def _start(self) -> None:
        """Give a turn to each ready host, as far as the limit for all allows."""
        while self._ready and self._running < self._settings.concurrency:
            name, host = self._ready.popleft()
            host.queued = False
            now = self._loop.time()
            limit = self._settings.host + self._settings.host_per_link * host.links
            if host.started_at is not None and now - host.started_at > limit:
                self.drop(name, f"the host took more than {limit:.0f} s")
            while host.turns and host.not_before <= now:  # else it was paused while it was ready
                turn = host.turns.popleft()
                if not turn.done():  # else its task was cancelled
                    host.started_at = now if host.started_at is None else host.started_at
                    host.not_before = now + host.pause
                    host.running += 1
                    self._running += 1
                    turn.set_result(None)
                    break
            self._enqueue(name, host)
