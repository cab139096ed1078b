"""What a run over links is made with, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from shelfread.core.link_record import Record, Verdict
from shelfread.linkcheck.settings import Settings

if TYPE_CHECKING:
    from shelfread.linkcheck.cache.store import Cache
    from shelfread.linkcheck.http.client import Client
    from shelfread.linkcheck.registries.endpoints import Endpoints


class LinkCheckContext(NamedTuple):
    """What a run is made with; `environ` holds a token for GitHub, or none."""

    settings: Settings
    endpoints: Endpoints
    environ: Mapping[str, str]
    cache: Cache | None
    open_client: Callable[[Settings], Client]
    dates: Callable[[Collection[str]], Mapping[str, date]]
    """The days on which links were listed."""
    tell: Callable[[Record], None]
    """Hears of each link as soon as it is known."""
    soft_404: bool = False
    """Pages that answer are held against one that cannot be there."""
    mend: bool = False
    """Fixes are to be made, or shown as if: each is proven in this run."""
    archive: bool = False
    """Snapshots are sought of what is dead."""


class Found(NamedTuple):
    """What is known now, of a run that was interrupted as far as it came."""

    records: dict[str, Record]
    interrupted: bool


def lacks_repairs(record: Record) -> bool:
    """Whether something better may take its place that nobody has sought yet."""
    return not record.sought_at and (
        record.verdict is not Verdict.ALIVE or len(record.hops) > 1 or record.url[:5].lower() == "http:"
    )
