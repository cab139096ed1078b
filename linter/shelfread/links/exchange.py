"""Names of hosts and parts of URLs by which links are judged: the kinds of link_words.yaml."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.yaml_files import load_table
from shelfread.index.answers import Hop, Trouble

_TABLE = load_table(Path(__file__).with_name("link_words.yaml"))


def link_words(kind: str) -> frozenset[str]:
    """Return the words of one kind."""
    return frozenset(_TABLE[kind].split())


LIMIT = 512 << 10  # bytes of a body that are read at most, counted after decompression

REDIRECTS = frozenset((301, 302, 303, 307, 308))
PERMANENT_REDIRECTS = frozenset((301, 308))

# The detail of a connection that this machine could not even try: the host may be fine.
UNREACHABLE = "network unreachable"
# The detail of a connection that a host did not accept, unlike one that it closed later.
NO_CONNECTION = "connection refused"


class Request(NamedTuple):
    """One request; no redirect is followed."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = MappingProxyType({})
    body: bytes | None = None
    limit: int = LIMIT
    verify: bool = True  # whether the certificate must be valid


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


class Attempt(NamedTuple):
    """One attempt to reach a URL, redirects followed: evidence without a verdict."""

    url: str  # without its fragment, as requested
    hops: tuple[Hop, ...] = ()
    trouble: Trouble | None = None  # none if the last host answered: its status is that of the last hop
    detail: str = ""  # a few words about the trouble, for people
    challenge: str = ""  # the header by which a wall against robots was recognized
    retry_after: float | None = None  # seconds that the host asks to wait
    # what is wrong with the certificate, if the page was then found without verifying it.
    certificate: str = ""
    etag: str = ""
    modified: str = ""  # the Last-Modified header as it came
    anchors: frozenset[str] | None = None  # the ids and names of the page, if a fragment needs them
    # what the service of a host says of it, if that is that it has no such site: `GitHub Pages has no such
    # site`.
    no_site: str = ""

    @property
    def end(self) -> str:
        """The URL that answered last."""
        return self.hops[-1].url if self.hops else self.url

    @property
    def status(self) -> int | None:
        """The status of the last answer; None if there was none."""
        return self.hops[-1].status if self.hops and self.trouble is None else None


Fetch = Callable[[Request], Awaitable[Reply]]  # makes one request, guarded and throttled; raises FetchError

# Makes one attempt to reach a URL, redirects followed; raises nothing but CancelledError.
Follow = Callable[[str], Awaitable[Attempt]]
