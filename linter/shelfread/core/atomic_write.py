"""Write files atomically: either the complete new file or the complete old one remains."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from shelfread.core.errors import InputError


def write_atomically(path: Path, data: bytes, *, expected: bytes, root: Path | None = None) -> None:
    """Replace a file that still contains `expected`; a symbolic link is followed within `root`.

    Raises InputError, and leaves the file unchanged, if it has changed, is read-only, or is outside of `root`.
    """
    try:
        target = _target(path, root)
        _replace(target, data, expected, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the file and its folder", str(path)) from error


def write_new(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write a new file, or overwrite one; a symbolic link is replaced, not followed.

    Raises InputError if the file exists and `overwrite` is false, or if it cannot be written.
    """
    temporary = path.with_name(f".shelfread-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not overwrite and os.path.lexists(path):
            raise InputError("exists already", str(path))
        os.replace(temporary, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the folder", str(path)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_over(path: Path, data: bytes) -> None:
    """Write a file that may exist; a symbolic link is followed within its folder, a pipe is written to.

    Raises InputError if the file cannot be written.
    """
    try:
        if path.is_dir():
            raise InputError("cannot be written: is a folder", str(path))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = _target(path, None) if path.is_symlink() else path
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the folder", str(path)) from error
    if not target.parent.is_dir():
        raise InputError(f"cannot be written: the folder {target.parent} does not exist", str(path))
    write_new(target, data, overwrite=True)


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
    temporary = target.with_name(f".shelfread-{secrets.token_hex(8)}.tmp")
    try:
        # In the same folder, because a file can be replaced atomically only within a file system.
        with open(temporary, "xb", opener=_open_private) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_owner_and_mode(temporary, status)
        if target.read_bytes() != expected:
            raise InputError("changed since it was read: run again", str(path))
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(target.parent)


def _open_private(name: str, flags: int) -> int:
    return os.open(name, flags, 0o600)


def _keep_owner_and_mode(temporary: Path, status: os.stat_result) -> None:
    if hasattr(os, "chown"):
        with suppress(PermissionError):
            os.chown(temporary, status.st_uid, status.st_gid)
    os.chmod(temporary, stat.S_IMODE(status.st_mode))


def _sync_folder(folder: Path) -> None:
    """Flush the new name to disk, on file systems that support it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
