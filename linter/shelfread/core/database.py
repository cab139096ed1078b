"""Rows that are kept from run to run, in one SQLite file: created, opened with care, renamed if it is damaged.

The journal is deleted after each transaction, so that a CI can keep the one file; a transaction that a killed process
left incomplete is rolled back by the next one.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path

from shelfread.core.wording import one_line

# Of the table and of its records: a file of an older version is emptied, one of a newer version renamed.
VERSION = 5

_APPLICATION = 0x53484C46  # `SHLF`: distinguishes our files from other programs' databases
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
_WAIT = 5.0  # seconds for another process's transaction
_MAX_PAGES = 1 << 18  # 1 GiB
_QUERY = 500  # keys in one query; older SQLite takes 999 at most
_COLUMNS = "key TEXT PRIMARY KEY, at REAL NOT NULL, record TEXT NOT NULL"
# What SQLite recommends for untrusted files, and settings of our own.
_PRAGMAS = (
    "trusted_schema = OFF",
    "cell_size_check = ON",
    "mmap_size = 0",
    "journal_mode = DELETE",
    "synchronous = NORMAL",
    f"max_page_count = {_MAX_PAGES}",
)


class ForeignError(Exception):
    """A file that is not a cache and is left alone."""


class OutdatedError(sqlite3.DatabaseError):
    """A cache of another version."""


class RowFile:
    """Rows of a key, a time (in seconds since the epoch) and a text, in the one table of a file.

    Nothing raises because of the file: if it cannot be used there is a warning, and nothing is kept.
    """

    def __init__(self, path: Path, table: str, warn: Callable[[str], None]) -> None:
        """Open the file, created if it is missing."""
        self._path, self._table, self._warn = path, table, warn
        self._is_replaced = False
        self._database: sqlite3.Connection | None = None
        self._identity = (0, 0)
        self._connect()

    @property
    def is_open(self) -> bool:
        """Whether the file can be used."""
        return self._database is not None

    def read(self, keys: Sequence[str], longest: int) -> list[tuple[str, float, object]]:
        """Return the rows of some keys, without texts of more than `longest` characters."""
        known = list(filter(_is_text, keys))
        rows: list[tuple[str, float, object]] = []
        try:
            for start in range(0, len(known) if self._database else 0, _QUERY):
                batch = known[start : start + _QUERY]
                marks = ",".join("?" * len(batch))
                query = f"SELECT key, at, record FROM {self._table} WHERE length(record) <= ? AND key IN ({marks})"
                rows += self._database.execute(query, (longest, *batch))  # type: ignore[union-attr]
        except sqlite3.Error as error:
            self._fail(error)
        return rows

    def write(self, rows: Iterable[tuple[str, float, str]]) -> bool:
        """Write all rows or none; return whether that is done. While another process writes it is not."""
        written = [row for row in rows if _is_text(row[0])]
        while self._database is not None:
            try:
                with transaction(self._database):
                    self._database.executemany(
                        f"INSERT OR REPLACE INTO {self._table} VALUES (?, ?, ?)", written
                    )
            except sqlite3.Error as error:
                if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                    return False
                self._fail(error)  # the rows are written to the new file, if there is one
            else:
                return True
        return False

    def delete_before(self, when: float) -> None:
        """Delete the rows of an earlier time, if that is possible."""
        if self._database is not None:
            with suppress(sqlite3.Error), transaction(self._database):
                self._database.execute(f"DELETE FROM {self._table} WHERE at < ?", (when,))

    def close(self) -> None:
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _connect(self) -> None:
        try:
            self._identity = _prepare(self._path)
            self._database = connect(self._path, self._table)
        except (sqlite3.Error, OSError, ForeignError) as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Continue with a new file if this one is damaged, but only once; otherwise without a file."""
        self.close()
        why = one_line(getattr(error, "strerror", None) or str(error))  # it may quote the file
        if self._is_replaced or not _is_damage(error):
            self._warn(f"{self._path}: {why}: the results of this run are not saved")
            return
        self._is_replaced = True
        try:
            aside = _set_aside(self._path, self._identity)
        except OSError as refused:
            self._warn(f"{self._path}: {why}, and it cannot be renamed ({refused.strerror}): remove it")
            return
        if aside is not None:
            self._warn(f"{self._path}: {why}: renamed to {aside.name}, a new cache was created")
        self._connect()


