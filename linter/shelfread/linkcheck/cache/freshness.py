"""How long a verdict holds, and how to ask whether a page is still the one that is known."""

from __future__ import annotations

from hashlib import blake2b

from shelfread.core.link_record import Record, Verdict

DAY = 86400.0
HOLDS = {
    Verdict.ALIVE: 7 * DAY,
    Verdict.MOVED: 7 * DAY,
    Verdict.BLOCKED: 3 * DAY,
    Verdict.SUSPECT: 3 * DAY,
    Verdict.DEAD: 1 * DAY,
}
"""Seconds; the other verdicts say nothing about the next run."""
PROVES = 7 * DAY
"""Seconds for which what was seen may carry a repair, whatever its verdict."""

_SPREAD = 0.2
_THERE = frozenset((Verdict.ALIVE, Verdict.MOVED))


def holds(record: Record) -> float:
    """For how many seconds a record holds: longer or shorter by the address, the same in every run.

    A list that was checked in one run does not fall due in one run.
    """
    share = (
        int.from_bytes(blake2b(record.url.encode("utf-8", "replace"), digest_size=4).digest(), "big") / 2**32
    )
    return HOLDS.get(record.verdict, 0.0) * (1 - _SPREAD + 2 * _SPREAD * share)


def is_fresh(record: Record, now: float, anchors: bool = False) -> bool:
    """Whether the record still holds, and says all that is wanted; what was looked at in times to come does not.

    `anchors`: the page's are wanted too, where there is a page.
    """
    if anchors and record.anchors is None and record.verdict in _THERE:
        return False
    return 0 <= now - record.checked_at < holds(record)


def conditions(record: Record | None) -> dict[str, str]:
    """The headers that ask for a page's body only if it has changed; none where its anchors are not known."""
    if record is None or record.anchors is None or record.verdict not in _THERE:
        return {}
    asked = {"if-none-match": record.etag, "if-modified-since": record.modified}
    return {name: value for name, value in asked.items() if is_header(value)}


def renewed(record: Record, before: Record | None) -> Record:
    """The record of a page that has not changed (304), with what was known of its content."""
    if before is None:
        return record
    return record._replace(
        anchors=before.anchors, etag=record.etag or before.etag, modified=record.modified or before.modified
    )


def is_header(value: str) -> bool:
    """Whether a value can be sent: the cache's file may come from elsewhere."""
    return 0 < len(value) <= 1000 and value.isascii() and value.isprintable()
