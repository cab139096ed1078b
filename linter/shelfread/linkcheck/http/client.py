"""One request to one host: guarded, bounded, without cookies, proxies or redirects."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import zlib
from collections.abc import Mapping, Sequence
from types import TracebackType

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from shelfread.core.link_record import Trouble
from shelfread.linkcheck.http.address_guard import Opener, attempts, guard, open_socket
from shelfread.linkcheck.http.address_policy import Policy, freed, objection
from shelfread.linkcheck.http.dns import SystemResolver
from shelfread.linkcheck.http.throttle import DroppedError, Pace
from shelfread.linkcheck.http.timeouts import Watch
from shelfread.linkcheck.http.url import freed_hosts, host_of, on_the_wire
from shelfread.linkcheck.request import UNREACHABLE, FetchError, Reply, Request
from shelfread.linkcheck.settings import Settings

_LINE = 16 << 10
"""Bytes of one header, a Location of the longest address included."""

_TOKEN_HOST = "https://api.github.com"
_NEVER = frozenset({"cookie", "host", "proxy-authorization"})
_ACCEPT = {"Accept": "text/html,*/*;q=0.8", "Accept-Encoding": "gzip, deflate"}

_FLAWS = {
    10: "expired",
    18: "self-signed",
    19: "self-signed",
    20: "of an unknown authority",
    21: "of an unknown authority",
    62: "for another name",
    64: "for another name",
}
"""OpenSSL's codes of verification (X509_V_ERR_*) in words."""


class Client:
    """The sessions that all requests of a run share; an asynchronous context."""

    def __init__(
        self,
        settings: Settings,
        policy: Policy = objection,
        opener: Opener = open_socket,
        resolver: AbstractResolver | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self.settings = settings
        self.headless: set[str] = set()
        """Hosts where HEAD was seen to be useless."""
        self._policy = policy
        self._opener = opener
        self._resolver = resolver
        self._trust = trust
        self._freed = freed_hosts(settings.allow_private)
        self._sessions: dict[tuple[str, bool], aiohttp.ClientSession] = {}
        self._brief = min(settings.connect + settings.first_byte, settings.link)
        # The watch ends a request as a whole; aiohttp rounds longer times up to whole seconds.
        self._times = aiohttp.ClientTimeout(total=None, sock_connect=settings.connect, ceil_threshold=1e9)

    async def __aenter__(self) -> Client:
        self.pace = Pace(self.settings)
        self.now = asyncio.get_running_loop().time
        self.ends_at = None if self.settings.deadline is None else self.now() + self.settings.deadline
        self._names = self._resolver or SystemResolver()
        self._watch = Watch()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.pace.stop("the run ended")
        self._watch.close()
        for session in self._sessions.values():
            await session.close()
        await self._names.close()
        await asyncio.sleep(0)  # transports say goodbye in the loop's next round

    async def fetch(self, request: Request) -> Reply:
        """Make one request at its host's pace: a `Fetch`."""
        return await self.at_pace(request)

    async def at_pace(self, request: Request, verify: bool = True) -> Reply:
        """Make one request when its host's turn comes; raises FetchError."""
        host = host_of(request.url)
        try:
            return await self.pace.turn(host, lambda: self.ask(request, verify))
        except DroppedError as dropped:
            raise FetchError(Trouble.NOT_ASKED, str(dropped)) from None

    async def ask(
        self, request: Request, verify: bool = True, fresh: bool = False, seconds: float | None = None
    ) -> Reply:
        """Make one request at once; `fresh`: by a new connection. Raises FetchError."""
        url = on_the_wire(request.url)
        tried: list[str] = []
        attempts.set(tried)
        session = self._session(url, fresh)
        most = self.settings.link if request.limit else self._brief
        if seconds is not None and seconds < most:
            most = max(seconds, 0.001)
        try:
            with self._watch.limit(most):
                response = await session.request(
                    request.method,
                    url,
                    headers=safe_headers(request.headers, url) if request.headers else None,
                    data=request.body,
                    allow_redirects=False,
                    ssl=verify,
                )
                try:
                    body = b""
                    if request.limit and request.method != "HEAD":
                        body = await _body(response, request.limit)
                finally:
                    response.release()
                return Reply(request.url, response.status, response.headers, body)
        except (aiohttp.ClientError, OSError, asyncio.TimeoutError, ValueError, zlib.error) as wrong:
            if tried and all(tried):
                raise FetchError(Trouble.REFUSED, tried[-1]) from None
            raise _error(wrong) from None

    async def resolves_any(self, names: Sequence[str], seconds: float) -> bool:
        """Whether one of some names has an address; nothing is asked of it."""

        async def resolve(name: str) -> bool:
            try:
                return bool(await self._names.resolve(name, 443, socket.AF_UNSPEC))
            except OSError:
                return False

        looks = [asyncio.ensure_future(resolve(name)) for name in names]
        try:
            for look in asyncio.as_completed(looks, timeout=seconds):
                if await look:
                    return True
        except asyncio.TimeoutError:
            pass
        finally:
            for one in looks:
                one.cancel()
            await asyncio.gather(*looks, return_exceptions=True)
        return False

    def _session(self, url: URL, fresh: bool) -> aiohttp.ClientSession:
        """Connections to hosts that the user freed are kept apart: what is free for one is so for no other."""
        host, policy = "", self._policy
        ports = self._freed.get(url.raw_host or "")
        if ports and not ports.isdisjoint({url.port, None}):
            host, policy = url.raw_host or "", freed(url.port if url.port in ports else None)
            host = f"{host}:{url.port}" if url.port in ports else host
        session = self._sessions.get((host, fresh))
        if session is None:
            session = self._sessions[host, fresh] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(
                    socket_factory=guard(policy, self._opener),
                    resolver=self._names,
                    ssl=self._trust or True,
                    limit=0,  # the pace sees to it
                    ttl_dns_cache=300,
                    force_close=fresh,
                ),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={**_ACCEPT, "User-Agent": self.settings.user_agent},
                timeout=self._times,
                trust_env=False,
                auto_decompress=False,
                raise_for_status=False,
                max_line_size=_LINE,
                max_field_size=_LINE,
            )
        return session


