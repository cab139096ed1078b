"""One run over the links of lists: what the cache knows is used as long as it is fresh, the rest is fetched."""

from __future__ import annotations

from time import time

from shelfread.core.link_record import Record, Verdict
from shelfread.linkcheck.cache.freshness import PROVES, is_fresh
from shelfread.linkcheck.extract import Targets
from shelfread.linkcheck.model import Found, LinkCheckContext, lacks_repairs


def look_up(targets: Targets, means: LinkCheckContext) -> Found:
    """What is known of each link, asked where it is not fresh in the cache; Ctrl-C ends it, and is no error."""
    known = means.cache.get(targets.urls) if means.cache else {}
    now = time()
    found: dict[str, Record] = {}
    for url, record in known.items():
        if _holds(record, targets, means, now):
            found[url] = record if _is_sought(record, means, now) else _without_repairs(record)
            means.tell(record)
    interrupted = False
    if means.soft_404 or len(found) < len(targets.urls) or any(map(lacks_repairs, found.values())):
        from shelfread.linkcheck.network import ask  # with aiohttp, that a rerun can do without

        interrupted = ask(targets, means, known, found)
    # In the lists' order, whoever answered first.
    return Found({url: found[url] for url in targets.urls if url in found}, interrupted)


def _holds(record: Record, targets: Targets, means: LinkCheckContext, now: float) -> bool:
    """Whether it need not be asked for; where fixes are made, none rests on a cache alone, which may be anybody's."""
    moved = record.verdict is Verdict.DEAD or len(record.hops) > 1
    if means.mend and (moved or now - record.checked_at > PROVES):
        return False
    return is_fresh(record, now, record.url in targets.anchors)


def _is_sought(record: Record, means: LinkCheckContext, now: float) -> bool:
    """Whether the repairs that the cache has may be shown; what is written into lists it is not believed in."""
    return not means.mend and 0 <= now - record.sought_at <= PROVES


def _without_repairs(record: Record) -> Record:
    return record._replace(betters=(), sought_at=0.0) if record.sought_at or record.betters else record
