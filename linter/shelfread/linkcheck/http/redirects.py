"""One look at an address: its redirects followed by hand, each hop asked and each hop policed."""

from __future__ import annotations

from collections.abc import Generator, Mapping, MutableSet
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from time import time
from types import MappingProxyType
from typing import NamedTuple

from shelfread.core.link_record import Answer, Hop, Trouble
from shelfread.linkcheck.classify.anchors import anchors_of
from shelfread.linkcheck.http.client import Client
from shelfread.linkcheck.http.url import host_of, on_the_wire, redirected
from shelfread.linkcheck.request import FetchError, Follow, Reply, Request

REDIRECTS = frozenset({301, 302, 303, 307, 308})

_DOUBTFUL = frozenset({400, 403, 404, 405, 406, 410, 415, 422, 501})
"""What servers say to HEAD alone."""


_CHALLENGES = {202: "x-amzn-waf-action", 403: "cf-mitigated"}
"""The headers by which walls against robots show themselves, by status."""


class Step(NamedTuple):
    """The next request of a look."""

    request: Request
    verify: bool
    """Whether the certificate has to be good."""


class FetchOptions(NamedTuple):
    """How to look."""

    redirects: int = 10
    get: bool = False
    """Do without HEAD."""
    anchors: int = 0
    """Bytes to read for the page's anchors; 0: they are not wanted."""
    conditions: Mapping[str, str] = MappingProxyType({})
    """Headers that ask whether what is known of the anchors still holds: 304 says so."""


Walk = Generator[Step, Reply | FetchError, Answer]
"""Yields requests, takes what became of each, and ends with the answer."""


def walk(url: str, wish: FetchOptions, headless: MutableSet[str]) -> Walk:
    """Look at an address; `headless` are the hosts where HEAD is known to be useless, and learns."""
    hops: list[Hop] = []
    seen: set[str] = set()
    here, verify, certificate = url, True, ""
    while True:
        bare = here.partition("#")[0]
        if bare in seen:
            return Answer(
                url, tuple(hops), Trouble.LOOP, "comes back to where it was", certificate=certificate
            )
        if len(seen) > wish.redirects:
            return Answer(url, tuple(hops), Trouble.LOOP, f"more than {wish.redirects} redirects")
        seen.add(bare)
        reply = yield from _hop(bare, wish, headless, verify)
        if isinstance(reply, FetchError) and reply.trouble is Trouble.CERTIFICATE and verify:
            # Asked again only to say that the page is there: nothing is sent but the question.
            verify, certificate = False, reply.detail or "not valid"
            reply = yield from _hop(bare, wish, headless, verify)
        if isinstance(reply, FetchError):
            return Answer(url, tuple(hops), reply.trouble, reply.detail, certificate=certificate)
        hops.append(Hop(here, reply.status))
        location = reply.headers.get("location", "") if reply.status in REDIRECTS else ""
        if not location:
            return _answer(url, hops, reply, wish, certificate)
        wish = wish._replace(conditions={})  # they were of the first page
        try:
            here = redirected(here, location)
            on_the_wire(here)
        except FetchError as refused:
            return Answer(url, tuple(hops), refused.trouble, refused.detail, certificate=certificate)


def follower(client: Client) -> Follow:
    """Looks at one address at a time, at its hosts' pace."""

    async def follow(url: str) -> Answer:
        looking = walk(url, FetchOptions(client.settings.redirects), client.headless)
        try:
            host_of(url)
            step = next(looking)
            while True:
                try:
                    outcome: Reply | FetchError = await client.at_pace(step.request, step.verify)
                except FetchError as wrong:
                    outcome = wrong
                step = looking.send(outcome)
        except FetchError as refused:
            return Answer(url, trouble=refused.trouble, detail=refused.detail)
        except StopIteration as end:
            answer: Answer = end.value
            return answer

    return follow


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a host asks to wait; None where it does not say so."""
    said = headers.get("retry-after", "").strip()
    if not said:
        return None
    if said.isascii() and said.isdigit():
        return float(said[:9])
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time())
    except (ValueError, TypeError, OverflowError):
        return None


def _hop(
    url: str, wish: FetchOptions, headless: MutableSet[str], verify: bool
) -> Generator[Step, Reply | FetchError, Reply | FetchError]:
    """One address, by HEAD where that will do."""
    if wish.anchors:
        get = Step(Request(url, headers=wish.conditions, limit=wish.anchors), verify)
        reply = yield get
        if isinstance(reply, FetchError) and reply.trouble in (
            Trouble.LOST,
            Trouble.PROTOCOL,
            Trouble.TIMEOUT,
        ):
            return (yield get._replace(request=Request(url, limit=0)))  # the page broke off: is it there?
        return reply
    if wish.get or (headless and host_of(url) in headless):
        return (yield Step(Request(url, limit=0), verify))
    by_head = yield Step(Request(url, "HEAD", limit=0), verify)
    if isinstance(by_head, FetchError):
        if by_head.trouble not in (Trouble.LOST, Trouble.PROTOCOL):
            return by_head
    elif by_head.status < 400 or not _is_doubtful(by_head):
        return by_head
    by_get = yield Step(Request(url, limit=0), verify)
    if not isinstance(by_get, FetchError) and (
        isinstance(by_head, FetchError) or by_get.status != by_head.status
    ):
        headless.add(host_of(url))
    return by_get


def _is_doubtful(reply: Reply) -> bool:
    """Whether a failure may be HEAD's own."""
    if challenge_of(reply):
        return False
    if reply.status == HTTPStatus.SERVICE_UNAVAILABLE and "retry-after" in reply.headers:
        return False  # it asks for fewer requests
    return reply.status in _DOUBTFUL or (reply.status >= 500 and reply.status < 600)


def challenge_of(reply: Reply) -> str:
    """The header by which a wall against robots shows itself."""
    name = _CHALLENGES.get(reply.status)
    return f"{name}: {reply.headers[name][:40]}" if name and name in reply.headers else ""


def _answer(url: str, hops: list[Hop], reply: Reply, wish: FetchOptions, certificate: str) -> Answer:
    return Answer(
        url,
        tuple(hops),
        challenge=challenge_of(reply),
        retry_after=retry_after(reply.headers),
        certificate=certificate,
        etag=reply.headers.get("etag", "")[:200],
        modified=reply.headers.get("last-modified", "")[:60],
        anchors=anchors_of(reply, wish.anchors) if wish.anchors else None,
    )
