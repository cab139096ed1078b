"""Writing files: whole or not at all, never through a symbolic link, and never over what is not ours."""

from __future__ import annotations

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from shelfread.core.errors import InputError, reason_of
from shelfread.core.folders import PACKAGE, links_on_the_way

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
    import secrets  # takes long, and most runs write nothing

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


def write_atomically(path: Path, data: bytes, *, expected: bytes) -> int:
    """Replace a file that still contains `expected`; a symbolic link is followed within its folder.

    Return how many other names (hard links) the file has: they keep the old contents.
    Raises InputError, and leaves the file unchanged, if it has changed, is read-only, or is outside of the folder.
    """
    with os_errors_reported(path, "the file and its folder"):
        return _replace(_target(path), data, expected, path)


def write_new(path: Path, data: bytes, *, overwrite: bool = False, make_folder: bool = False) -> None:
    """Write a new file, or overwrite one; a symbolic link is replaced, not followed. Raises InputError if that cannot be."""
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
    """Give a stream; what was written replaces the file at the end of the block, but not after an exception."""
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


def _target(path: Path) -> Path:
    """Return the file that `path` leads to through symbolic links."""
    try:
        target = path.resolve(strict=True)
    except RuntimeError:  # raised for a loop of links by Python before 3.13
        raise InputError("symbolic links form a loop: replace one by a file", str(path)) from None
    home = path.parent.resolve()
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


_MAX_BYTES = 64 << 20  # a larger file is taken for something else


def refuse_to_overwrite(path: str, option: str, is_earlier: Callable[[str], bool], what: str) -> None:
    """Raise InputError unless a file is new, empty, or what `is_earlier` says of its text; a symbolic link is none of these."""
    if link := next(links_on_the_way(path), None):
        target = os.path.realpath(link)
        raise InputError(f"{option} follows no symbolic link: name {target} instead of {link}", path)
    if not os.path.lexists(path):
        return
    if os.path.isdir(path):
        raise InputError(f"{option} cannot write to it: it is a folder", path)
    if not os.path.isfile(path):
        raise InputError(f"{option} writes to regular files only: redirect the output instead", path)
    if not _is_own(path, is_earlier):
        raise InputError(
            f"{option} would overwrite it, and it is not {what}: name another file, or delete it first", path
        )


def _is_own(path: str, is_earlier: Callable[[str], bool]) -> bool:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise InputError(f"cannot be read: {reason_of(error)}", path) from None
    except UnicodeDecodeError:
        return False
    return len(data) <= _MAX_BYTES and (not text.strip() or is_earlier(text))


_CHECKSUM = 4


def read_kept(path: Path, most: int | None = None) -> memoryview | None:
    """Return what was kept in a file; None if it is missing, damaged, of another name, too large or not ours."""
    try:
        if not path.is_file() or not _is_private(path) or (most is not None and path.stat().st_size > most):
            return None
        data = memoryview(path.read_bytes())
    except OSError:
        return None
    content = data[_CHECKSUM:]
    return content if data[:_CHECKSUM] == _checksum(path, content) else None


def write_kept(path: Path, content: bytes) -> bool:
    """Keep something in a file, which is replaced as a whole; return whether that could be done."""
    with suppress(OSError):
        path.parent.mkdir(0o777 if path.parent.parent == PACKAGE else 0o700, parents=True, exist_ok=True)
        if not _is_private(path):
            return False
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.touch(0o600)
            draft.write_bytes(_checksum(path, content) + content)
            draft.replace(path)
            return True
        finally:
            draft.unlink(missing_ok=True)
    return False


def _is_private(path: Path) -> bool:
    """Return whether nobody else can write to a file and its folder. Beside the modules, they could write modules too."""
    if path.parent.parent == PACKAGE or os.name != "posix":
        return True
    existing = [each.stat() for each in (path, path.parent) if each.exists()]
    return not any(status.st_uid != os.geteuid() or status.st_mode & 0o022 for status in existing)


def _checksum(path: Path, content: bytes | memoryview) -> bytes:
    return zlib.crc32(content, zlib.crc32(path.name.encode())).to_bytes(_CHECKSUM, "little")
