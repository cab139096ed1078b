"""What is asked of hosts and what they answer, how the network is used, and the words by which links are judged."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread import __version__
from shelfread.core.errors import UserError
from shelfread.core.yaml_files import load_table
from shelfread.index.answers import Hop, Trouble

_TABLE = load_table(Path(__file__).with_name("link_words.yaml"))


def link_words(kind: str) -> frozenset[str]:
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


class Settings(NamedTuple):
    """Times are seconds."""

    concurrency: int = 64  # requests at the same time
    per_host: int = 2
    pause: float = 0.2  # between the starts of two requests to one host
    # longer pauses that hosts ask for; arXiv: https://info.arxiv.org/help/api/tou.html.
    pauses: Mapping[str, float] = MappingProxyType(
        {"arxiv.org": 3.0, "export.arxiv.org": 3.0, "web.archive.org": 1.0}
    )
    connect: float = 10  # to open a connection, without the DNS lookup
    first_byte: float = 20  # from a connection until the headers of an answer
    link: float = 40  # all requests of one attempt together, without the wait for the host's turn
    host: float = 900  # from the first request to a host until its remaining links are given up ...
    # ... and so much longer for each of its links: some lists have thousands of one host.
    host_per_link: float = 2
    deadline: float | None = None  # the whole run
    max_retry_after: float = 60  # the longest Retry-After that is waited for
    # waits before another try after a temporary failure; each is lengthened by up to half at random.
    retries: tuple[float, ...] = (1.0, 4.0)
    second_attempt_delay: float = 5  # before a page that seems dead is requested again
    redirects: int = 10
    max_body: int = LIMIT  # bytes of a page that are read for its anchors
    # names that resolve wherever there is a network. They are resolved, never requested.
    network_probes: tuple[str, ...] = ("doi.org", "arxiv.org", "github.com", "www.wikipedia.org")
    probe_timeout: float = 5  # for all of them together
    # hosts, `HOST` or `HOST:PORT`, that may be in a private network.
    allow_private: frozenset[str] = frozenset()
    # an address at which hosts learn who sends the requests.
    contact: str = "https://pypi.org/project/shelfread/"

    @property
    def user_agent(self) -> str:
        """Who sends the requests."""
        return f"shelfread/{__version__} (+{self.contact}; checks the links of curated lists)"

    @property
    def browser_headers(self) -> Mapping[str, str]:
        """The headers that browsers send, for the last look at a page that seems dead: some hosts need them."""
        return {
            "Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "Accept-Language": "en-US,en;q=0.9",
            "Upgrade-Insecure-Requests": "1",
            "User-Agent": f"Mozilla/5.0 (compatible; shelfread/{__version__}; +{self.contact})",
        }


class Endpoints(NamedTuple):
    """The root URL of each service, without a final slash, which only the environment changes, never a file of a pull request."""

    doi: str = "https://doi.org"
    arxiv: str = "https://export.arxiv.org"
    github_api: str = "https://api.github.com"
    github: str = "https://github.com"
    youtube: str = "https://img.youtube.com"
    wayback: str = "https://web.archive.org"
    crossref: str = "https://api.crossref.org"
    dblp: str = "https://dblp.org"
    openalex: str = "https://api.openalex.org"

    @property
    def hosts(self) -> tuple[str, ...]:
        """The name of each service's host."""
        return tuple(urlsplit(url).hostname or "" for url in self)

    @property
    def own(self) -> frozenset[str]:
        """The servers that the environment names instead, with their ports: they may be at private addresses."""
        return frozenset(url.partition("//")[2] for url in self if url not in Endpoints())


def read_endpoints(environ: Mapping[str, str] = os.environ) -> Endpoints:
    """Return the roots as set by SHELFREAD_ENDPOINT_DOI, _ARXIV ...; raises UserError if one is not a URL."""
    roots = {}
    for field in Endpoints._fields:
        name = f"SHELFREAD_ENDPOINT_{field.upper()}"
        if url := environ.get(name, "").rstrip("/"):
            if not _is_root(url):
                raise UserError(f"{name}: give the address of a server, as 'http://127.0.0.1:8000'")
            roots[field] = url
    return Endpoints(**roots)


def _is_root(url: str) -> bool:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return bool(valid) and url.isascii() and url.isprintable() and not set(url) & set(" ?#@\\")
