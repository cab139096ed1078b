"""What a server may answer."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

ANY = "*"
"""The path of whatever a site does not name."""

REASONS = {200: "OK", 301: "Moved Permanently", 302: "Found", 404: "Not Found", 503: "Service Unavailable"}


class Asked(NamedTuple):
    """One request as it came; names of headers in small letters, the path with its query."""

    name: str
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes = b""


class Call(NamedTuple):
    """A request, and the way back to who asked."""

    asked: Asked
    nth: int
    """How often the path was asked by this method, this time included."""
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def reply(self, status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None) -> None:
        """Answer as a server should, without a body to HEAD."""
        lines = [f"HTTP/1.1 {status} {REASONS.get(status, 'Whatever')}"]
        fields = {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": str(len(body)),
            **(headers or {}),
        }
        lines += [f"{name}: {value}" for name, value in fields.items()]
        head = "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")
        self.writer.write(head if self.asked.method == "HEAD" else head + body)


Play = Callable[[Call], Awaitable[None]]
"""Answers one request; when it leaves the connection open, the next one is read from it."""


def page(
    status: int = 200,
    body: bytes = b"<!doctype html><title>A page</title>",
    headers: Mapping[str, str] | None = None,
    head: int | None = None,
) -> Play:
    """An answer; `head`: the status for HEAD, where that differs."""

    async def play(call: Call) -> None:
        call.reply(head if head is not None and call.asked.method == "HEAD" else status, body, headers)

    return play


def redirect(to: str, status: int = 301) -> Play:
    """A Location header, as written; lone surrogates stand for bytes."""
    return page(status, b"", {"Location": to})


def in_turn(*plays: Play) -> Play:
    """One after the other, the last for ever; HEAD and GET count apart."""

    async def play(call: Call) -> None:
        await plays[min(call.nth, len(plays)) - 1](call)

    return play


def by_method(get: Play, head: Play) -> Play:
    """Different plays for HEAD and for all else."""

    async def play(call: Call) -> None:
        await (head if call.asked.method == "HEAD" else get)(call)

    return play


def raw(data: bytes) -> Play:
    """Bytes as they are, and the connection closed."""

    async def play(call: Call) -> None:
        call.writer.write(data)
        call.writer.close()

    return play


async def hang(call: Call) -> None:
    """Nothing at all, until the other side goes away."""
    await call.reader.read()


async def half_closed(call: Call) -> None:
    """An end of file instead of an answer, the other direction left open."""
    call.writer.write_eof()
    await call.reader.read()


async def drip(call: Call) -> None:
    """A header that never ends, a letter at a time."""
    call.writer.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not call.reader.at_eof():
        call.writer.write(b"x")
        await call.writer.drain()
        await asyncio.sleep(0.02)


async def endless(call: Call) -> None:
    """A body without an end, as fast as it is read."""
    call.writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p id=top>")
    while call.asked.method != "HEAD":
        call.writer.write(b"<p>and so on" * 1000)
        await call.writer.drain()


def bomb(megabytes: int = 1000, lead: bytes = b"<p id=top>") -> Play:
    """A body that is a thousand times bigger than what is sent, gzipped."""

    async def play(call: Call) -> None:
        packer = zlib.compressobj(9, wbits=31)
        packed = packer.compress(lead)
        call.writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        )
        nothing = bytes(1 << 20)
        for _ in range(megabytes if call.asked.method != "HEAD" else 0):
            call.writer.write(packed + packer.compress(nothing))
            packed = b""
            await call.writer.drain()
        call.writer.write(packer.flush())
        call.writer.close()

    return play


Site = Mapping[str, Play]
Sites = Mapping[str, Site]
Names = Sequence[str]
