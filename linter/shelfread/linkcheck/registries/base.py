"""Registries: services that know whether a thing is there, where its page only knows robots."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, Protocol
from urllib.parse import urlsplit

from shelfread.core.link_record import Record, Verdict
from shelfread.linkcheck.http.request import Fetch, FetchError, Reply, Request

AGAIN = 5.0
"""Seconds after which a registry is asked a second time for what it does not know."""
_AT_ONCE = 16
"""So many questions are put together; how many go out at the same time is the client's to say."""


class Registry(Protocol):
    """One service. What it cannot say, it leaves to the web."""

    @property
    def host(self) -> str:
        """The service's name, which a record bears as its source."""

    def claims(self, url: str) -> str | None:
        """The key under which the registry knows the thing at an address; None when it is not its business."""

    async def ask(self, keys: Sequence[str], fetch: Fetch, now: float) -> dict[str, Record | None]:
        """What the registry knows of each key; None where it cannot say.

        A record's `url` is the registry's own address of the thing, not the one written.
        """


class Site(NamedTuple):
    """An address taken apart, of the kind that a browser asks without more ado."""

    host: str
    """In small letters, without `www.`."""
    path: str
    query: str


@lru_cache(16)  # each registry asks in turn
def site_of(url: str) -> Site | None:
    """The host, path and query of a plain address; None where a user, a port or another scheme is in it."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    if not host or "@" in parts.netloc or usual is None or port not in (None, usual):
        return None
    return Site(host, parts.path, parts.query)


async def get(fetch: Fetch, request: Request) -> Reply | None:
    """A reply, or None where none came."""
    try:
        return await fetch(request)
    except FetchError:
        return None


def read_json(body: bytes) -> Mapping[str, object]:
    """A JSON object; one without anything for whatever else stands there."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def alive(url: str, source: str, now: float, reason: str) -> Record:
    """A thing that its registry knows."""
    return Record(url, Verdict.ALIVE, reason, source=source, checked_at=now)


def dead(url: str, source: str, now: float, reason: str) -> Record:
    """A thing that its registry does not know, asked twice."""
    return Record(url, Verdict.DEAD, reason, source=source, checked_at=now, failures=1, first_failure=now)


async def ask_each(
    keys: Iterable[str], ask: Callable[[str], Awaitable[Record | None]]
) -> dict[str, Record | None]:
    """Put a question for each key; once all of a round get no answer the rest is left to the web."""
    waiting = list(dict.fromkeys(keys))
    found: dict[str, Record | None] = dict.fromkeys(waiting)
    for at in range(0, len(waiting), _AT_ONCE):
        some = waiting[at : at + _AT_ONCE]
        answers = await asyncio.gather(*map(ask, some))
        found.update(zip(some, answers, strict=True))
        if not any(answers) and len(some) > 1:
            break
    return found


async def ask_twice(
    keys: Sequence[str], ask: Callable[[Sequence[str]], Awaitable[dict[str, Record | None]]], again: float
) -> dict[str, Record | None]:
    """Ask, and once more for what is dead: only what is dead both times is so, else nobody can say."""
    found = await ask(keys)
    gone = [key for key, record in found.items() if record is not None and record.verdict is Verdict.DEAD]
    if gone:
        await asyncio.sleep(again)
        second = await ask(gone)
        for key in gone:
            record = second.get(key)
            same = record is not None and record.verdict is Verdict.DEAD
            found[key] = record if same or (record and record.verdict is not Verdict.DEAD) else None
    return found
