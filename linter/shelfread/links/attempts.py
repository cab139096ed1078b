"""One attempt to reach a URL, each redirect guarded and throttled, and what the page at its end shows."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from html import unescape
from time import time
from types import MappingProxyType
from typing import NamedTuple

from yarl import URL

from shelfread.core.patterns import lazy
from shelfread.index.answers import Hop, Trouble
from shelfread.links.client import Client
from shelfread.links.exchange import REDIRECTS, Attempt, Fetch, FetchError, Follow, Reply, Request, link_words
from shelfread.links.wire_url import on_the_wire, redirected, request_host
from shelfread.taxonomy.hosts import host_of

# Those of browsers. Python knows more, some of which raise on any input (`undefined`) or take quadratic time
# (`punycode`), and which one decodes a page is its author's choice.
_CODECS = link_words("codecs")
# What browsers use instead of a codec of Python, and for labels on the web that Python does not know.
_LARGER_CODECS, _MORE_LABELS = (
    dict(pair.split("=") for pair in link_words(kind)) for kind in ("larger_codecs", "more_labels")
)
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
_CHARSET = lazy(r"(?i)charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_META = lazy(r"(?i)<meta[\s/][^>]{0,300}?charset\s{0,9}=\s{0,9}[\"']?([\w.:-]{2,40})")
_PRESCANNED = 1024  # bytes at the start of a page in which browsers search for its charset

_MARKUP = ("text/html", "application/xhtml+xml")
# An id anywhere in the source, also in a script that creates it. Bounded, to search in linear time.
_ANCHOR = lazy(
    r"""(?i)\s(?:id|name)\s{0,9}=\s{0,9}(?:"([^"]{1,500})"|'([^']{1,500})'|([^\s"'<>=`]{1,500}))"""
)
# What is no text of a page: from one string to the next.
_HIDDEN = (
    ("<!--", "-->"),
    *((f"<{name}", f"</{name}") for name in ("script", "style", "noscript", "template", "svg", "title")),
)
_TAG = lazy(r"<[^<>]*>")
_WORD = lazy(r"\w+")
# The empty element that a script fills.
_MOUNT = lazy(
    r"<(div|main|app-root|my-app)\b[^<>]{0,200}?\bid\s{0,9}=\s{0,9}[\"']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app"
    r"|react-root|application|main-app|ember-app)\b[^<>]{0,200}>\s{0,99}(?:loading[. ]{0,9})?</\1>"
)
_FEW_WORDS = 20  # a page with scripts and fewer words of text is a shell

# By the domain in which each user has a host: the name of the service, and the words by which it says that it
# has no such site. They count as those of a registry: the own page of such a host is gone too, which
# elsewhere may mean that the host refuses robots.
_SERVICES = {"github.io": ("GitHub Pages", lazy(r"There isn(?:'|&#0?39;|\u2019)t a GitHub Pages site here"))}
NO_SITE_BYTES = 64 << 10  # bytes of a page that are read for these words


def decode_page(body: bytes, content_type: str) -> str:
    """Return a page as text: by its byte order mark, else by its header, else by its `<meta>`, else as UTF-8."""
    for mark, codec in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return body[len(mark) :].decode(codec, "replace")
    header = _CHARSET.search(content_type)
    codec = _codec(header[1]) if header else ""
    if not codec and (meta := _META.search(body[:_PRESCANNED].decode("ascii", "replace"))):
        codec = _codec(meta[1])
        if codec.startswith("utf-16"):  # then the element itself could not have been read
            codec = "utf-8"
    return body.decode(codec or "utf-8", "replace")


def _codec(label: str) -> str:
    """Return the codec that browsers use for a label; empty if they have none."""
    try:
        name = codecs.lookup(_MORE_LABELS.get(label.lower(), label)).name
    except LookupError:
        return ""
    codec = _LARGER_CODECS.get(name, name)
    return codec if codec in _CODECS else ""


