"""What the network answered in a run, for the checks: records of links, and works."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from shelfread.core.diagnostics import Applicability


class Verdict(Enum):
    """The state of a link. Only `dead` is an error of the list."""

    ALIVE = "alive"
    MOVED = "moved"  # every redirect was permanent, and the last page is there
    # proven: gone twice on a host that has other pages, a name that does not exist, or a registry's own word.
    DEAD = "dead"
    BLOCKED = "blocked"  # the host refuses robots, so the state of the page is unknown
    SUSPECT = "suspect"  # it answers, but perhaps with another page: a login, a home page, 'not found'
    # nobody answered on three days or more, over at least six: no proof, but worth a look.
    UNREACHABLE = "unreachable"
    UNKNOWN = "unknown"  # it failed for a reason that may be temporary, or was not checked
    # no request was made: it leads to a private address, or has a form that is never requested.
    UNSAFE = "unsafe"


FOUND = frozenset((Verdict.ALIVE, Verdict.MOVED))  # verdicts of pages that were found

# How the objection to a connection ends that `--allow-private` permits.
NOT_PUBLIC = "is not a public address"
NOT_ALLOWED = "was not allowed"


class Trouble(Enum):
    """Why an attempt ended without an answer of the last host."""

    TIMEOUT = "timeout"
    LOST = "connection lost"
    NO_HOST = "no such host"  # NXDOMAIN: according to the name servers the name does not exist
    NAME_SERVER = "name server failed"
    CERTIFICATE = "certificate"
    PROTOCOL = "no HTTP"
    LOOP = "endless redirects"
    REFUSED = "refused"  # by the guard against private addresses, before anything was sent
    # a redirect leads to another program of the reader, such as a store of apps or a mailer.
    APP = "opens a program"
    NOT_CHECKED = "not checked"  # the deadline of the run or of the host came first
    # something in the answer raised an exception that nothing expected. It is a fault of ours, not of the
    # link.
    FAULT = "internal error"


class Hop(NamedTuple):
    """The URL of one request and the status of its reply."""

    url: str
    status: int


class Replacement(NamedTuple):
    """A URL that can take the place of the written one, confirmed by requests."""

    rule: str  # the rule that proposes it: link/moved, link/upgradable, link/dead
    url: str
    why: str
    applicability: Applicability


class LinkRecord(NamedTuple):
    """What is known of a URL, with the evidence. The cache keeps it from run to run."""

    url: str  # without its fragment
    verdict: Verdict
    reason: str  # a few words for people: `404 Not Found, seen twice`
    hops: tuple[Hop, ...] = ()
    # where this is known from: `web`, or the host of a registry (doi.org, arxiv.org, github.com).
    source: str = "web"
    checked_at: float = 0.0  # seconds since the epoch
    failures: int = 0  # days on which it was dead or nobody answered, in a row, including the last one
    first_failure: float | None = None  # the time of the first of them, in seconds since the epoch
    certificate: str = ""
    archived: str = ""  # `archived` for a repository that is read-only
    anchors: frozenset[str] | None = None
    replacements: tuple[Replacement, ...] = ()
    # when replacements were searched, in seconds since the epoch; 0 if that is not done, or not complete.
    repairs_checked_at: float = 0.0

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

    source: str  # the name of the source, for people: arXiv, Crossref, DBLP, OpenAlex, GitHub
    title: str
    authors: tuple[str, ...] = ()  # as printed: given names first
    # as the source writes it: `Proceedings of the 29th Symposium on Operating Systems Principles`.
    venue: str = ""
    is_preprint: bool = False
    year: int | None = None
    doi: str = ""  # in lower case
    arxiv: str = ""  # without its version
    url: str = ""  # the page that the source names for readers
    code: str = ""  # the URL of a repository that the authors name
    description: str = ""  # what the source says of a program or page in a sentence


def is_published(works: Iterable[Work]) -> bool:
    """Return whether works tell where and when a paper was published."""
    return any(work.venue and not work.is_preprint and work.year for work in works)


class Answers(NamedTuple):
    """The records of links by URL without fragment, and the works by the keys of entries; empty for `check`."""

    links: Mapping[str, LinkRecord] = {}
    # by `doi:10.1145/...`, `arxiv:1706.03762` or `title:...`, the key of `document.identity.keys`.
    works: Mapping[str, Sequence[Work]] = {}


NO_ANSWERS = Answers()
