"""Write files atomically: either the complete new file or the complete old one remains."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from shelfread.core.errors import InputError


def write_atomically(path: Path, data: bytes, *, expected: bytes, root: Path | None = None) -> None:
    """Replace a file that still contains `expected`; a symbolic link is followed within `root`.

    Raises InputError, and leaves the file unchanged, if it has changed, is read-only, or is outside of `root`.
    """
    with _os_errors_reported(path, "the file and its folder"):
        _replace(_target(path, root), data, expected, path)


def write_new(path: Path, data: bytes, *, overwrite: bool = False, make_folder: bool = False) -> None:
    """Write a new file, or overwrite one; a symbolic link is replaced, not followed.

    Raises InputError if the file exists and `overwrite` is false, or if it cannot be written.
    """
    with _os_errors_reported(path):
        if make_folder:
            path.parent.mkdir(parents=True, exist_ok=True)
        with _draft(path, data) as draft:
            if not overwrite and os.path.lexists(path):
                raise InputError("exists already", str(path))
            if path.is_file() and not path.is_symlink():
                os.chmod(draft, stat.S_IMODE(path.stat().st_mode))
            os.replace(draft, path)


@contextmanager
def _os_errors_reported(path: Path, hint: str = "the folder") -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check {hint}", str(path)) from error


@contextmanager
def _draft(target: Path, data: bytes, opener: Callable[[str, int], int] | None = None) -> Iterator[Path]:
    """Write a temporary file to the folder of `target`: a file is replaced atomically only by one next to it."""
    draft = target.with_name(f".shelfread-{secrets.token_hex(8)}.tmp")
    try:
        with open(draft, "xb", opener=opener) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


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


def _replace(target: Path, data: bytes, expected: bytes, path: Path) -> None:
    status = target.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not a regular file: pass a Markdown file", str(path))
    if _is_locked(target, status.st_mode):
        raise InputError("read-only: allow writing (chmod u+w) to change it", str(path))
    with _draft(target, data, lambda name, flags: os.open(name, flags, 0o600)) as draft:
        if hasattr(os, "chown"):
            with suppress(PermissionError):
                os.chown(draft, status.st_uid, status.st_gid)
        os.chmod(draft, stat.S_IMODE(status.st_mode))
        if target.read_bytes() != expected:
            raise InputError("changed since it was read: run again", str(path))
        os.replace(draft, target)
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Flush the new name to disk, on file systems that support it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
