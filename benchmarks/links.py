"""What looking at links costs beside a bare aiohttp loop over the same ones.

    python3 benchmarks/links.py [LINKS] [--rounds N] [--memory]

A server in a process of its own answers on 20 loopback addresses; both clients run in processes of their own too, in
turn. `--memory` looks at 100,000 links once and tells the peak.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from typing import NamedTuple

HOSTS = [f"127.0.0.{n}" for n in range(2, 22)]
ANSWER = (
    b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/html\r\n"
    b'Content-Length: 1234\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nETag: "abc"\r\nConnection: keep-alive\r\n\r\n'
)
AT_ONCE = 64


class Cost(NamedTuple):
    """What one run took."""

    seconds: float
    cpu: float
    peak: float
    """MB of memory at the most."""


class Server(asyncio.Protocol):
    """Answers HEAD with 200, as little as a server can do."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(ANSWER * data.count(b"\r\n\r\n"))


def serve(pipe: Connection) -> None:
    """Serve until killed; tells the port."""

    async def run() -> None:
        loop = asyncio.get_running_loop()
        port = 0
        for host in HOSTS:
            server = await loop.create_server(Server, host, port, backlog=512)
            port = port or server.sockets[0].getsockname()[1]
        pipe.send(port)
        await asyncio.Event().wait()

    asyncio.run(run())


async def bare(urls: list[str]) -> None:
    """The loop that anybody would write."""
    import aiohttp

    waiting = iter(urls)

    async def work() -> None:
        for url in waiting:
            async with session.head(url, allow_redirects=False) as response:
                assert response.status == 200

    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def ours(urls: list[str]) -> None:
    """All that a run over links does, but the cache."""
    from shelfread.links.client import Client
    from shelfread.links.look import look_all
    from shelfread.links.settings import Settings
    from shelfread.verdict import Record, Verdict

    settings = Settings(at_once=AT_ONCE, per_host=4, pause=0)
    told: list[Record] = []
    async with Client(settings, policy=lambda ip, port: "") as client:
        records = await look_all(urls, (), settings, {}, told.append, client)
    assert len(told) == len(records) == len(urls)
    assert all(record.verdict is Verdict.ALIVE for record in records.values()), told[0]


def measure(deed: Callable[[list[str]], Awaitable[None]], port: int, links: int, pipe: Connection) -> None:
    """Run one client over all links and tell the cost; imports and the list itself are not counted in time."""
    import aiohttp  # noqa: F401

    import shelfread.links.look  # noqa: F401

    urls = [f"http://{HOSTS[n % len(HOSTS)]}:{port}/page/{n}" for n in range(links)]
    cpu, began = time.process_time(), time.perf_counter()
    asyncio.run(deed(urls))  # type: ignore[arg-type]
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    pipe.send(Cost(seconds, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def cost(deed: Callable[[list[str]], Awaitable[None]], port: int, links: int) -> Cost:
    """What one run takes, in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=measure, args=(deed, port, links, there))
    process.start()
    found: Cost = here.recv()
    process.join()
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("links", nargs="?", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", action="store_true")
    asked = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    port = here.recv()
    try:
        if asked.memory:
            peak = cost(ours, port, 100_000)
            print(f"100,000 links: {peak.seconds:.0f} s, peak {peak.peak:.0f} MB")
            return
        rounds = [(cost(bare, port, asked.links), cost(ours, port, asked.links)) for _ in range(asked.rounds)]
        for name, runs in zip(("bare aiohttp", "shelfread"), zip(*rounds, strict=True), strict=True):
            best = min(run.seconds for run in runs)
            used = min(run.cpu for run in runs)
            peak = max(run.peak for run in runs)
            print(
                f"{name:14}{asked.links / best:8.0f} links/s {used / asked.links * 1e3:8.3f} ms CPU a link {peak:6.0f} MB"
            )
        theirs, own = (
            [min(getattr(run, what) for run in runs) for what in ("seconds", "cpu")]
            for runs in zip(*rounds, strict=True)
        )
        print(f"throughput {theirs[0] / own[0]:.0%} of bare, CPU {own[1] / theirs[1]:.2f} times")
    finally:
        server.kill()


if __name__ == "__main__":
    main()
