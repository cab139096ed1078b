"""How long a record is valid, which records need no request, and conditional requests for a page that is known."""

from __future__ import annotations

from collections.abc import Container, Iterable
from hashlib import blake2b

from shelfread.index.answers import FOUND, LinkRecord, Verdict

DAY = 86400.0
# Seconds by verdict; the other verdicts are not valid in the next run.
TIME_TO_LIVE = {
    Verdict.ALIVE: 7 * DAY,
    Verdict.MOVED: 7 * DAY,
    Verdict.BLOCKED: 3 * DAY,
    Verdict.SUSPECT: 3 * DAY,
    Verdict.DEAD: 1 * DAY,
}
REPAIR_MAX_AGE = 7 * DAY  # seconds for which the evidence for a replacement is valid, whatever the verdict

_SPREAD = 0.2


def time_to_live(record: LinkRecord) -> float:
    """Return the seconds for which a record is valid, longer or shorter depending on its URL.

    The records of a list that was checked in one run expire in different runs.
    """
    digest = blake2b(record.url.encode("utf-8", "replace"), digest_size=4).digest()
    share = int.from_bytes(digest, "big") / 2**32
    return TIME_TO_LIVE.get(record.verdict, 0.0) * (1 - _SPREAD + 2 * _SPREAD * share)


def is_fresh(record: LinkRecord, now: float, anchors: bool = False) -> bool:
    """Whether a record is still valid; one that was checked in the future is not.

    With `anchors`, the record of a page must have its anchors too.
    """
    if anchors and record.anchors is None and record.verdict in FOUND:
        return False
    return 0 <= now - record.checked_at < time_to_live(record)


def usable_records(
    known: Iterable[LinkRecord], anchors: Container[str], fix: bool, now: float
) -> dict[str, LinkRecord]:
    """Return by URL the records that need no request; the pages of `anchors` need their ids.

    No fix depends on the cache alone, whose file may come from elsewhere: its replacements may be shown, and none of them
    is ever written into a list.
    """
    usable: dict[str, LinkRecord] = {}
    for record in known:
        has_changed = record.verdict is Verdict.DEAD or len(record.hops) > 1
        if fix and (has_changed or now - record.checked_at > REPAIR_MAX_AGE):
            continue
        if is_fresh(record, now, record.url in anchors):
            keeps = not fix and 0 <= now - record.repairs_checked_at <= REPAIR_MAX_AGE
            usable[record.url] = record if keeps else record._replace(replacements=(), repairs_checked_at=0.0)
    return usable


def lacks_repairs(record: LinkRecord) -> bool:
    """Whether a replacement is possible that no run has searched yet."""
    return not record.repairs_checked_at and (
        record.verdict is not Verdict.ALIVE or len(record.hops) > 1 or record.url[:5].lower() == "http:"
    )


def conditional_headers(record: LinkRecord | None) -> dict[str, str]:
    """Return the headers that request a page only if it has changed; none if its anchors are not known."""
    if record is None or record.anchors is None or record.verdict not in FOUND:
        return {}
    headers = {"if-none-match": record.etag, "if-modified-since": record.modified}
    return {name: value for name, value in headers.items() if is_header_value(value)}


def not_modified(record: LinkRecord, before: LinkRecord | None) -> LinkRecord:
    """Return the record of a page that has not changed (304), with what was known of its content."""
    if before is None:
        return record
    return record._replace(
        anchors=before.anchors, etag=record.etag or before.etag, modified=record.modified or before.modified
    )


def is_header_value(value: str) -> bool:
    """Whether a value can be sent as a header: the file of the cache may come from elsewhere."""
    return 0 < len(value) <= 1000 and value.isascii() and value.isprintable()
