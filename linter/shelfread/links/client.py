"""The HTTP client: guarded and bounded requests without cookies, proxies or redirects."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import zlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from shelfread.index.answers import Trouble
from shelfread.links.exchange import NO_CONNECTION, UNREACHABLE, FetchError, Reply, Request, Settings
from shelfread.links.request_limits import (
    DroppedError,
    Policy,
    SocketFactory,
    SystemResolver,
    Throttle,
    guard,
    objection,
    objections,
    open_socket,
    private_policy,
)
from shelfread.links.wire_url import on_the_wire, private_hosts, request_host

_LINE = 16 << 10  # bytes of one header: enough for a Location with the longest URL

_TOKEN_HOST = "https://api.github.com"
_DROPPED_HEADERS = frozenset({"cookie", "host", "proxy-authorization"})
_ACCEPT = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip"}

# OpenSSL's verification errors (X509_V_ERR_*).
_CERTIFICATE_ERRORS = {
    10: "expired",
    18: "self-signed",
    19: "self-signed",
    20: "of an unknown authority",
    21: "of an unknown authority",
    62: "for another name",
    64: "for another name",
}
_GZIP = b"\x1f\x8b"  # the first bytes of each member of a gzip file
# What is raised if a connection was opened, and closed before it was encrypted.
_CLOSED = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError)
_OS_DETAILS = {errno.ECONNREFUSED: NO_CONNECTION, errno.ECONNRESET: "connection reset"}


class Client:
    """Makes the requests of a run; an asynchronous context manager."""

    def __init__(
        self,
        settings: Settings,
        policy: Policy = objection,
        opener: SocketFactory = open_socket,
        resolver: AbstractResolver | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.settings = settings
        self._policy = policy
        self._opener = opener
        self._resolver = resolver
        self._trust = trust
        self._private_hosts = private_hosts(settings.allow_private)
        self._sessions: dict[tuple[str, bool], aiohttp.ClientSession] = {}
        self._headers_timeout = min(settings.connect + settings.first_byte, settings.link)

    async def __aenter__(self) -> Client:
        self.throttle = Throttle(self.settings)
        self.now = asyncio.get_running_loop().time
        self.deadline = None if self.settings.deadline is None else self.now() + self.settings.deadline
        self._dns = self._resolver or SystemResolver()
        return self

    async def __aexit__(self, *_: object) -> None:
        for session in self._sessions.values():
            await session.close()
        await self._dns.close()
        await asyncio.sleep(0)  # let transports close

    async def fetch(self, request: Request) -> Reply:
        """Make one request when it is its host's turn: a `Fetch`. Raises FetchError."""
        host = request_host(request.url)
        self.throttle.expect(host)
        try:
            return await self.throttle.call(host, lambda: self.send(request))
        except DroppedError as dropped:
            raise FetchError(Trouble.NOT_CHECKED, str(dropped)) from None

    async def send(self, request: Request, reuse: bool = True, seconds: float | None = None) -> Reply:
        """Make one request now, on an open connection if `reuse`, within `seconds`; raises FetchError."""
        url = on_the_wire(request.url)
        tried: list[str] = []
        objections.set(tried)
        session = self._session(url, reuse)
        timeout = self.settings.link if request.limit else self._headers_timeout
        if seconds is not None and seconds < timeout:
            timeout = max(seconds, 0.001)
        try:
            response = await session.request(
                request.method,
                url,
                headers=safe_headers(request.headers, url) if request.headers else None,
                data=request.body,
                allow_redirects=False,
                ssl=request.verify,
                timeout=_timeout(timeout, self.settings.connect),
            )
            try:
                body = b""
                if request.limit and request.method != "HEAD":
                    body = await _body(response, request.limit)
            finally:
                response.release()
            return Reply(request.url, response.status, response.headers, body)
        except Exception as error:
            if tried and all(tried):
                raise FetchError(Trouble.REFUSED, tried[-1]) from None
            failure = _fetch_error(error, url.scheme == "https")
        if failure.trouble is Trouble.NO_HOST:
            # Some resolvers say so of every name while there is no network.
            probes, timeout = self.settings.network_probes, self.settings.probe_timeout
            if not await self.resolves_any(probes, timeout):
                raise FetchError(Trouble.NAME_SERVER, UNREACHABLE)
        raise failure

    async def resolves_any(self, names: Sequence[str], seconds: float) -> bool:
        """Whether one of some names resolves, each in its part of the time; no request is made."""
        for name in names:
            lookup = self._dns.resolve(name, 443, socket.AF_UNSPEC)
            with suppress(OSError, asyncio.TimeoutError):
                if await asyncio.wait_for(lookup, seconds / len(names)):
                    return True
        return False

    def _session(self, url: URL, reuse: bool) -> aiohttp.ClientSession:
        """Each private host that the user allowed has sessions of its own: only there it is allowed."""
        host, policy = "", self._policy
        ports = self._private_hosts.get(url.raw_host or "") if self._private_hosts else None
        if ports and not ports.isdisjoint({url.port, None}):
            host, policy = url.raw_host or "", private_policy(url.port if url.port in ports else None)
            host = f"{host}:{url.port}" if url.port in ports else host
        session = self._sessions.get((host, reuse))
        if session is None:
            session = self._sessions[host, reuse] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    socket_factory=guard(policy, self._opener),
                    resolver=self._dns,
                    ssl=self._trust or True,
                    limit=0,  # the throttle limits connections
                    ttl_dns_cache=300,
                    force_close=not reuse,
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={**_ACCEPT, "User-Agent": self.settings.user_agent},
                trust_env=False,
                auto_decompress=False,
                raise_for_status=False,
                max_line_size=_LINE,
                max_field_size=_LINE,
            )
        return session


