"""One HTTP request and its reply, as registries and repairs see them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.link_record import Answer, Trouble

LIMIT = 512 << 10
"""Bytes of a body that are read at most, counted after decompression."""

UNREACHABLE = "network unreachable"
"""The detail of a connection that this machine could not even try: it says nothing of the host."""


class Request(NamedTuple):
    """One request; no redirect is followed."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes | None = None
    limit: int = LIMIT


class Reply(NamedTuple):
    """What came back; ask for headers in small letters, they are found in whatever case they came."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes = b""


class FetchError(Exception):
    """A request that got no reply."""

    def __init__(self, trouble: Trouble, detail: str = "") -> None:
        super().__init__(f"{trouble.value}: {detail}" if detail else trouble.value)
        self.trouble = trouble
        self.detail = detail


Fetch = Callable[[Request], Awaitable[Reply]]
"""Makes one request, guarded and at its host's pace; raises FetchError."""

Follow = Callable[[str], Awaitable[Answer]]
"""Looks at an address once, redirects followed; never raises but for cancellation."""
