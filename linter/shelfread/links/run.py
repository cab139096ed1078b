"""One run over the links of lists: fresh records come from the cache, the rest from the web."""

from __future__ import annotations

from time import time

from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.cache.freshness import REPAIR_MAX_AGE, is_fresh
from shelfread.links.model import Found, LinkCheckContext, lacks_repairs
from shelfread.links.occurrences import Targets


def check_links(targets: Targets, context: LinkCheckContext) -> Found:
    """Return what is known of each link, requested if it is not fresh in the cache. Ctrl-C ends the run early."""
    known = context.cache.get(targets.urls) if context.cache else {}
    now = time()
    found: dict[str, LinkRecord] = {}
    for url, record in known.items():
        if _is_usable(record, targets, context, now):
            # The replacements in the cache may be shown; none of them is ever written into a list.
            usable = not context.fix and 0 <= now - record.repairs_checked_at <= REPAIR_MAX_AGE
            found[url] = record if usable else record._replace(replacements=(), repairs_checked_at=0.0)
            context.report(record)
    interrupted = False
    notes: list[str] = []
    if context.soft_404 or len(found) < len(targets.urls) or any(map(lacks_repairs, found.values())):
        from shelfread.links.online import check_online  # imports aiohttp, which a rerun seldom needs

        interrupted, notes = check_online(targets, context, known, found)
    # In the order of the lists, not of the answers.
    return Found({url: found[url] for url in targets.urls if url in found}, interrupted, tuple(notes))


def _is_usable(record: LinkRecord, targets: Targets, context: LinkCheckContext, now: float) -> bool:
    """Whether no request is needed. No fix depends on the cache alone: its file may come from elsewhere."""
    moved = record.verdict is Verdict.DEAD or len(record.hops) > 1
    if context.fix and (moved or now - record.checked_at > REPAIR_MAX_AGE):
        return False
    return is_fresh(record, now, record.url in targets.anchors)
