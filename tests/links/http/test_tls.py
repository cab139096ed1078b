"""Handshakes that fail: the reason is said, and the host counts as one that answers."""

from __future__ import annotations

import asyncio
import struct

import pytest

from shelfread.index.answers import Trouble, Verdict
from shelfread.links.attempts import follower
from shelfread.links.client import Client
from shelfread.links.verdicts import judge
from support.service import open_loopback
from support.web.server import quick

ALERT = b"\x15\x03\x03\x00\x02\x02"
"""A fatal alert of TLS; the next byte says which."""


def answer(data: bytes, reset: bool = False) -> tuple[Trouble | None, str, Verdict]:
    """Return what comes of a server that answers the first message of a handshake with some bytes."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(64)
        writer.write(data)
        if reset:
            socket = writer.get_extra_info("socket")
            socket.setsockopt(1, 13, struct.pack("ii", 1, 0))  # SO_LINGER: close by a reset
            writer.transport.abort()
        writer.close()

    async def run() -> tuple[Trouble | None, str, Verdict]:
        server = await asyncio.start_server(connected, "127.0.8.1", 0)
        port = server.sockets[0].getsockname()[1]
        url = f"https://127.0.8.1:{port}/"
        async with server, Client(quick(), policy=lambda *_: "", opener=open_loopback) as client:
            attempt = await follower(client)(url)
        before = judge(attempt, None, 1.0)
        return attempt.trouble, attempt.detail, judge(attempt, before._replace(failures=9), 1e9).verdict

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("data", "reset", "reason"),
    [
        (b"", False, "ended the handshake"),
        (b"", True, "ended the handshake"),
        (ALERT + bytes([40]), False, "handshake failure"),  # handshake_failure
        (ALERT + bytes([70]), False, "protocol version"),  # protocol_version: old versions only
        (ALERT + bytes([112]), False, "unrecognized name"),  # unrecognized_name
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", False, ""),
    ],
)
def test_a_failed_handshake_is_named(data: bytes, reset: bool, reason: str) -> None:
    trouble, detail, verdict = answer(data, reset)
    assert (
        trouble is Trouble.PROTOCOL
        and detail.startswith("TLS: ")
        and reason in detail
        and "no agreement" not in detail
    ), detail
    assert verdict is Verdict.UNKNOWN
