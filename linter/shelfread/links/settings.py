"""Timeouts, rates and limits of a run over links."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from shelfread import __version__
from shelfread.core.support.named_tuple import NamedTuple
from shelfread.links.request import LIMIT


class Settings(NamedTuple):
    """Times are seconds."""

    concurrency: int = 64
    """Requests at the same time."""
    per_host: int = 2
    pause: float = 0.2
    """Between the starts of two requests to one host."""
    pauses: Mapping[str, float] = MappingProxyType(
        {"arxiv.org": 3.0, "export.arxiv.org": 3.0, "web.archive.org": 1.0}
    )
    """Longer pauses that hosts ask for; arXiv: https://info.arxiv.org/help/api/tou.html."""
    connect: float = 10
    """To open a connection, without the DNS lookup."""
    first_byte: float = 20
    """From a connection until the headers of an answer."""
    link: float = 40
    """All requests of one attempt together, without the wait for the host's turn."""
    host: float = 900
    """From the first request to a host until its remaining links are given up ..."""
    host_per_link: float = 2
    """... and so much longer for each of its links: some lists have thousands of one host."""
    deadline: float | None = None
    """The whole run."""
    max_retry_after: float = 60
    """The longest Retry-After that is waited for."""
    retries: tuple[float, ...] = (1.0, 4.0)
    """Waits before another try after a temporary failure; each is lengthened by up to half at random."""
    second_attempt_delay: float = 5
    """Before a page that seems dead is requested again."""
    redirects: int = 10
    max_body: int = LIMIT
    """Bytes of a page that are read for its anchors."""
    network_probes: tuple[str, ...] = ("doi.org", "arxiv.org", "github.com", "www.wikipedia.org")
    """Names that resolve wherever there is a network. They are resolved, never requested."""
    probe_timeout: float = 5
    """For all of them together."""
    allow_private: frozenset[str] = frozenset()
    """Hosts, `HOST` or `HOST:PORT`, that may be in a private network."""
    contact: str = "https://pypi.org/project/shelfread/"
    """An address at which hosts learn who sends the requests."""

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
