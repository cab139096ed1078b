"""What one run keeps for the next: files that are read only if they are whole, and if nobody else could have written them."""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from pathlib import Path

from shelfread.core.folders import PACKAGE

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
