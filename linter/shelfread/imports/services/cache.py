"""What services answered in earlier runs, in one SQLite file like that of `links`."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from shelfread.core.support import database
from shelfread.imports.services.untrusted import doi_of, list_of, text_of, url_of, year_of
from shelfread.index.network.work import Work

MAX_AGE = 30 * 86400
"""Seconds for which an answer is used."""
MAX_AGE_OF_NOTHING = 7 * 86400
"""Seconds for which it is believed that a service does not know a paper."""
_MAX_ROW = 1 << 20
_QUERY = 500  # keys in one query; older SQLite takes 999 at most


class WorkCache:
    """Works by source and key. If the file cannot be used there is a warning, and nothing is kept."""

    def __init__(self, path: Path, warn: Callable[[str], None]) -> None:
        """Open the cache, created if it is missing; never raises because of the file."""
        self._path, self._warn = path, warn
        self._database: sqlite3.Connection | None = None
        try:
            database.prepare(path)
            self._database = database.connect(path)
        except (sqlite3.Error, OSError, database.ForeignError) as error:
            self._fail(error)

    def __enter__(self) -> WorkCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def get(self, source: str, keys: Iterable[str], now: float) -> dict[str, tuple[Work, ...]]:
        """Return the answers of a source that are new enough; `now` is in seconds since the epoch."""
        wanted = [f"{source} {key}" for key in dict.fromkeys(keys)]
        found: dict[str, tuple[Work, ...]] = {}
        for start in range(0, len(wanted), _QUERY):
            for name, checked_at, record in self._rows(wanted[start : start + _QUERY]):
                works = _decode(record)
                if works is not None and 0 <= now - checked_at <= (MAX_AGE if works else MAX_AGE_OF_NOTHING):
                    found[name.partition(" ")[2]] = works
        return found

    def put(self, source: str, answers: Mapping[str, tuple[Work, ...]], now: float) -> None:
        """Keep the answers of a source."""
        rows = [(f"{source} {key}", now, _encode(works)) for key, works in answers.items()]
        if self._database is None or not rows:
            return
        try:
            with database.transaction(self._database):
                self._database.executemany("INSERT OR REPLACE INTO links VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, UnicodeEncodeError) as error:
            if not (isinstance(error, sqlite3.Error) and database.is_busy(error)):
                self._fail(error)

    def _rows(self, names: list[str]) -> list[tuple[str, float, object]]:
        if self._database is None:
            return []
        marks = ",".join("?" * len(names))
        query = f"SELECT url, checked_at, record FROM links WHERE length(record) <= {_MAX_ROW} AND url IN ({marks})"
        try:
            return self._database.execute(query, names).fetchall()
        except (sqlite3.Error, UnicodeEncodeError) as error:
            self._fail(error)
            return []

    def _fail(self, error: Exception) -> None:
        why = getattr(error, "strerror", None) or str(error)
        why = "".join(char if char.isprintable() else "?" for char in why)  # it may quote the file
        self._warn(f"{self._path}: {why}: answers are not kept. If the file is damaged, remove it")
        self._close()

    def _close(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.execute("DELETE FROM links WHERE checked_at < ?", (time.time() - MAX_AGE,))
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None


def _encode(works: Iterable[Work]) -> str:
    return json.dumps([{key: value for key, value in work._asdict().items() if value} for work in works])


def _decode(text: object) -> tuple[Work, ...] | None:
    """Return works from a row, which may be anything; None if they are no works."""
    if not isinstance(text, str):
        return None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        return None
    return tuple(
        Work(
            source=text_of(item.get("source")),
            title=text_of(item.get("title")),
            authors=tuple(map(text_of, list_of(item.get("authors")))),
            venue=text_of(item.get("venue")),
            is_preprint=item.get("is_preprint") is True,
            year=year_of(item.get("year")),
            doi=doi_of(item.get("doi")),
            arxiv=text_of(item.get("arxiv")),
            url=url_of(item.get("url")),
            code=url_of(item.get("code")),
            description=text_of(item.get("description")),
        )
        for item in data
    )
