"""Temporary files beside the files that they replace.

Each is locked while its run lives, so that a later run can tell what a killed one has left. On Windows nothing is
locked, and nothing is cleaned up.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

if sys.platform != "win32":
    import fcntl

_PREFIX, _SUFFIX = ".shelfread-", ".tmp"


@contextmanager
def draft(target: Path, data: bytes, opener: Callable[[str, int], int] | None = None) -> Iterator[Path]:
    """Write a temporary file to the folder of `target`: a file is replaced atomically only by one next to it."""
    path, file = _create(target, opener)
    try:
        with file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if sys.platform == "win32":
                file.close()  # there, nothing is replaced by a file that is open
            yield path
    finally:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def remove_leftovers(folders: Iterable[Path]) -> None:
    """Remove the temporary files that killed runs have left in some folders; those of running ones are locked."""
    for folder in set(folders):
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX):
                    _remove_unlocked(entry.path)


def _create(target: Path, opener: Callable[[str, int], int] | None) -> tuple[Path, BinaryIO]:
    """Return a new file and its path; another one if a run that cleans up was faster than the lock."""
    while True:
        path = target.with_name(f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}")
        file = open(path, "xb", opener=opener)  # noqa: SIM115 - `draft` closes it
        if sys.platform != "win32":
            with suppress(OSError):  # a file system without locks
                fcntl.flock(file, fcntl.LOCK_EX)
        if path.exists():
            return path, file
        file.close()


def _remove_unlocked(path: str) -> None:
    if sys.platform == "win32":
        return
    with suppress(OSError):
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
        finally:
            os.close(handle)
