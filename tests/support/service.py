"""A service on a loopback address, and a client that reaches nothing else."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from shelfread.index.answers import Hop, Trouble
from shelfread.links.exchange import Attempt, Fetch, FetchError, Follow, Reply, Request
from shelfread.links.http.addresses import AddressInfo, open_socket


class ReceivedRequest(NamedTuple):
    """A request as the service received it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Response(NamedTuple):
    """The response of the service."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


RequestHandler = Callable[[ReceivedRequest], Response | None]
"""Returns the response to a request; None closes the connection without one."""


class Service(NamedTuple):
    root: str
    requests: list[ReceivedRequest]

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]


_numbers = count(2)


@contextmanager
def serve(respond: RequestHandler) -> Iterator[Service]:
    """Run a service on an address of its own until the block ends."""
    requests: list[ReceivedRequest] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = ReceivedRequest(self.command, self.path, headers, self.rfile.read(length))
            requests.append(request)
            response = respond(request)
            self.close_connection = True
            if response is None:
                return
            self.send_response(response.status)
            for name, value in response.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(response.body)

        do_GET = do_HEAD = do_POST = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((f"127.0.9.{next(_numbers)}", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield Service(f"http://{host!s}:{port}", requests)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def open_loopback(info: AddressInfo) -> socket.socket:
    """Open a socket behind the guard, to loopback addresses only."""
    if not str(info[4][0]).startswith("127."):
        raise OSError(f"a test would have connected to {info[4][0]}")
    return open_socket(info)


async def fetch(request: Request) -> Reply:
    """Make one request, to loopback addresses only."""
    import aiohttp
    from yarl import URL

    assert (urlsplit(request.url).hostname or "").startswith("127."), request.url
    timeout = aiohttp.ClientTimeout(total=5)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout, trust_env=False) as session,
            session.request(
                request.method,
                URL(request.url, encoded=True),
                headers=dict(request.headers),
                data=request.body,
                allow_redirects=False,
            ) as response,
        ):
            body = await response.content.read(request.limit)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Reply(request.url, response.status, headers, body)
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise FetchError(Trouble.LOST, type(error).__name__) from None


def followed(pages: Mapping[str, tuple[Hop, ...] | Trouble | int], urls: list[str] | None = None) -> Follow:
    """Return a `Follow` of fake pages: a status, a chain or a trouble by URL, 404 for others; `urls` collects calls."""

    async def follow(url: str) -> Attempt:
        if urls is not None:
            urls.append(url)
        page = pages.get(url, 404)
        if isinstance(page, Trouble):
            return Attempt(url, (), page)
        return Attempt(url, (Hop(url, page),) if isinstance(page, int) else page)

    return follow


def follow_by(fetch: Fetch) -> Follow:
    """Return a `Follow` by HEAD requests, without following redirects."""

    async def follow(url: str) -> Attempt:
        try:
            reply = await fetch(Request(url, "HEAD"))
        except FetchError as error:
            return Attempt(url, (), error.trouble)
        return Attempt(url, (Hop(url, reply.status),))

    return follow


def handles(known: set[str]) -> Callable[[ReceivedRequest], Response]:
    """Respond as doi.org's lookup of handles does, which knows only these DOIs."""

    def respond(request: ReceivedRequest) -> Response:
        doi = unquote(request.path.removeprefix("/api/handles/"))
        if doi in known:
            return Response(200, json.dumps({"responseCode": 1, "handle": doi.upper()}).encode())
        return Response(404, json.dumps({"responseCode": 100, "handle": doi}).encode())

    return respond
