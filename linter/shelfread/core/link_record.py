"""What is known of an address on the web: what it answered, and what follows from that."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability


class Verdict(Enum):
    """What became of a link; only `dead` is held against a list."""

    ALIVE = "alive"
    MOVED = "moved"
    """Every hop was permanent, and the same thing is at the end."""
    DEAD = "dead"
    """Proven: seen twice, or in three runs over six days."""
    BLOCKED = "blocked"
    """The host refuses robots: nobody can tell."""
    SUSPECT = "suspect"
    """It answers, but perhaps not with the thing: a login, a root, a 'not found'."""
    UNKNOWN = "unknown"
    """It failed in a way that may pass, or was not reached."""
    UNSAFE = "unsafe"
    """No request was made: it leads to a private address, or has a form that we never ask for."""


class Trouble(Enum):
    """Why a look ended without an answer of the last host."""

    TIMEOUT = "timeout"
    LOST = "connection lost"
    NO_HOST = "no such host"
    """NXDOMAIN: the name servers say that the name does not exist."""
    NAME_SERVER = "name server failed"
    CERTIFICATE = "certificate"
    PROTOCOL = "no HTTP"
    LOOP = "endless redirects"
    REFUSED = "refused"
    """By our own guard, before anything was sent."""
    NOT_ASKED = "not checked"
    """The run's deadline, or the host's, came first."""


class Hop(NamedTuple):
    """One request's address and the status that it got."""

    url: str
    status: int


class Answer(NamedTuple):
    """One look at an address, redirects followed: evidence, and no judgement yet."""

    url: str
    """Without its fragment, as asked."""
    hops: tuple[Hop, ...] = ()
    trouble: Trouble | None = None
    """None: the last hop's status is what the host says."""
    detail: str = ""
    """What a person may want to know of the trouble, in few words."""
    challenge: str = ""
    """The header by which a bot wall showed itself."""
    retry_after: float | None = None
    """Seconds that the host asks to wait."""
    certificate: str = ""
    """What is wrong with a certificate, where the page was then found without trusting it."""
    etag: str = ""
    modified: str = ""
    """The Last-Modified header as it came."""
    anchors: frozenset[str] | None = None
    """The page's ids and names, where a fragment asked for them."""

    @property
    def end(self) -> str:
        """The address that answered last."""
        return self.hops[-1].url if self.hops else self.url

    @property
    def status(self) -> int | None:
        """The last answer's status; None where there was none."""
        return self.hops[-1].status if self.hops and self.trouble is None else None


class Replacement(NamedTuple):
    """An address that was proven to serve better than the one written."""

    rule: str
    """The rule that proposes it: link/moved, link/upgradable, link/dead."""
    url: str
    why: str
    applicability: Applicability


class Record(NamedTuple):
    """What is known of an address, with its evidence; the cache keeps it from run to run."""

    url: str
    """Without its fragment."""
    verdict: Verdict
    reason: str
    """In few words, for people: `404 Not Found, seen twice`."""
    hops: tuple[Hop, ...] = ()
    source: str = "web"
    """Who said so: web, or a registry's host (doi.org, export.arxiv.org, github.com)."""
    checked_at: float = 0.0
    """Seconds since the epoch."""
    failures: int = 0
    """Runs in a row that failed, this one included."""
    first_failure: float | None = None
    certificate: str = ""
    archived: str = ""
    """Of a repository: `archived`."""
    anchors: frozenset[str] | None = None
    etag: str = ""
    modified: str = ""
    betters: tuple[Replacement, ...] = ()
    sought_at: float = 0.0
    """When the betters were sought; 0: they were not yet, or not all of them."""

    @property
    def end(self) -> str:
        """The address that answered last."""
        return self.hops[-1].url if self.hops else self.url
