"""One attempt to reach a URL: each redirect is followed here, so that each hop is guarded and throttled."""

from __future__ import annotations

from collections.abc import Mapping, MutableSet
from email.utils import parsedate_to_datetime
from time import time
from types import MappingProxyType
from typing import NamedTuple

from yarl import URL

from shelfread.index.answers import Hop, Trouble
from shelfread.links.client import Client
from shelfread.links.exchange import REDIRECTS, Attempt, Fetch, FetchError, Follow, Reply, Request, link_words
from shelfread.links.page_content import NO_SITE_BYTES, anchors_of, has_service, no_site
from shelfread.links.wire_url import on_the_wire, redirected, request_host

# Statuses that some servers answer to HEAD, and not to GET.
_HEAD_ONLY = frozenset({400, 403, 404, 405, 406, 410, 415, 422, 501})
# The headers by which walls against robots are recognized, by status.
_CHALLENGES = {202: "x-amzn-waf-action", 403: "cf-mitigated"}

_APPS = link_words("app_schemes")


class FetchOptions(NamedTuple):
    """How to reach a URL."""

    redirects: int = 10
    get: bool = False  # do not try HEAD
    anchors: int = 0  # bytes to read for the page's anchors; 0: they are not needed
    headers: Mapping[str, str] = MappingProxyType({})
    # headers of a conditional request: 304 confirms the known anchors.
    conditions: Mapping[str, str] = MappingProxyType({})


async def reach(url: str, options: FetchOptions, fetch: Fetch, no_head: MutableSet[str]) -> Attempt:
    """Reach a URL. `no_head` are hosts where HEAD is known to fail; further ones are added."""
    hops: list[Hop] = []
    seen: set[str] = set()
    current, verify, certificate = url, True, ""
    while True:
        page = current.partition("#")[0]
        if page in seen:
            return Attempt(url, tuple(hops), Trouble.LOOP, "leads back to itself", certificate=certificate)
        if len(seen) > options.redirects:
            return Attempt(url, tuple(hops), Trouble.LOOP, f"more than {options.redirects} redirects")
        seen.add(page)
        reply = await _hop(page, options, fetch, no_head, verify)
        if isinstance(reply, FetchError) and reply.trouble is Trouble.CERTIFICATE and verify:
            # Only to find out whether the page exists: the request carries no secret.
            verify, certificate = False, reply.detail or "not valid"
            reply = await _hop(page, options, fetch, no_head, verify)
        if isinstance(reply, FetchError):
            return Attempt(url, tuple(hops), reply.trouble, reply.detail, certificate=certificate)
        hops.append(Hop(current, reply.status))
        location = reply.headers.get("location", "") if reply.status in REDIRECTS else ""
        if not location:
            return _attempt(url, hops, reply, options.anchors, certificate)
        # The conditions apply to the first page. What a redirect leads to may be written into a list: it is got.
        options = options._replace(conditions={}, get=True)
        try:
            current = redirected(current, location)
            scheme = current.partition(":")[0].lower()
            if scheme in _APPS:
                return Attempt(url, tuple(hops), Trouble.APP, scheme, certificate=certificate)
            on_the_wire(current)
        except FetchError as error:
            return Attempt(url, tuple(hops), error.trouble, error.detail, certificate=certificate)


async def reach_root(root: str, options: FetchOptions, fetch: Fetch) -> Attempt:
    """Request a host's own page, without following a redirect."""
    limit = NO_SITE_BYTES if has_service(root) else 0
    reply = await _reply(fetch, Request(root, headers=options.headers, limit=limit))
    if isinstance(reply, FetchError):
        return Attempt(root, (), reply.trouble, reply.detail)
    attempt = _attempt(root, [Hop(root, reply.status)], reply)
    return attempt._replace(no_site=no_site(reply)) if limit else attempt


def root_of(url: str) -> str:
    """Return the URL of a host's own page."""
    return str(on_the_wire(url).join(URL("/")))


def follower(client: Client) -> Follow:
    """Return a function that reaches one URL by GET, throttled."""
    options = FetchOptions(client.settings.redirects, get=True)

    async def follow(url: str) -> Attempt:
        try:
            request_host(url)
            return await reach(url, options, client.fetch, client.no_head)
        except FetchError as error:
            return Attempt(url, trouble=error.trouble, detail=error.detail)
        except Exception as error:
            return Attempt(url, trouble=Trouble.FAULT, detail=type(error).__name__)

    return follow


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of a Retry-After header; None if it is missing or invalid."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time())
    except (ValueError, TypeError, OverflowError):
        return None


async def _reply(fetch: Fetch, request: Request) -> Reply | FetchError:
    try:
        return await fetch(request)
    except FetchError as error:
        return error


async def _hop(
    url: str, options: FetchOptions, fetch: Fetch, no_head: MutableSet[str], verify: bool
) -> Reply | FetchError:
    """Request one URL, by HEAD where that is enough."""
    if options.anchors:
        headers = {**options.headers, **options.conditions}
        reply = await _reply(fetch, Request(url, headers=headers, limit=options.anchors, verify=verify))
        broken = (Trouble.LOST, Trouble.PROTOCOL, Trouble.TIMEOUT)
        if not isinstance(reply, FetchError) or reply.trouble not in broken:
            return reply
        # Does the page exist, though its body could not be read?
    by_get = Request(url, "GET", options.headers, None, 0, verify)
    if options.anchors or options.get or (no_head and request_host(url) in no_head):
        return await _reply(fetch, by_get)
    head = await _reply(fetch, Request(url, "HEAD", options.headers, None, 0, verify))
    if isinstance(head, FetchError):
        if head.trouble not in (Trouble.LOST, Trouble.PROTOCOL):
            return head
    elif not _may_be_head_only(head):
        return head
    reply = await _reply(fetch, by_get)
    head_status = None if isinstance(head, FetchError) else head.status
    if not isinstance(reply, FetchError) and reply.status != head_status:
        no_head.add(request_host(url))
    return reply


def _may_be_head_only(reply: Reply) -> bool:
    """Whether GET may answer otherwise than HEAD: with a page where HEAD failed, or without a redirect."""
    if reply.status in REDIRECTS:
        return True
    if reply.status < 400 or _challenge_of(reply):
        return False
    if reply.status == 503 and "retry-after" in reply.headers:
        return False  # the host asks for fewer requests
    return reply.status in _HEAD_ONLY or 500 <= reply.status < 600


def _challenge_of(reply: Reply) -> str:
    name = _CHALLENGES.get(reply.status)
    return f"{name}: {reply.headers[name][:40]}" if name and name in reply.headers else ""


def _attempt(url: str, hops: list[Hop], reply: Reply, anchors: int = 0, certificate: str = "") -> Attempt:
    """The attempt that a reply ends; `anchors` are the bytes that were read for them."""
    headers = reply.headers
    return Attempt(
        url,
        tuple(hops),
        challenge=_challenge_of(reply),
        retry_after=retry_after(headers) if "retry-after" in headers else None,
        certificate=certificate,
        etag=headers.get("etag", "")[:200],
        modified=headers.get("last-modified", "")[:60],
        anchors=anchors_of(reply, anchors) if anchors else None,
    )
