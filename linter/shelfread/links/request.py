"""One HTTP request and its reply, independent of the client that makes it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.index.network.link_record import Attempt, Trouble

LIMIT = 512 << 10
"""Bytes of a body that are read at most, counted after decompression."""

REDIRECTS = frozenset((301, 302, 303, 307, 308))
PERMANENT_REDIRECTS = frozenset((301, 308))

UNREACHABLE = "network unreachable"
"""The detail of a connection that this machine could not even try: the host may be fine."""
NO_CONNECTION = "connection refused"
"""The detail of a connection that a host did not accept, unlike one that it closed later."""


class Request(NamedTuple):
    """One request; no redirect is followed."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes | None = None
    limit: int = LIMIT
    verify: bool = True
    """Whether the certificate must be valid."""


class Reply(NamedTuple):
    """The reply to one request. `headers` ignores case: use lower case."""

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


def fault(error: Exception) -> FetchError:
    """Return an exception that nothing expected as the outcome of a request."""
    return FetchError(Trouble.FAULT, type(error).__name__)


Fetch = Callable[[Request], Awaitable[Reply]]
"""Makes one request, guarded and throttled; raises FetchError."""

Follow = Callable[[str], Awaitable[Attempt]]
"""Makes one attempt to reach a URL, redirects followed; raises nothing but CancelledError."""