@lru_cache(64)
def _timeout(total: float, connect: float) -> aiohttp.ClientTimeout:
    # Without the threshold long times would be rounded up to whole seconds.
    return aiohttp.ClientTimeout(total=total, sock_connect=connect, ceil_threshold=1e9)


def safe_headers(headers: Mapping[str, str], url: URL) -> dict[str, str]:
    """Return the headers to send: a token only to the host that it belongs to."""
    origin = str(url.origin())
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in _DROPPED_HEADERS and (name.lower() != "authorization" or origin == _TOKEN_HOST)
    }


async def _body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """Return at most `limit` bytes, decompressed in pieces: a zip bomb needs no more memory than a page."""
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    decompressor = zlib.decompressobj(31) if coding in ("gzip", "x-gzip") else None
    if decompressor is None and coding not in ("", "identity"):
        return b""
    body = bytearray()
    async for piece in response.content.iter_any():
        if decompressor is None:
            body += piece
        else:
            body += decompressor.decompress(piece, limit - len(body))
            # A page may be several members, one after the other.
            while decompressor.eof and len(body) < limit:
                rest = decompressor.unused_data
                if rest and not _GZIP.startswith(rest[: len(_GZIP)]):
                    break
                decompressor = zlib.decompressobj(31)
                body += decompressor.decompress(rest, limit - len(body))
        if len(body) >= limit or (decompressor and decompressor.eof):
            break
    return bytes(body[:limit])


def _fetch_error(error: Exception, is_tls: bool) -> FetchError:
    if isinstance(error, asyncio.TimeoutError):
        opened = not isinstance(error, aiohttp.ConnectionTimeoutError)
        return FetchError(Trouble.TIMEOUT, "no answer in time" if opened else "no connection in time")
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        missing = getattr(error.os_error, "errno", None) == socket.EAI_NONAME
        return FetchError(Trouble.NO_HOST if missing else Trouble.NAME_SERVER)
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        cause = error.certificate_error
        known = _CERTIFICATE_ERRORS.get(getattr(cause, "verify_code", 0))
        return FetchError(Trouble.CERTIFICATE, known or str(getattr(cause, "verify_message", "")))
    if isinstance(error, aiohttp.ClientSSLError | ssl.SSLError):
        reason = str(getattr(getattr(error, "os_error", error), "reason", None) or "no agreement")
        return FetchError(Trouble.PROTOCOL, f"TLS: {reason.replace('_', ' ').lower()}")
    if is_tls and isinstance(error, aiohttp.ClientConnectorError) and isinstance(error.os_error, _CLOSED):
        return FetchError(Trouble.PROTOCOL, "TLS: the host ended the handshake")
    if isinstance(error, OSError):
        absent = error.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)
        return FetchError(Trouble.LOST, UNREACHABLE if absent else _OS_DETAILS.get(error.errno or 0, ""))
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return FetchError(Trouble.LOST, "closed without an answer")
    if isinstance(error, aiohttp.ClientPayloadError):
        return FetchError(Trouble.LOST, "the page broke off")
    if not isinstance(error, aiohttp.ClientError | ValueError | zlib.error):
        return FetchError(Trouble.FAULT, type(error).__name__)
    text = str(getattr(error, "message", "") or error)
    return FetchError(Trouble.PROTOCOL, text.strip().partition("\n")[0][:100])
