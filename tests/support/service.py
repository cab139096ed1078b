"""A service on an address of the loopback range, and a client that reaches nothing else."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread.core.link_record import Answer, Hop, Trouble
from shelfread.linkcheck.http.address_guard import AddressInfo, open_socket
from shelfread.linkcheck.request import Fetch, FetchError, Follow, Reply, Request


class Asked(NamedTuple):
    """A request as the service got it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Said(NamedTuple):
    """What the service answers."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


Answers = Callable[[Asked], Said | None]
"""None: the connection is closed without a word."""


class Service(NamedTuple):
    root: str
    asked: list[Asked]

    @property
    def paths(self) -> list[str]:
        return [one.path for one in self.asked]


_numbers = count(2)


@contextmanager
def serve(answers: Answers) -> Iterator[Service]:
    """A service on an address of its own, for as long as a test takes."""
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Asked(self.command, self.path, headers, self.rfile.read(length))
            asked.append(request)
            said = answers(request)
            self.close_connection = True
            if said is None:
                return
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.send_header("Connection", "close")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(said.body)

        do_GET = do_HEAD = do_POST = _answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer((f"127.0.9.{next(_numbers)}", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        host, port = server.server_address[:2]
        yield Service(f"http://{host!s}:{port}", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def open_loopback(info: AddressInfo) -> socket.socket:
    """A socket factory behind the guard that lets nothing out of the loopback range."""
    if not str(info[4][0]).startswith("127."):
        raise OSError(f"a test would have connected to {info[4][0]}")
    return open_socket(info)


async def fetch(request: Request) -> Reply:
    """One request, to the loopback range alone."""
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
    except (aiohttp.ClientError, TimeoutError, OSError) as wrong:
        raise FetchError(Trouble.LOST, type(wrong).__name__) from None


def followed(pages: Mapping[str, tuple[Hop, ...] | Trouble | int], looks: list[str] | None = None) -> Follow:
    """Looks at a web of the test's own: a status, a chain or a trouble for each address; else 404."""

    async def follow(url: str) -> Answer:
        if looks is not None:
            looks.append(url)
        page = pages.get(url, 404)
        if isinstance(page, Trouble):
            return Answer(url, (), page)
        return Answer(url, (Hop(url, page),) if isinstance(page, int) else page)

    return follow


def follow_by(fetch: Fetch) -> Follow:
    """Looks at services, without following a redirect."""

    async def follow(url: str) -> Answer:
        try:
            reply = await fetch(Request(url, "HEAD"))
        except FetchError as wrong:
            return Answer(url, (), wrong.trouble)
        return Answer(url, (Hop(url, reply.status),))

    return follow
