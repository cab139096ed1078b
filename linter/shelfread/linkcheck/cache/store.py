"""What earlier runs found of each address, in one SQLite file."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path

from shelfread.core.link_record import Record
from shelfread.linkcheck.cache.codec import MAX_ROW, MAX_URL, is_text, record_of, row_of
from shelfread.linkcheck.cache.database import (
    ForeignError,
    connect,
    is_busy,
    is_damage,
    prepare,
    set_aside,
    transaction,
)

BATCH = 200
"""Records that are written at once: a run that is killed loses the last batch,"""
PATIENCE = 2.0
"""or that of the last so many seconds."""
KEPT = 90 * 86400
"""Seconds after its last look at which a record is forgotten."""

_WRITTEN = 2000  # records a transaction, of many that come at once
_PAUSE = 30.0  # seconds, after another process has held us up
_ASKED = 500  # addresses a query: older SQLite takes 999 at most
_SELECT = f"SELECT url, record FROM links WHERE length(record) <= {MAX_ROW} AND url IN "
_INSERT = "INSERT OR REPLACE INTO links VALUES (?, ?, ?)"


def default_path() -> Path:
    """Where the cache lies if nobody says otherwise."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("shelfread", appauthor=False), "links.sqlite3")


class Cache:
    """Records by address; where its file cannot be used it warns, and the run goes on without."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        self._path = path
        self._warn = warn
        self._pending: dict[str, Record] = {}
        self._due = time.monotonic() + PATIENCE
        self._held_up = False
        self._changed = False
        self._begun_anew = False
        self._database: sqlite3.Connection | None = None
        self._identity = (0, 0)

    @classmethod
    def open(cls, path: Path, warn: Callable[[str], None]) -> Cache:
        """The cache at `path`, made where there is none; never raises for what is wrong with the file."""
        cache = cls(path, warn)
        cache._connect()
        return cache

    def __enter__(self) -> Cache:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, urls: Iterable[str]) -> dict[str, Record]:
        """What is known of these addresses (without their fragments), however old."""
        wanted = [url for url in dict.fromkeys(urls) if len(url) <= MAX_URL and is_text(url)]
        found: dict[str, Record] = {}
        try:
            for at in range(0, len(wanted), _ASKED):
                for url, text in self._rows(wanted[at : at + _ASKED]):
                    record = record_of(url, text)
                    if record is not None:
                        found[url] = record
        except sqlite3.Error as wrong:
            self._fail(wrong)
        for url in wanted:
            if url in self._pending:
                found[url] = self._pending[url]
        return found

    def put(self, records: Iterable[Record]) -> None:
        """Keep records; they are written in batches, the rest when the cache is flushed or closed."""
        if self._database is None:
            return
        self._pending.update((record.url, record) for record in records)
        if time.monotonic() >= self._due or (len(self._pending) >= BATCH and not self._held_up):
            self.flush()

    def flush(self) -> None:
        """Write what is kept; where another process does not let us it is kept on."""
        while self._pending and self._database is not None:
            batch = dict(islice(self._pending.items(), _WRITTEN))
            rows = [(url, record.checked_at, row_of(record)) for url, record in batch.items()]
            try:
                with transaction(self._database):
                    self._database.executemany(_INSERT, [row for row in rows if row[2] is not None])
            except sqlite3.Error as wrong:
                if is_busy(wrong):
                    self._held_up, self._due = True, time.monotonic() + _PAUSE
                    return
                self._fail(wrong)  # a new file takes the batch, if there is one
                continue
            self._changed = True
            for url in batch:
                del self._pending[url]
        self._held_up, self._due = False, time.monotonic() + PATIENCE

    def close(self) -> None:
        """Write the rest, and forget what has not been asked for in a long time."""
        self.flush()
        if self._database is None:
            return
        if self._pending:
            self._warn(f"{self._path} is in use: the last {len(self._pending)} links are not remembered")
        if self._changed:
            with suppress(sqlite3.Error), transaction(self._database):
                self._database.execute("DELETE FROM links WHERE checked_at < ?", (time.time() - KEPT,))
        self._disconnect()

    def _rows(self, urls: list[str]) -> list[tuple[str, object]]:
        if self._database is None:
            return []
        marks = ",".join("?" * len(urls))
        return self._database.execute(f"{_SELECT} ({marks})", urls).fetchall()

    def _connect(self) -> None:
        try:
            self._identity = prepare(self._path)
            self._database = connect(self._path)
        except (sqlite3.Error, OSError, ForeignError) as wrong:
            self._fail(wrong)

    def _fail(self, wrong: Exception) -> None:
        """Go on with a new file where this one is damaged, but once only; else with none."""
        self._disconnect()
        said = getattr(wrong, "strerror", None) or str(wrong)
        said = "".join([letter if letter.isprintable() else "?" for letter in said])  # it may quote the file
        if self._begun_anew or not is_damage(wrong):
            self._warn(f"{self._path}: {said}: what links lead to is not remembered from run to run")
            return
        self._begun_anew = True
        try:
            aside = set_aside(self._path, self._identity)
        except OSError as refused:
            self._warn(f"{self._path}: {said}, and it cannot be renamed ({refused.strerror}): remove it")
            return
        if aside is not None:
            self._warn(f"{self._path}: {said}: set aside as {aside.name}, a new cache is begun")
        self._connect()

    def _disconnect(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None
