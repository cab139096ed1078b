"""Resolves names by the system's resolver, in enough threads that a slow name server delays little else."""

from __future__ import annotations

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from aiohttp.abc import AbstractResolver, ResolveResult


class SystemResolver(AbstractResolver):
    """As aiohttp's threaded resolver, without the flag that hides IPv6 addresses from a machine without IPv6.

    A host that has only such addresses would seem not to exist, and its links would be dead.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(32, "dns")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        infos = await asyncio.get_running_loop().run_in_executor(
            self._threads, lambda: socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=int(address[1]),
                family=kind,
                proto=proto,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, proto, _, address in infos
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