def safe_headers(headers: Mapping[str, str], url: URL) -> dict[str, str]:
    """What is asked for, a token to nobody but the one host that it is for."""
    origin = str(url.origin())
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in _NEVER and (name.lower() != "authorization" or origin == _TOKEN_HOST)
    }


async def _body(response: aiohttp.ClientResponse, limit: int) -> bytes:
    """At most `limit` bytes, unpacked a piece at a time: a bomb costs no more than an honest page."""
    coding = response.headers.get("Content-Encoding", "").strip().lower()
    unpack = zlib.decompressobj(31) if coding in ("gzip", "x-gzip") else None
    if coding == "deflate":
        unpack = zlib.decompressobj()
    elif coding and unpack is None and coding != "identity":
        return b""
    body = bytearray()
    async for piece in response.content.iter_any():
        if unpack is None:
            body += piece
        elif (
            not body and coding == "deflate" and piece[0] & 0xF != 8
        ):  # without zlib's header, as some send it
            unpack = zlib.decompressobj(-15)
            body += unpack.decompress(piece, limit)
        else:
            body += unpack.decompress(piece, limit - len(body))
        if len(body) >= limit or (unpack and unpack.eof):
            break
    return bytes(body[:limit])


def _error(wrong: Exception) -> FetchError:
    """An error of aiohttp in our words."""
    if isinstance(wrong, asyncio.TimeoutError):
        opened = not isinstance(wrong, aiohttp.ConnectionTimeoutError)
        return FetchError(Trouble.TIMEOUT, "no answer in time" if opened else "no connection in time")
    if isinstance(wrong, aiohttp.ClientConnectorDNSError):
        missing = getattr(wrong.os_error, "errno", None) == socket.EAI_NONAME
        return FetchError(Trouble.NO_HOST if missing else Trouble.NAME_SERVER)
    if isinstance(wrong, aiohttp.ClientConnectorCertificateError):
        cause = wrong.certificate_error
        code = getattr(cause, "verify_code", 0)
        return FetchError(Trouble.CERTIFICATE, _FLAWS.get(code) or str(getattr(cause, "verify_message", "")))
    if isinstance(wrong, aiohttp.ClientSSLError | ssl.SSLError):
        return FetchError(Trouble.PROTOCOL, f"TLS: {getattr(wrong, 'reason', None) or 'no agreement'}")
    if isinstance(wrong, OSError):
        absent = wrong.errno in (errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.EADDRNOTAVAIL)
        return FetchError(Trouble.LOST, UNREACHABLE if absent else _os_words(wrong))
    if isinstance(wrong, aiohttp.ServerDisconnectedError):
        return FetchError(Trouble.LOST, "closed without an answer")
    if isinstance(wrong, aiohttp.ClientPayloadError):
        return FetchError(Trouble.LOST, "the page broke off")
    return FetchError(Trouble.PROTOCOL, _first_line(wrong))


def _os_words(wrong: OSError) -> str:
    return {errno.ECONNREFUSED: "connection refused", errno.ECONNRESET: "connection reset"}.get(
        wrong.errno or 0, ""
    )


def _first_line(wrong: Exception) -> str:
    text = str(getattr(wrong, "message", "") or wrong)
    return text.strip().partition("\n")[0][:100]