def anchors_of(reply: Reply, limit: int) -> frozenset[str] | None:
    """Return the ids and names of a page; None if it is not HTML, or longer than `limit` bytes.

    A shell, which a script fills in the browser, has none: those that it will have are not known.
    """
    kind = reply.headers.get("content-type", "")
    if reply.status != 200 or not kind.lower().startswith(_MARKUP) or not 0 < len(reply.body) < limit:
        return None
    text = decode_page(reply.body, kind)
    if _is_shell(text):
        return frozenset()
    return frozenset(unescape("".join(quoted)) for quoted in _ANCHOR.findall(text))


def _is_shell(text: str) -> bool:
    """Whether a page is hardly more than scripts, which make its content in the browser."""
    text = text.lower()
    if "<script" not in text:
        return False
    if _MOUNT.search(text):
        return True
    for start, end in _HIDDEN:
        text = " ".join(_outside(text, start, end))
    return len(_WORD.findall(_TAG.sub(" ", text))) < _FEW_WORDS


def _outside(text: str, start: str, end: str) -> Iterator[str]:
    """Yield the parts of a text that are not between two strings, in linear time."""
    index = 0
    while (opened := text.find(start, index)) >= 0:
        yield text[index:opened]
        closed = text.find(end, opened)
        if closed < 0:
            return
        index = closed + len(end)
    yield text[index:]


def has_service(url: str) -> bool:
    """Whether the host of a URL is one of a service whose words for a missing site are known."""
    return host_of(url).partition(".")[2] in _SERVICES


def no_site(reply: Reply) -> str:
    """Return what the service of a host says of its own page, if that is that there is no such site; else nothing."""
    name, words = _SERVICES[host_of(reply.url).partition(".")[2]]
    if reply.status != 404 or not words.search(reply.body.decode("utf-8", "replace")):
        return ""
    return f"{name} has no such site"


# The headers by which walls against robots are recognized, by status.
_CHALLENGES = {202: "x-amzn-waf-action", 403: "cf-mitigated"}

_APPS = link_words("app_schemes")


class FetchOptions(NamedTuple):
    """How to reach a URL."""

    redirects: int = 10
    anchors: int = 0  # bytes to read for the page's anchors; 0: they are not needed
    headers: Mapping[str, str] = MappingProxyType({})


async def reach(url: str, options: FetchOptions, fetch: Fetch) -> Attempt:
    """Reach a URL by GET, which some hosts answer otherwise than HEAD."""
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
        reply = await _hop(page, options, fetch, verify)
        if isinstance(reply, FetchError) and reply.trouble is Trouble.CERTIFICATE and verify:
            # Only to find out whether the page exists: the request carries no secret.
            verify, certificate = False, reply.detail or "not valid"
            reply = await _hop(page, options, fetch, verify)
        if isinstance(reply, FetchError):
            return Attempt(url, tuple(hops), reply.trouble, reply.detail, certificate=certificate)
        hops.append(Hop(current, reply.status))
        location = reply.headers.get("location", "") if reply.status in REDIRECTS else ""
        if not location:
            return _attempt(url, hops, reply, options.anchors, certificate)
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
    """Return a function that reaches one URL, throttled."""
    options = FetchOptions(client.settings.redirects)

    async def follow(url: str) -> Attempt:
        try:
            request_host(url)
            return await reach(url, options, client.fetch)
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


async def _hop(url: str, options: FetchOptions, fetch: Fetch, verify: bool) -> Reply | FetchError:
    """Request one URL, with its body where the anchors are needed."""
    if options.anchors:
        reply = await _reply(
            fetch, Request(url, headers=options.headers, limit=options.anchors, verify=verify)
        )
        broken = (Trouble.LOST, Trouble.PROTOCOL, Trouble.TIMEOUT)
        if not isinstance(reply, FetchError) or reply.trouble not in broken:
            return reply
        # Does the page exist, though its body could not be read?
    return await _reply(fetch, Request(url, headers=options.headers, limit=0, verify=verify))


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
        anchors=anchors_of(reply, anchors) if anchors else None,
    )
