"""What a run over links is made with, and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from datetime import date
from typing import TYPE_CHECKING

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.index.answers import LinkRecord, Verdict
from shelfread.links.network_settings import Settings

if TYPE_CHECKING:
    from shelfread.links.cache.record_cache import RecordCache
    from shelfread.links.http.client import Client
    from shelfread.links.network_settings import Endpoints


class LinkCheckContext(NamedTuple):
    """What a run over links needs. `environ` may hold a token for GitHub."""

    settings: Settings
    endpoints: Endpoints
    environ: Mapping[str, str]
    cache: RecordCache | None
    open_client: Callable[[Settings], Client]
    dates: Callable[[Collection[str]], Mapping[str, date]]
    """Returns the days on which links were added to the lists."""
    report: Callable[[LinkRecord], None]
    """Called for each link as soon as its verdict is known."""
    soft_404: bool = False
    """Compare pages that answer with a page that cannot exist."""
    fix: bool = False
    """Fixes are written, shown as a diff or suggested to a program, which may apply them: each is confirmed in this
    run, whatever the cache says."""
    archive: bool = False
    """Search snapshots of dead pages."""


class Found(NamedTuple):
    """The records of a run by URL; of an interrupted one those that it came to."""

    records: dict[str, LinkRecord]
    interrupted: bool
    notes: tuple[str, ...] = ()
    """What made the run slower than it could be, for people."""


def lacks_repairs(record: LinkRecord) -> bool:
    """Whether a replacement is possible that no run has searched yet."""
    return not record.repairs_checked_at and (
        record.verdict is not Verdict.ALIVE or len(record.hops) > 1 or record.url[:5].lower() == "http:"
    )
