"""What looking at links costs beside a bare aiohttp loop over the same ones.

    python3 benchmarks/links.py [LINKS] [--rounds N] [--memory]

A server in a process of its own answers on 20 loopback addresses; both clients run in processes of their own too, in
turn: HEAD, plain http, as many connections in all and to each host, kept alive. A third and a fourth process run over
the same links with a cache, empty and then full. `--memory` looks at 100,000 links once, with a cache, and tells the
peak.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shelfread.linkcheck.http.client import Client

HOSTS = [f"127.0.0.{n}" for n in range(2, 22)]
ANSWER = (
    b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/html\r\n"
    b'Content-Length: 1234\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nETag: "abc"\r\nConnection: keep-alive\r\n\r\n'
)
AT_ONCE = 64
PER_HOST = 4


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


def bare(urls: list[str], cache: str) -> None:
    """The loop that anybody would write."""
    asyncio.run(_bare(urls))


async def _bare(urls: list[str]) -> None:
    import aiohttp

    waiting = iter(urls)

    async def work() -> None:
        for url in waiting:
            async with session.head(url, allow_redirects=False) as response:
                assert response.status == 200

    connector = aiohttp.TCPConnector(limit=AT_ONCE, limit_per_host=PER_HOST)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))


def ours(urls: list[str], cache: str) -> None:
    """All that a run over links does, but the cache."""
    asyncio.run(_ours(urls))


async def _ours(urls: list[str]) -> None:
    from shelfread.core.link_record import LinkRecord, Verdict
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.resolve import check_urls
    from shelfread.linkcheck.settings import Settings

    settings = Settings(concurrency=AT_ONCE, per_host=PER_HOST, pause=0)
    told: list[LinkRecord] = []
    async with Client(settings, policy=lambda ip, port: "") as client:
        records = await check_urls(urls, (), settings, {}, told.append, client)
    assert len(told) == len(records) == len(urls)
    assert all(record.verdict is Verdict.ALIVE for record in records.values()), told[0]


def remembered(urls: list[str], cache: str) -> None:
    """All that a run does with links once its lists are read: what the cache knows is not asked for."""
    from shelfread.linkcheck.cache.store import Cache
    from shelfread.linkcheck.extract import Targets
    from shelfread.linkcheck.model import LinkCheckContext
    from shelfread.linkcheck.registries.endpoints import Endpoints
    from shelfread.linkcheck.run import check_links
    from shelfread.linkcheck.settings import Settings

    def open_client(settings: Settings) -> Client:
        from shelfread.linkcheck.http.client import Client

        return Client(settings, policy=lambda ip, port: "")

    def warn(said: str) -> None:
        raise AssertionError(said)

    settings = Settings(concurrency=AT_ONCE, per_host=PER_HOST, pause=0)
    with Cache.open(Path(cache), warn) as kept:
        context = LinkCheckContext(settings, Endpoints(), {}, kept, open_client, lambda _: {}, lambda _: None)
        found = check_links(Targets(tuple(urls), frozenset()), context)
    assert len(found.records) == len(urls) and not found.interrupted


Deed = Callable[[list[str], str], None]


def measure(deed: Deed, port: int, links: int, cache: str, pipe: Connection) -> None:
    """Run one client over all links and tell the cost; the list itself is not counted in time.

    Imports are not either, but that of what makes requests for the runs with a cache: one that asks nothing does
    without.
    """
    import shelfread.linkcheck.extract

    if deed is not remembered:
        import aiohttp  # noqa: F401

        import shelfread.linkcheck.resolve  # noqa: F401

    urls = [f"http://{HOSTS[n % len(HOSTS)]}:{port}/page/{n}" for n in range(links)]
    cpu, began = time.process_time(), time.perf_counter()
    deed(urls, cache)
    seconds, used = time.perf_counter() - began, time.process_time() - cpu
    pipe.send(Cost(seconds, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def cost(deed: Deed, port: int, links: int, cache: str = "") -> Cost:
    """What one run takes, in a process of its own."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=measure, args=(deed, port, links, cache, there)
    )
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
        with tempfile.TemporaryDirectory() as folder:
            if asked.memory:
                peak = cost(remembered, port, 100_000, f"{folder}/cache")
                print(f"100,000 links: {peak.seconds:.0f} s, peak {peak.peak:.0f} MB")
                return
            rounds = [
                [
                    cost(bare, port, asked.links),
                    cost(ours, port, asked.links),
                    *(cost(remembered, port, asked.links, f"{folder}/{number}") for _ in range(2)),
                ]
                for number in range(asked.rounds)
            ]
    finally:
        server.kill()
    names = ("bare aiohttp", "shelfread", "with a cache", "cached rerun")
    for name, runs in zip(names, zip(*rounds, strict=True), strict=True):
        best = min(run.seconds for run in runs)
        used = min(run.cpu for run in runs)
        peak = max(run.peak for run in runs)
        print(
            f"{name:14}{asked.links / best:8.0f} links/s {used / asked.links * 1e3:8.3f} ms CPU a link {peak:6.0f} MB"
        )
    print(f"throughput : bare    {ratios(rounds, 0, 1, 'seconds')}")
    print(f"CPU : bare           {ratios(rounds, 1, 0, 'cpu')}")
    print(f"rerun : first        {ratios(rounds, 3, 2, 'seconds')}")


def ratios(rounds: Sequence[Sequence[Cost]], one: int, other: int, what: str) -> str:
    """One run's figure by another's: of the least of all rounds, of the middle round, of the extremes."""
    least = [min(getattr(runs[which], what) for runs in rounds) for which in (one, other)]
    each = sorted(getattr(runs[one], what) / getattr(runs[other], what) for runs in rounds)
    return f"{least[0] / least[1]:.2f}, a round {median(each):.2f} ({each[0]:.2f} to {each[-1]:.2f})"


if __name__ == "__main__":
    main()
