"""How patient, how polite and how trusting a run over links is."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from shelfread import __version__
from shelfread.linkcheck.request import LIMIT


class Settings(NamedTuple):
    """Times are seconds."""

    at_once: int = 64
    """Requests under way together."""
    per_host: int = 2
    pause: float = 0.2
    """Between the starts of two requests to one host."""
    pauses: Mapping[str, float] = MappingProxyType(
        {"arxiv.org": 3.0, "export.arxiv.org": 3.0, "web.archive.org": 1.0}
    )
    """Hosts that ask for more; arXiv: https://info.arxiv.org/help/api/tou.html."""
    connect: float = 10
    """To open a connection, name look-up apart."""
    first_byte: float = 20
    """From a connection until an answer's headers are there."""
    link: float = 40
    """All requests of one look together, waiting for the host's turn apart."""
    host: float = 900
    """From the first request to a host until its remaining links are given up."""
    deadline: float | None = None
    """The whole run."""
    patience: float = 60
    """The longest wait that a host may ask for within this run."""
    retries: tuple[float, ...] = (1.0, 4.0)
    """Waits before another try, where trouble may pass; each with up to half as much again by chance."""
    second_look: float = 5
    """Before what seems dead is looked at again."""
    redirects: int = 10
    body: int = LIMIT
    """Bytes of a page that are read for its anchors."""
    controls: tuple[str, ...] = ("doi.org", "arxiv.org", "github.com", "www.wikipedia.org")
    """Names that resolve wherever there is a network: looked up, and never asked."""
    control: float = 5
    """For all of them together."""
    allow_private: frozenset[str] = frozenset()
    """Hosts, `HOST` or `HOST:PORT`, that may lie in a private network."""
    user_agent: str = f"shelfread/{__version__} (checks the links of curated lists)"
