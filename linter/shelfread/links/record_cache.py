"""What links answered earlier: how long each record is valid, and the file that keeps them between runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from shelfread.core.database import RowFile
from shelfread.core.diagnostics import Applicability
from shelfread.index.answers import FOUND, Hop, LinkRecord, Replacement, Verdict

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


def is_fresh(record: LinkRecord, now: float, anchors: bool = False) -> bool:
    """Return whether a record is still valid, and has its page's anchors if they are wanted; one of the future is not."""
    if anchors and record.anchors is None and record.verdict in FOUND:
        return False
    return 0 <= now - record.checked_at < TIME_TO_LIVE.get(record.verdict, 0.0)


def usable_records(
    known: Iterable[LinkRecord], anchors: Container[str], fix: bool, now: float
) -> dict[str, LinkRecord]:
    """Return by URL the records that need no request; no `fix` depends on the cache, whose file may come from elsewhere."""
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


MAX_URL = 16 << 10
MAX_ROW = 256 << 10  # characters of a record; the anchors of a longer one are not kept
BATCH = 200  # added records are written when there are this many
FLUSH_SECONDS = 2.0  # added records are written after this many seconds: a killed run loses no more
MAX_AGE = 90 * 86400  # seconds after which a record is deleted

_MAX_TEXT = 1000
_TRANSACTION = 2000  # records in one transaction at most
_PAUSE = 30.0  # seconds without writing, after another process has locked the file

_Text = Annotated[str, Meta(max_length=_MAX_TEXT)]
# Replacements are derived from redirects.
_Url = Annotated[str, Meta(max_length=MAX_URL, pattern=r"\A(?i:https?)://")]
_Count = Annotated[int, Meta(ge=0)]
_Seconds = Annotated[float, Meta(ge=0, le=253_402_300_799)]  # until the year 9999
_Status = Annotated[int, Meta(ge=100, le=999)]
_Rule = Literal["link/dead", "link/moved", "link/upgradable"]


class _RecordRow(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A `LinkRecord` without its URL. Its replacements may be shown; none is written without a new confirmation."""

    verdict: Verdict
    reason: _Text = ""
    hops: Annotated[tuple[tuple[_Url, _Status], ...], Meta(max_length=64)] = ()
    source: _Text = "web"
    checked_at: _Seconds = 0.0
    failures: _Count = 0
    first_failure: _Seconds | None = None
    certificate: _Text = ""
    archived: _Text = ""
    anchors: frozenset[str] | None = None
    replacements: Annotated[tuple[tuple[_Rule, _Url, _Text, Applicability], ...], Meta(max_length=3)] = ()
    repairs_checked_at: _Seconds = 0.0


_ENCODER = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(_RecordRow)


def encode(record: LinkRecord) -> str | None:
    """Return a record as JSON; None if the URL was not checked, or the record cannot be kept."""
    if record.checked_at <= 0 or len(record.url) > MAX_URL:
        return None
    fields = record._asdict() | {
        "reason": _truncated(record.reason),
        "certificate": _truncated(record.certificate),
        "archived": _truncated(record.archived),
        "replacements": tuple(
            [(*new[:2], _truncated(new.why), new.applicability) for new in record.replacements]
        ),
    }
    del fields["url"]
    try:
        text = _ENCODER.encode(_RecordRow(**fields)).decode()
    except UnicodeEncodeError:
        return None
    if len(text) > MAX_ROW and record.anchors is not None:
        return encode(record._replace(anchors=None))
    return text if len(text) <= MAX_ROW else None


def decode(url: str, text: object) -> LinkRecord | None:
    """Return the record of a text that `encode` made; None for any other."""
    if not isinstance(text, str) or len(text) > MAX_ROW:
        return None
    try:
        row = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return None
    if not all(other[0].isprintable() for other in row.hops) or not all(
        new[1].isprintable() for new in row.replacements
    ):
        return None
    hops = tuple([Hop(*hop) for hop in row.hops])
    replacements = tuple([Replacement(*new) for new in row.replacements])
    return LinkRecord(url, **msgspec.structs.asdict(row) | {"hops": hops, "replacements": replacements})


def _truncated(text: str) -> str:
    """The part of a text for people that is kept."""
    return text[:_MAX_TEXT].encode("utf-8", "replace").decode("utf-8")


class RecordCache:
    """Records by URL. If the file cannot be used, there is a warning and nothing is kept."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Open the cache, created if it is missing; never raises because of the file."""
        self._path, self._warn = path, warn
        self._rows = RowFile(path, "link_records", warn)
        self._pending: dict[str, LinkRecord] = {}
        self._due = time.monotonic() + FLUSH_SECONDS
        self._is_locked = False
        self._changed = False

    def __enter__(self) -> RecordCache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, urls: Iterable[str]) -> dict[str, LinkRecord]:
        """Return the records of some URLs (without fragments), however old."""
        wanted = [url for url in dict.fromkeys(urls) if len(url) <= MAX_URL]
        records = {
            url: record
            for url, _, text in self._rows.read(wanted, MAX_ROW)
            if (record := decode(url, text)) is not None
        }
        return records | {url: self._pending[url] for url in wanted if url in self._pending}

    def put(self, records: Iterable[LinkRecord]) -> None:
        """Add records; they are written in batches, the rest when the cache is flushed or closed."""
        if not self._rows.is_open:
            return
        self._pending.update((record.url, record) for record in records)
        if time.monotonic() >= self._due or (len(self._pending) >= BATCH and not self._is_locked):
            self.flush()

    def flush(self) -> None:
        """Write the added records; if another process has locked the file, later."""
        while self._pending and self._rows.is_open:
            batch = dict(islice(self._pending.items(), _TRANSACTION))
            texts = {url: text for url, record in batch.items() if (text := encode(record)) is not None}
            if not self._rows.write((url, batch[url].checked_at, text) for url, text in texts.items()):
                self._is_locked, self._due = True, time.monotonic() + _PAUSE
                return
            self._changed = True
            for url in batch:
                del self._pending[url]
        self._is_locked, self._due = False, time.monotonic() + FLUSH_SECONDS

    def close(self) -> None:
        """Write the rest, and delete old records."""
        self.flush()
        if self._pending and self._rows.is_open:
            self._warn(f"{self._path} is in use: the last {len(self._pending)} links are not saved")
        if self._changed:
            self._rows.delete_before(time.time() - MAX_AGE)
        self._rows.close()
