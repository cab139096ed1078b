"""Write files atomically: either the complete new file or the complete old one remains."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from shelfread.core.draft import draft, remove_leftovers
from shelfread.core.errors import InputError, reason_of


def write_atomically(path: Path, data: bytes, *, expected: bytes, root: Path | None = None) -> int:
    """Replace a file that still contains `expected`; a symbolic link is followed within `root`.

    Return how many other names (hard links) the file has: they keep the old contents.
    Raises InputError, and leaves the file unchanged, if it has changed, is read-only, or is outside of `root`.
    """
    with os_errors_reported(path, "the file and its folder"):
        return _replace(_target(path, root), data, expected, path)


def write_new(path: Path, data: bytes, *, overwrite: bool = False, make_folder: bool = False) -> None:
    """Write a new file, or overwrite one; a symbolic link is replaced, not followed.

    Raises InputError if the file exists and `overwrite` is false, or if it cannot be written.
    """
    with os_errors_reported(path):
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers([path.parent])
        with draft(path, data) as new:
            if not overwrite and os.path.lexists(path):
                raise InputError("exists already", str(path))
            if path.is_file() and not path.is_symlink():
                os.chmod(new, stat.S_IMODE(path.stat().st_mode))
            os.replace(new, path)


@contextmanager
def stream_atomically(path: Path) -> Iterator[BinaryIO]:
    """Give a stream; at the end of the block, what was written replaces the file, but not after an exception.

    Raises InputError if it cannot be written.
    """
    with os_errors_reported(path), draft(path, b"") as new:
        with open(new, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(new, path)


@contextmanager
def os_errors_reported(path: Path, hint: str = "the folder") -> Iterator[None]:
    """Raise InputError for errors of the system while the block writes a file."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be written ({reason_of(error)}): check {hint}", str(path)) from error


def _target(path: Path, root: Path | None) -> Path:
    """Return the file that `path` leads to through symbolic links."""
    try:
        target = path.resolve(strict=True)
    except RuntimeError:  # raised for a loop of links by Python before 3.13
        raise InputError("symbolic links form a loop: replace one by a file", str(path)) from None
    home = (path.parent if root is None else root).resolve()
    if not target.is_relative_to(home):
        raise InputError(f"leads to {target}, outside {home}: pass that path to change it", str(path))
    return target


def _is_locked(target: Path, mode: int) -> bool:
    """Return whether a file is write-protected.

    Root can write to any file. For root, a mode without write permission counts only if the folder is writable: a
    whole tree may be read-only because of where it was copied from.
    """
    if not os.access(target, os.W_OK):
        return True
    return not mode & 0o222 and bool(target.parent.stat().st_mode & 0o222)


def _replace(target: Path, data: bytes, expected: bytes, path: Path) -> int:
    status = target.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not a regular file: pass a Markdown file", str(path))
    if _is_locked(target, status.st_mode):
        raise InputError("read-only: allow writing (chmod u+w) to change it", str(path))
    with draft(target, data, lambda name, flags: os.open(name, flags, 0o600)) as new:
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(new, status.st_uid, status.st_gid)
        os.chmod(new, stat.S_IMODE(status.st_mode))
        if target.read_bytes() != expected:
            raise InputError("changed since it was read: run again", str(path))
        os.replace(new, target)
    _sync_folder(target.parent)
    return status.st_nlink - 1


def _sync_folder(folder: Path) -> None:
    """Flush the new name to disk, on file systems that support it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
