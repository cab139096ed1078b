"""What `shelfread links` knows of the links, from its cache: nothing is requested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from shelfread.audit.rows import LinkRow, Row
from shelfread.taxonomy.hosts import key_of

if TYPE_CHECKING:  # most audits say nothing of the state of links
    from shelfread.links.cache.store import Cache

_BATCH = 500
"""So many links are looked up at once."""


def with_verdicts(rows: Iterable[tuple[str, Row]], cache: Cache) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a list, its links with their verdicts; those of each table stay in order."""
    waiting: list[LinkRow] = []
    for table, row in rows:
        if not isinstance(row, LinkRow):
            yield table, row
            continue
        waiting.append(row)
        if len(waiting) == _BATCH:
            yield from _judged(waiting, cache)
            waiting.clear()
    yield from _judged(waiting, cache)


def _judged(links: Sequence[LinkRow], cache: Cache) -> Iterator[tuple[str, LinkRow]]:
    keys = [key_of(link.url) for link in links]
    records = cache.get(key for key in keys if key)
    for link, key in zip(links, keys, strict=True):
        record = records.get(key or "")
        if record is not None:
            checked = datetime.fromtimestamp(record.checked_at, timezone.utc).isoformat(timespec="seconds")
            link = link._replace(verdict=record.verdict.value, reason=record.reason, checked=checked)
        yield "links", link