def _is_text(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= character <= "\udfff" for character in text)


def _prepare(path: Path) -> tuple[int, int]:
    """Create the file if it is missing, for its owner only, and return device and inode; raises OSError and ForeignError."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ForeignError("its folder is a file") from None
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    status = path.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise ForeignError("a symbolic link: name the file itself")
    if not stat.S_ISREG(status.st_mode):
        raise ForeignError("not a regular file")
    _refuse_journal(Path(f"{path}-journal"))
    return status.st_dev, status.st_ino


def _refuse_journal(path: Path) -> None:
    """Raise ForeignError for a journal that was not left by a run of ours.

    A journal of several databases names a file at its end, which SQLite deletes after it has rolled back.
    """
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(path.lstat().st_mode):
            raise ForeignError("its journal is not a regular file: remove it")
        with path.open("rb") as journal:
            journal.seek(max(0, path.stat().st_size - len(_SUPER_JOURNAL)))
            if journal.read() == _SUPER_JOURNAL:
                raise ForeignError("its journal names another file: remove it")


def connect(path: Path, table: str) -> sqlite3.Connection:
    """Open a database that is empty or a cache with this table; raises sqlite3.Error and ForeignError."""
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    try:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}").fetchall()
        if not _is_current(database, table):
            with transaction(database):
                if not _is_current(database, table):  # another process may have been first
                    database.execute(f"DROP TABLE IF EXISTS {table}")
                    database.execute(f"CREATE TABLE {table} ({_COLUMNS})")
                    database.execute(f"PRAGMA application_id = {_APPLICATION}")
                    database.execute(f"PRAGMA user_version = {VERSION}")
    except BaseException:
        database.close()
        raise
    return database


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Write everything in the block, or nothing; no other process writes at the same time."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):
            database.execute("ROLLBACK")
        raise


def _set_aside(path: Path, identity: tuple[int, int]) -> Path | None:
    """Rename a damaged file and its journals; return None if another process did it. Raises OSError."""
    today = datetime.now(timezone.utc).date().isoformat()
    aside = path.with_name(f"{path.name}.damaged-{today}")
    try:
        status = path.lstat()
        if (status.st_dev, status.st_ino) != identity:
            return None
        os.replace(path, aside)
    except FileNotFoundError:
        return None
    for journal in ("-journal", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.replace(f"{path}{journal}", f"{aside}{journal}")
    return aside


def _is_damage(error: Exception) -> bool:
    """Whether the file itself is damaged, not its folder or the disk, and not for the moment."""
    if isinstance(error, sqlite3.OperationalError):
        return str(error) == "unsupported file format"
    return type(error) in (sqlite3.DatabaseError, OutdatedError)


def _is_current(database: sqlite3.Connection, table: str) -> bool:
    """Return whether it is a cache of this version; only our own table is accepted, no view or trigger that would run queries."""
    schema = database.execute("SELECT type, name, sql FROM sqlite_master LIMIT 3").fetchall()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application not in (0, _APPLICATION) or (schema and not application):
        raise ForeignError("the database of another program")
    if not schema:
        return False
    (version,) = database.execute("PRAGMA user_version").fetchone()
    ours = [
        ("table", table, f"CREATE TABLE {table} ({_COLUMNS})"),
        ("index", f"sqlite_autoindex_{table}_1", None),
    ]
    if 0 < version <= VERSION and schema == ours:
        return bool(version == VERSION)
    raise OutdatedError("made by another version")
