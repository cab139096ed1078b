"""Handlers: what a server may answer."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

ANY = "*"
"""The path for all that have no handler."""

REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 503: "Service Unavailable"}


class ReceivedRequest(NamedTuple):
    """One request as it was received; names of headers are in lower case, the path includes the query."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


class Call(NamedTuple):
    """A request, and the connection to answer it."""

    request: ReceivedRequest
    nth: int
    """How often the path was requested by this method, including this time."""
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def reply(self, status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Answer as a server should, to HEAD without a body."""
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Whatever')}"]
        fields = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body)),
            **(headers or {}),
        }
        lines += [f"{name}: {value}" for name, value in fields.items()]
        head = "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")
        self.writer.write(head if self.request.method == "HEAD" else head + body)


Handler = Callable[[Call], Awaitable[None]]
"""Answers one request. If it leaves the connection open, the next request is read from it."""


def page(
    status: int = 200,
    body: bytes = b"<!doctype html><title>A page</title>",
    headers: Mapping[str, str] | None = None,
    head: int | None = None,
) -> Handler:
    """Answer with a status and a body; `head` is the status for HEAD, if that differs."""

    async def handle(call: Call) -> None:
        call.reply(head if head is not None and call.request.method == "HEAD" else status, body, headers)

    return handle


def redirect(to: str, status: int = 301) -> Handler:
    """A Location header, as written; lone surrogates stand for bytes."""
    return page(status, b"", {"Location": to})


def in_order(*handlers: Handler) -> Handler:
    """Use one handler after the other, then always the last; HEAD and GET are counted separately."""

    async def handle(call: Call) -> None:
        await handlers[min(call.nth, len(handlers)) - 1](call)

    return handle


def by_method(get: Handler, head: Handler) -> Handler:
    """Use one handler for HEAD and one for all other methods."""

    async def handle(call: Call) -> None:
        await (head if call.request.method == "HEAD" else get)(call)

    return handle


def raw(data: bytes) -> Handler:
    """Send bytes as they are, and close the connection."""

    async def handle(call: Call) -> None:
        call.writer.write(data)
        call.writer.close()

    return handle


async def hang(call: Call) -> None:
    """Send nothing until the client closes the connection."""
    await call.reader.read()


async def slow(call: Call) -> None:
    """Answer after 0.2 seconds."""
    await asyncio.sleep(0.2)
    call.reply()


async def half_closed(call: Call) -> None:
    """Send an end of file instead of an answer, and keep the other direction open."""
    call.writer.write_eof()
    await call.reader.read()


async def drip(call: Call) -> None:
    """Send an endless header, one character at a time."""
    call.writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not call.reader.at_eof():
        call.writer.write(b"x")
        await call.writer.drain()
        await asyncio.sleep(0.02)


async def endless(call: Call) -> None:
    """Send an endless body, as fast as it is read."""
    call.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p id=top>")
    while call.request.method != "HEAD":
        call.writer.write(b"<p>and so on" * 1000)
        await call.writer.drain()


def bomb(megabytes: int = 1000, lead: bytes = b"<p id=top>") -> Handler:
    """Send a gzipped body that is a thousand times bigger than what is sent."""

    async def handle(call: Call) -> None:
        packer = zlib.compressobj(9, wbits=31)
        packed = packer.compress(lead)
        call.writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        )
        nothing = bytes(1 << 20)
        for _ in range(megabytes if call.request.method != "HEAD" else 0):
            call.writer.write(packed + packer.compress(nothing))
            packed = b""
            await call.writer.drain()
        call.writer.write(packer.flush())
        call.writer.close()

    return handle


Site = Mapping[str, Handler]
Sites = Mapping[str, Site]
Names = Sequence[str]
