"""Writing a list back: the whole new file or the whole old one, never something between."""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from shelfread.core.errors import InputError


def write_atomically(path: Path, data: bytes, *, expected: bytes, root: Path | None = None) -> None:
    """Replace a file that still holds `expected`; a link is followed to its target within `root`.

    Raises InputError, and leaves the file as it was, when it changed, is read-only, or lies elsewhere.
    """
    try:
        target = _target(path, root)
        _replace(target, data, expected, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the file and its folder", str(path)) from error


def write_new(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write a whole file that is not there yet, or is to be written over; a link is replaced, not followed.

    Raises InputError where there is one already, or none can be.
    """
    temporary = path.with_name(f".shelfread-{secrets.token_hex(8)}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if not overwrite and os.path.lexists(path):
            raise InputError("is there already", str(path))
        os.replace(temporary, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the folder", str(path)) from error
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)


def write_over(path: Path, data: bytes) -> None:
    """Write a whole file over what may be there; a link is followed within its folder, a pipe written into.

    Raises InputError where that cannot be.
    """
    try:
        if path.is_dir():
            raise InputError("cannot be written: it is a folder", str(path))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = _target(path, None) if path.is_symlink() else path
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"cannot be written ({reason}): check the folder", str(path)) from error
    if not target.parent.is_dir():
        raise InputError(f"cannot be written: there is no folder {target.parent}", str(path))
    write_new(target, data, overwrite=True)


def _target(path: Path, root: Path | None) -> Path:
    """The file that `path` names, after links."""
    try:
        target = path.resolve(strict=True)
    except RuntimeError:  # how Python before 3.13 says that links run in a circle
        raise InputError("a symbolic link that leads to itself: replace it by a file", str(path)) from None
    home = (path.parent if root is None else root).resolve()
    if not target.is_relative_to(home):
        raise InputError(
            f"leads to {target}, outside {home}: name that file itself to have it changed", str(path)
        )
    return target


def _is_locked(target: Path, mode: int) -> bool:
    """Whether a file is not to be written to.

    Root may write whatever the mode says, so for root it counts only where it singles the file out:
    in a tree that is read-only as a whole it speaks of the tree's origin, not of this file.
    """
    if not os.access(target, os.W_OK):
        return True
    return not mode & 0o222 and bool(target.parent.stat().st_mode & 0o222)


def _replace(target: Path, data: bytes, expected: bytes, path: Path) -> None:
    status = target.stat()
    if not stat.S_ISREG(status.st_mode):
        raise InputError("not a regular file: name a Markdown file", str(path))
    if _is_locked(target, status.st_mode):
        raise InputError("read-only: allow writing (chmod u+w) to have it changed", str(path))
    temporary = target.with_name(f".shelfread-{secrets.token_hex(8)}.tmp")
    try:
        # In the same folder, as only within one file system a file can be replaced at once.
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
    """Make the new name last; not every file system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
