"""What the network answered in a run, for the checks: records of links, and works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability


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


NOT_PUBLIC = "is not a public address"
"""How the objection to a connection ends that `--allow-private` permits."""


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
    def is_unreached(self) -> bool:
        """Whether the link was not checked because the run ended first."""
        return self.verdict is Verdict.UNKNOWN and not self.checked_at and not self.hops

    @property
    def end(self) -> str:
        """The URL that answered last."""
        return self.hops[-1].url if self.hops else self.url


class Work(NamedTuple):
    """A paper, program or page as one source describes it. Unknown texts are empty."""

    source: str
    """The name of the source, for people: arXiv, Crossref, DBLP, OpenAlex, GitHub."""
    title: str
    authors: tuple[str, ...] = ()
    """As printed: given names first."""
    venue: str = ""
    """As the source writes it: `Proceedings of the 29th Symposium on Operating Systems Principles`."""
    is_preprint: bool = False
    year: int | None = None
    doi: str = ""
    """In lower case."""
    arxiv: str = ""
    """Without its version."""
    url: str = ""
    """The page that the source names for readers."""
    code: str = ""
    """The URL of a repository that the authors name."""
    description: str = ""
    """What the source says of a program or page in a sentence."""


def is_published(works: Iterable[Work]) -> bool:
    """Return whether works tell where and when a paper was published."""
    return any(work.venue and not work.is_preprint and work.year for work in works)


class Answers(NamedTuple):
    """The records of links by URL without fragment, and the works by the keys of entries; empty for `check`."""

    links: Mapping[str, LinkRecord] = {}
    works: Mapping[str, Sequence[Work]] = {}
    """By `doi:10.1145/...`, `arxiv:1706.03762` or `title:...`, the key of `document.identity.keys`."""


NO_ANSWERS = Answers()
