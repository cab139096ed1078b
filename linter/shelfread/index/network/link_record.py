"""What is known of a URL: the attempts to reach it, and the verdict that follows from them."""

from __future__ import annotations

from enum import Enum

from shelfread.core.diagnostics import Applicability
from shelfread.core.support.named_tuple import NamedTuple


class Verdict(Enum):
    """The state of a link. Only `dead` is an error of the list."""

    ALIVE = "alive"
    MOVED = "moved"
    """Every redirect was permanent, and the last page is there."""
    DEAD = "dead"
    """Proven: gone twice on a host that has other pages, a name that does not exist, or a registry's own word."""
    BLOCKED = "blocked"
    """The host refuses robots, so the state of the page is unknown."""
    SUSPECT = "suspect"
    """It answers, but perhaps with another page: a login, a home page, 'not found'."""
    UNREACHABLE = "unreachable"
    """Nobody answered on three days or more, over at least six: no proof, but worth a look."""
    UNKNOWN = "unknown"
    """It failed for a reason that may be temporary, or was not checked."""
    UNSAFE = "unsafe"
    """No request was made: it leads to a private address, or has a form that is never requested."""


FOUND = frozenset((Verdict.ALIVE, Verdict.MOVED))
"""Verdicts of pages that were found."""


class Trouble(Enum):
    """Why an attempt ended without an answer of the last host."""

    TIMEOUT = "timeout"
    LOST = "connection lost"
    NO_HOST = "no such host"
    """NXDOMAIN: according to the name servers the name does not exist."""
    NAME_SERVER = "name server failed"
    CERTIFICATE = "certificate"
    PROTOCOL = "no HTTP"
    LOOP = "endless redirects"
    REFUSED = "refused"
    """By the guard against private addresses, before anything was sent."""
    APP = "opens a program"
    """A redirect leads to another program of the reader, such as a store of apps or a mailer."""
    NOT_CHECKED = "not checked"
    """The deadline of the run or of the host came first."""
    FAULT = "internal error"
    """Something in the answer raised an exception that nothing expected. It is a fault of ours, not of the link."""


class Hop(NamedTuple):
    """The URL of one request and the status of its reply."""

    url: str
    status: int


class Attempt(NamedTuple):
    """One attempt to reach a URL, redirects followed: evidence without a verdict."""

    url: str
    """Without its fragment, as requested."""
    hops: tuple[Hop, ...] = ()
    trouble: Trouble | None = None
    """None if the last host answered: its status is that of the last hop."""
    detail: str = ""
    """A few words about the trouble, for people."""
    challenge: str = ""
    """The header by which a wall against robots was recognized."""
    retry_after: float | None = None
    """Seconds that the host asks to wait."""
    certificate: str = ""
    """What is wrong with the certificate, if the page was then found without verifying it."""
    etag: str = ""
    modified: str = ""
    """The Last-Modified header as it came."""
    anchors: frozenset[str] | None = None
    """The ids and names of the page, if a fragment needs them."""
    no_site: str = ""
    """What the service of a host says of it, if that is that it has no such site: `GitHub Pages has no such site`."""

    @property
    def end(self) -> str:
        """The URL that answered last."""
        return self.hops[-1].url if self.hops else self.url

    @property
    def status(self) -> int | None:
        """The status of the last answer; None if there was none."""
        return self.hops[-1].status if self.hops and self.trouble is None else None


class Replacement(NamedTuple):
    """A URL that can take the place of the written one, confirmed by requests."""

    rule: str
    """The rule that proposes it: link/moved, link/upgradable, link/dead."""
    url: str
    why: str
    applicability: Applicability


class LinkRecord(NamedTuple):
    """What is known of a URL, with the evidence. The cache keeps it from run to run."""

    url: str
    """Without its fragment."""
    verdict: Verdict
    reason: str
    """A few words for people: `404 Not Found, seen twice`."""
    hops: tuple[Hop, ...] = ()
    source: str = "web"
    """Where this is known from: `web`, or the host of a registry (doi.org, arxiv.org, github.com)."""
    checked_at: float = 0.0
    """Seconds since the epoch."""
    failures: int = 0
    """Days on which it was dead or nobody answered, in a row, including the last one."""
    first_failure: float | None = None
    """The time of the first of them, in seconds since the epoch."""
    certificate: str = ""
    archived: str = ""
    """`archived` for a repository that is read-only."""
    anchors: frozenset[str] | None = None
    etag: str = ""
    modified: str = ""
    replacements: tuple[Replacement, ...] = ()
    repairs_checked_at: float = 0.0
    """When replacements were searched, in seconds since the epoch; 0 if that is not done, or not complete."""

    @property
    def end(self) -> str:
        """The URL that answered last."""
        return self.hops[-1].url if self.hops else self.url
