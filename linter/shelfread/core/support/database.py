"""The file of the cache: created, opened with care, renamed if it is damaged.

The journal is deleted after each transaction, so that a CI can keep the one file; a transaction that a killed process
left incomplete is rolled back by the next one.
"""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timezone
from pathlib import Path

VERSION = 3
"""Of the table and the JSON of its records: one of an older version is emptied, one of a newer version renamed."""

_APPLICATION = 0x53484C46  # `SHLF`: distinguishes our files from other programs' databases
_SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
_WAIT = 5.0  # seconds for another process's transaction
_MAX_PAGES = 1 << 18  # 1 GiB
_TABLE = "CREATE TABLE links (url TEXT PRIMARY KEY, checked_at REAL NOT NULL, record TEXT NOT NULL)"
_OURS = [("table", "links", _TABLE), ("index", "sqlite_autoindex_links_1", None)]
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


def prepare(path: Path) -> tuple[int, int]:
    """Create the file if it is missing, readable by its owner only, and return its device and inode.

    Raises OSError, and ForeignError if it or its journal is not a regular file: a link may lead anywhere, a pipe never
    answers.
    """
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


def connect(path: Path) -> sqlite3.Connection:
    """Open a database that is empty or a cache; raises sqlite3.Error and ForeignError."""
    database = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    try:
        database.text_factory = lambda data: data.decode("utf-8", "replace")
        for pragma in _PRAGMAS:
            database.execute(f"PRAGMA {pragma}").fetchall()
        if not _is_current(database):
            with transaction(database):
                if not _is_current(database):  # another process may have been first
                    if not _is_ours(database):
                        database.execute(_TABLE)
                    database.execute("DELETE FROM links")
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


def set_aside(path: Path, identity: tuple[int, int]) -> Path | None:
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


def is_damage(error: Exception) -> bool:
    """Whether the file itself is damaged, not its folder or the disk, and not for the moment."""
    if isinstance(error, sqlite3.OperationalError):
        return str(error) == "unsupported file format"
    return type(error) in (sqlite3.DatabaseError, OutdatedError)


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another process was writing for too long."""
    return isinstance(error, sqlite3.OperationalError) and "locked" in str(error)


def _is_current(database: sqlite3.Connection) -> bool:
    """Whether it is a cache of this version; False if it is empty, or of an older version."""
    return _is_ours(database) and _version(database) == VERSION


def _version(database: sqlite3.Connection) -> int:
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _is_ours(database: sqlite3.Connection) -> bool:
    """Whether it is a cache of this version or an older one; False if it is empty.

    Only our own table is accepted: a view or a trigger of its name would run queries of its author.
    """
    found = database.execute("SELECT type, name, sql FROM sqlite_master LIMIT 3").fetchall()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    if application not in (0, _APPLICATION) or (found and not application):
        raise ForeignError("the database of another program")
    if found and (found != _OURS or not 0 < _version(database) <= VERSION):
        raise OutdatedError("made by another version")
    return bool(found)
