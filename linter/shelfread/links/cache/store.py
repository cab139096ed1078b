"""The records of earlier runs by URL, in one SQLite file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from shelfread.core.support import database
from shelfread.index.network.link_record import LinkRecord
from shelfread.links.cache.codec import MAX_ROW, MAX_URL, decode, encode, is_text

BATCH = 200
"""Added records are written when there are this many."""
FLUSH_SECONDS = 2.0
"""Added records are written after this many seconds: a killed run loses no more."""
MAX_AGE = 90 * 86400
"""Seconds after which a record is deleted."""

_TRANSACTION = 2000  # records in one transaction at most
_PAUSE = 30.0  # seconds without writing, after another process has locked the file
_QUERY = 500  # URLs in one query; older SQLite takes 999 at most
_SELECT = f"SELECT url, record FROM links WHERE length(record) <= {MAX_ROW} AND url IN "
_INSERT = "INSERT OR REPLACE INTO links VALUES (?, ?, ?)"


class Cache:
    """Records by URL. If the file cannot be used, there is a warning and nothing is kept."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Open the cache, created if it is missing; never raises because of the file."""
        self._path = path
        self._warn = warn
        self._pending: dict[str, LinkRecord] = {}
        self._due = time.monotonic() + FLUSH_SECONDS
        self._is_locked = False
        self._changed = False
        self._is_replaced = False
        self._database: sqlite3.Connection | None = None
        self._identity = (0, 0)
        self._connect()

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, urls: Iterable[str]) -> dict[str, LinkRecord]:
        """Return the records of some URLs (without fragments), however old."""
        wanted = [url for url in dict.fromkeys(urls) if len(url) <= MAX_URL and is_text(url)]
        found: dict[str, LinkRecord] = {}
        try:
            for start in range(0, len(wanted), _QUERY):
                for url, text in self._rows(wanted[start : start + _QUERY]):
                    if (record := decode(url, text)) is not None:
                        found[url] = record
        except sqlite3.Error as error:
            self._fail(error)
        return found | {url: self._pending[url] for url in wanted if url in self._pending}

    def put(self, records: Iterable[LinkRecord]) -> None:
        """Add records; they are written in batches, the rest when the cache is flushed or closed."""
        if self._database is None:
            return
        self._pending.update((record.url, record) for record in records)
        if time.monotonic() >= self._due or (len(self._pending) >= BATCH and not self._is_locked):
            self.flush()

    def flush(self) -> None:
        """Write the added records; if another process has locked the file, later."""
        while self._pending and self._database is not None:
            batch = dict(islice(self._pending.items(), _TRANSACTION))
            rows = [(url, record.checked_at, encode(record)) for url, record in batch.items()]
            try:
                with database.transaction(self._database):
                    self._database.executemany(_INSERT, [row for row in rows if row[2] is not None])
            except sqlite3.Error as error:
                if database.is_busy(error):
                    self._is_locked, self._due = True, time.monotonic() + _PAUSE
                    return
                self._fail(error)  # the batch is written to the new file, if there is one
                continue
            self._changed = True
            for url in batch:
                del self._pending[url]
        self._is_locked, self._due = False, time.monotonic() + FLUSH_SECONDS

    def close(self) -> None:
        """Write the rest, and delete old records."""
        self.flush()
        if self._database is None:
            return
        if self._pending:
            self._warn(f"{self._path} is in use: the last {len(self._pending)} links are not saved")
        if self._changed:
            with suppress(sqlite3.Error), database.transaction(self._database):
                self._database.execute("DELETE FROM links WHERE checked_at < ?", (time.time() - MAX_AGE,))
        self._disconnect()

    def _rows(self, urls: list[str]) -> list[tuple[str, object]]:
        if self._database is None:
            return []
        marks = ",".join("?" * len(urls))
        return self._database.execute(f"{_SELECT} ({marks})", urls).fetchall()

    def _connect(self) -> None:
        try:
            self._identity = database.prepare(self._path)
            self._database = database.connect(self._path)
        except (sqlite3.Error, OSError, database.ForeignError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Continue with a new file if this one is damaged, but only once; otherwise without a file."""
        self._disconnect()
        why = getattr(error, "strerror", None) or str(error)
        why = "".join([letter if letter.isprintable() else "?" for letter in why])  # it may quote the file
        if self._is_replaced or not database.is_damage(error):
            self._warn(f"{self._path}: {why}: the results of this run are not saved")
            return
        self._is_replaced = True
        try:
            aside = database.set_aside(self._path, self._identity)
        except OSError as refused:
            self._warn(f"{self._path}: {why}, and it cannot be renamed ({refused.strerror}): remove it")
            return
        if aside is not None:
            self._warn(f"{self._path}: {why}: renamed to {aside.name}, a new cache was created")
        self._connect()

    def _disconnect(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None
