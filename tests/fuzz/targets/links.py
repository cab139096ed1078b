"""What `links` decides without the network: how a URL is sent, what an answer means, what may be written."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from fuzz.faults import Fault
from fuzz.generators.urls import make_visits as generate
from shelfread.core.diagnostics import Applicability
from shelfread.document.identity import identify
from shelfread.index.answers import Hop, Trouble, Verdict
from shelfread.links.exchange import Attempt, FetchError
from shelfread.links.replacements import (
    https_replacement,
    is_same_page,
    normalize,
    redirect_replacement,
    without_tracking,
)
from shelfread.links.verdicts import judge, suspicion
from shelfread.links.wire_url import on_the_wire, redirected, request_host
from shelfread.taxonomy import hosts

__all__ = ["faults", "generate"]
_NOW = 1_800_000_000.0
_SENT = re.compile(r"https?://[\x21-\x7e]+")
_TROUBLE = {
    "timeout": Trouble.TIMEOUT, "lost": Trouble.LOST, "no-host": Trouble.NO_HOST, "certificate": Trouble.CERTIFICATE,
    "loop": Trouble.LOOP, "refused": Trouble.REFUSED,
}  # fmt: skip
_GONE = (404, 410)


def faults(data: bytes) -> Iterator[Fault]:
    """Read `STATUS URL` lines as the requests of one visit."""
    visit = [line.partition(" ")[::2] for line in data.decode("utf-8", "replace").split("\n") if " " in line]
    urls = [url for _, url in visit]
    for url in urls:
        yield from _as_sent(url)
        yield from _alone(url)
    for url, other in itertools.pairwise(urls):
        yield from _of_two(url, other)
    if visit:
        yield from _judged(visit)


def _as_sent(url: str) -> Iterator[Fault]:
    try:
        sent = str(on_the_wire(url))
        host = request_host(url)
    except FetchError:
        return
    if not _SENT.fullmatch(sent):
        yield Fault("links: sends a character that is not one of a URL", repr(sent)[:300])
    if str(on_the_wire(sent)) != sent:
        yield Fault("links: sends another URL the second time", repr((url, sent))[:300])
    if (urlsplit(sent).hostname or "") != host:
        yield Fault(
            "links: the host that is checked is not the host that is asked", repr((url, sent, host))[:300]
        )


def _alone(url: str) -> Iterator[Fault]:
    identify(url), hosts.key_of(url), hosts.page_anchor(url), hosts.is_reserved(url)
    hosts.serves_https(hosts.host_of(url)), hosts.registrable(hosts.host_of(url))
    if normalize(url) is not None and not is_same_page(url, url):
        yield Fault("links: a URL is not the same page as itself", url)


def _of_two(url: str, other: str) -> Iterator[Fault]:
    with contextlib.suppress(FetchError):
        on_the_wire(redirected(url, other))
    suspicion(url, other)
    https_replacement(url, other)
    if is_same_page(url, other) != is_same_page(other, url) or hosts.same_owner(
        url, other
    ) != hosts.same_owner(other, url):
        yield Fault("links: two URLs compare differently the other way round", repr((url, other))[:300])
    kept = without_tracking(other, url)
    if without_tracking(kept, url) != kept or not set(kept) <= {*other, "?"}:
        yield Fault("links: tracking is removed twice", repr((other, kept))[:300])


def _judged(visit: list[tuple[str, str]]) -> Iterator[Fault]:
    hops = tuple(Hop(url, int(status)) for status, url in visit if status.isascii() and status.isdigit())
    trouble = _TROUBLE.get(visit[-1][0])
    attempt = Attempt(visit[0][1], hops if trouble is None or len(hops) < len(visit) else (), trouble)
    for second in (None, attempt):
        record = judge(attempt, None, _NOW, second)
        gone = attempt.status in _GONE or trouble is Trouble.NO_HOST
        if record.verdict is Verdict.DEAD and not (gone and (second or attempt.status == 410)):
            yield Fault("links: dead without proof", repr(record)[:300])
        found = redirect_replacement(record)
        if (
            found
            and found.applicability is Applicability.SAFE
            and found.url not in {hop.url.partition("#")[0] for hop in hops}
        ):
            told = without_tracking(hops[-1].url, record.url)
            if found.url != told:
                yield Fault(
                    "links: would write a URL that nobody asked for", repr((found.url, record.hops))[:300]
                )
