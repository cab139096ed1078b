"""How the network is used: timeouts, rates and limits of a run, and the URLs of services."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import urlsplit

from shelfread import __version__
from shelfread.core.errors import UserError
from shelfread.links.exchange import LIMIT


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
    """The root URL of each service, without a final slash.

    Only environment variables change them, never a file that a pull request could contain.
    """

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
