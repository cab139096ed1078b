"""What `add` and `complete` ask services with: a client, the cache of earlier answers, the pace that services want."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, TypeVar

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.imports.services.look_up import Services
from shelfread.imports.services.paper_services import read_openalex_key
from shelfread.index.answers import Trouble
from shelfread.links.exchange import FetchError, Reply, Request
from shelfread.links.network_settings import Endpoints, Settings, read_endpoints

if TYPE_CHECKING:
    from shelfread.imports.services.work_cache import WorkCache
    from shelfread.links.http.client import Client

_Answer = TypeVar("_Answer")
_PAUSES = {"api.crossref.org": 1.0, "dblp.org": 1.0}
"""Seconds between two requests to services that ask for patience."""


class Network(NamedTuple):
    """What is needed to ask services."""

    cache: Callable[[], AbstractContextManager[WorkCache | None]]
    progress: Callable[[int, int], None]
    """Receives how many titles of how many were looked for."""
    open_client: Callable[[Settings], Client]


def ask_services(
    network: Network, ask: Callable[[Services], Awaitable[_Answer]], deadline: float | None = None
) -> tuple[_Answer, list[str]]:
    """Return what is found out from services, and for people why some of them were not asked any more.

    Services that the environment names may be at private addresses. `deadline` is in seconds.
    """
    endpoints = read_endpoints()
    settings = Settings(
        deadline=deadline,
        pauses={**Settings().pauses, **_PAUSES},
        network_probes=endpoints.hosts,
        allow_private=endpoints.own,
    )
    failures: dict[str, str] = {}

    async def run() -> _Answer:
        with network.cache() as cache:
            async with network.open_client(settings) as client:
                key = read_openalex_key()
                return await ask(Services(client.fetch, endpoints, cache, key, network.progress, failures))

    return asyncio.run(run()), list(failures.values())


def ask_cache(network: Network, ask: Callable[[Services], Awaitable[_Answer]]) -> _Answer:
    """Return what is found out from earlier answers alone."""

    async def refuse(request: Request) -> Reply:
        raise FetchError(Trouble.NOT_CHECKED)

    async def run() -> _Answer:
        with network.cache() as cache:
            return await ask(Services(refuse, Endpoints(), cache))

    return asyncio.run(run())
