"""Helpers for tests of the link checker: records, replacements, lookups."""

from __future__ import annotations

import asyncio

from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import Hop, LinkRecord, Replacement, Verdict
from shelfread.links.registries.registry import Registry
from shelfread.links.repair.replacement_search import RepairContext, find_replacements
from support.service import fetch

NOW = 1_750_000_000.0
ALIVE, DEAD, MOVED = Verdict.ALIVE, Verdict.DEAD, Verdict.MOVED
SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


def chain(*hops: str | int) -> tuple[Hop, ...]:
    """`url, status, url, status ...` as hops."""
    return tuple(Hop(str(url), int(status)) for url, status in zip(hops[::2], hops[1::2], strict=True))


def redirected(*hops: str | int, verdict: Verdict = Verdict.MOVED) -> LinkRecord:
    """The record of a URL with these hops."""
    return LinkRecord(str(hops[0]), verdict, "", chain(*hops))


def repair(record: LinkRecord, context: RepairContext, **options: object) -> tuple[Replacement, ...]:
    """The replacements for one record."""
    records = {record.url: record}
    asyncio.run(find_replacements(records, context, **options))  # type: ignore[arg-type]
    found = records[record.url]
    assert found._replace(replacements=(), repairs_checked_at=0.0) == record
    return found.replacements


def look_up(registry: Registry, *keys: str) -> dict[str, LinkRecord | None]:
    """What a registry knows of some keys."""
    return asyncio.run(registry.look_up(keys, fetch, NOW))


def verdicts(found: dict[str, LinkRecord | None]) -> dict[str, Verdict | None]:
    """The verdicts of records by key."""
    return {key: record.verdict if record else None for key, record in found.items()}
