"""Rows of JSON by key, in one SQLite file like that of `links`: for this user, of bounded size, and never in the way.

Whatever is wrong with the file or its folder, the rows are just not there. A row is compressed, and begins with a
checksum of its key and its data.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shelfread.core.support import database
from shelfread.core.support.named_tuple import NamedTuple

MAX_BYTES = 128 << 20
"""When the file is larger, the half of its rows that was not used for longest is deleted."""
MAX_AGE = 30 * 86400
"""Seconds after which a row that was not used is deleted."""

_MAX_ROW = 16 << 20
_MAX_DATA = 256 << 20
# Nothing is lost that cannot be found again, so nothing waits: not for the disk, and not long for another process.
_PRAGMAS = ("busy_timeout = 1000", "synchronous = OFF")
_DAY = 86400
_QUERY = 500  # keys in one query; older SQLite takes 999 at most
_CHECKSUM = 16


class Row(NamedTuple):
    """The data of a row, and what tells it from others of its key."""

    data: Any
    checksum: str


def default_path() -> Path:
    """Return the path of the file. Raises RuntimeError if no home folder is known."""
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("shelfread", appauthor=False), "results.sqlite3")


class Store:
    """The rows of one file; none if it cannot be used."""

    def __init__(self, path: Path) -> None:
        """Open the file, created if it is missing; never raises because of it."""
        self._path = path
        self._used: list[str] = []
        self._identity = (0, 0)
        self._database: sqlite3.Connection | None = None
        try:
            if _is_private(path):
                self._identity = database.prepare(path)
                if _is_private(path):
                    self._database = database.connect(path, "results")
                    for pragma in _PRAGMAS:
                        self._database.execute(f"PRAGMA {pragma}").fetchall()
        except (sqlite3.Error, OSError, ValueError, database.ForeignError) as error:
            self._fail(error)

    def get(self, keys: Iterable[str]) -> dict[str, Row]:
        """Return the rows of some keys that are there and whole."""
        wanted = list(dict.fromkeys(keys))
        found: dict[str, Row] = {}
        oldest = time.time() - _DAY
        for start in range(0, len(wanted), _QUERY):
            for key, used_at, data in self._rows(wanted[start : start + _QUERY]):
                if (row := _decode(key, data)) is not None:
                    found[key] = row
                    if not oldest <= used_at <= oldest + 2 * _DAY:
                        self._used.append(key)
        return found

    def put(self, rows: Mapping[str, object]) -> dict[str, str]:
        """Keep rows, and delete old ones; return the checksums of those that are kept."""
        encoded = {key: data for key, value in rows.items() if (data := _encode(key, value)) is not None}
        if not self._write([(key, time.time(), data) for key, data in encoded.items()]):
            return {}
        return {key: data[:_CHECKSUM].hex() for key, data in encoded.items()}

    def close(self) -> None:
        """Note that rows were used, if that was long ago, and close the file."""
        if self._used:
            self._write([])
        self._disconnect()

    def _rows(self, keys: list[str]) -> list[tuple[str, float, object]]:
        if self._database is None:
            return []
        marks = ",".join("?" * len(keys))
        query = f"SELECT key, at, record FROM results WHERE length(record) <= {_MAX_ROW} AND key IN ({marks})"
        try:
            return self._database.execute(query, keys).fetchall()
        except sqlite3.Error as error:
            self._fail(error)
            return []

    def _write(self, rows: list[tuple[str, float, bytes]]) -> bool:
        """Write rows and the time of those that were used; return whether that was possible."""
        if self._database is None:
            return False
        now = time.time()
        try:
            with database.transaction(self._database):
                self._database.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", rows)
                used = [(now, key) for key in self._used]
                self._database.executemany("UPDATE results SET at = ? WHERE key = ?", used)
                self._database.execute(  # a clock that was wrong has left times to come
                    "DELETE FROM results WHERE at < ? OR at > ?", (now - MAX_AGE, now + _DAY)
                )
            self._used = []
            while self._size() > MAX_BYTES:
                with database.transaction(self._database):
                    self._database.execute(
                        "DELETE FROM results WHERE key IN (SELECT key FROM results ORDER BY at LIMIT"
                        " (SELECT (count(*) + 1) / 2 FROM results))"
                    )
        except sqlite3.Error as error:
            self._fail(error)
            return False
        return True

    def _size(self) -> int:
        """Return the bytes of the pages in use."""
        assert self._database is not None
        pages, free, size = (
            int(self._database.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    def _fail(self, error: Exception) -> None:
        """Go on without the file; remove it if it is damaged."""
        self._disconnect()
        if database.is_damage(error) and not isinstance(error, database.OutdatedError):
            with suppress(OSError):
                if (aside := database.set_aside(self._path, self._identity)) is not None:
                    aside.unlink()
                    for journal in ("-journal", "-wal", "-shm"):
                        Path(f"{aside}{journal}").unlink(missing_ok=True)

    def _disconnect(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None


def _is_private(path: Path) -> bool:
    """Return whether nobody else can write to a file and its folder, or to the folder in which they are made."""
    if os.name != "posix":
        return True
    owner = os.geteuid()
    existing = [each.stat() for each in (path, path.parent) if each.exists()]
    if any(status.st_uid != owner or status.st_mode & 0o022 for status in existing):
        return False
    above = next(folder for folder in path.absolute().parents if folder.exists())
    return bool(existing) or above.stat().st_uid == owner


def _encode(key: str, value: object) -> bytes | None:
    """Return a row's bytes; None if it is too large."""
    data = json.dumps(value, separators=(",", ":")).encode("ascii")
    if len(data) > _MAX_DATA:
        return None
    packed = zlib.compress(data, 1)
    return _checksum(key, packed) + packed if len(packed) < _MAX_ROW - _CHECKSUM else None


def _decode(key: str, data: object) -> Row | None:
    if not isinstance(data, bytes) or _checksum(key, data[_CHECKSUM:]) != data[:_CHECKSUM]:
        return None
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(data[_CHECKSUM:], _MAX_DATA)
        if not unpacking.eof:
            return None
        return Row(json.loads(text), data[:_CHECKSUM].hex())
    except (zlib.error, ValueError, RecursionError):
        return None


def _checksum(key: str, data: bytes) -> bytes:
    return blake2b(data, digest_size=_CHECKSUM, key=blake2b(key.encode()).digest()).digest()
