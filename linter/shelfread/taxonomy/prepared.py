"""Taxonomies in the form in which checks use them, kept next to the modules like Python's bytecode, or for the user.

Reading, merging and checking the YAML of a large taxonomy takes longer than checking a list.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from shelfread import __version__
from shelfread.core.folders import PACKAGE, cache_path

_MOST = 32
"""The most taxonomies that are kept."""
_CHECKSUM = 4
"""The bytes of a checksum."""

Prepared = dict[str, Any]
"""What marshal can write: `files` are the paths that it was made of, the first one being that of the taxonomy. Parts that
not every run needs are bytes of their own, which `marshal.loads` decodes when they are used."""


def load_prepared(path: Path, prepare: Callable[[], Prepared]) -> Prepared:
    """Return what `prepare` returns for a file, from the cache if neither it nor a file that it extends has changed."""
    name = _digest(f"{PACKAGE}|{path.resolve()}".encode())
    kept = _folder() / f"taxonomy-{name}.{sys.implementation.cache_tag}"
    with suppress(OSError, ValueError, EOFError, TypeError, KeyError):
        if not _is_safe(kept.parent):
            raise ValueError("others can write to the folder")
        data = kept.read_bytes()
        checksum, content = data[:_CHECKSUM], memoryview(data)[_CHECKSUM:]
        if checksum == _checksum(content):
            stamp, found = marshal.loads(content)
            if stamp == _stamp(found["files"]):
                prepared: Prepared = found
                return prepared
    made = prepare()
    _keep(kept, made)
    return made


def _folder() -> Path:
    """Return the folder of the cache: beside the modules if it is writable, else the user's own."""
    folder = PACKAGE / "__pycache__"
    if os.access(folder if folder.is_dir() else PACKAGE, os.W_OK):
        return folder
    return cache_path("taxonomies")


def _is_safe(folder: Path) -> bool:
    """Return whether nobody else can write to a folder. Beside the modules, they could write modules too."""
    if folder.parent == PACKAGE or os.name != "posix":
        return True
    status = folder.stat()
    return status.st_uid == os.geteuid() and not status.st_mode & 0o022


def _keep(file: Path, data: Mapping[str, Any]) -> None:
    """Keep a taxonomy instead of the oldest one, if the folder is writable."""
    from shelfread.core.errors import InputError
    from shelfread.core.file_writing import write_new

    with suppress(OSError, ValueError, InputError):
        file.parent.mkdir(0o777 if file.parent.parent == PACKAGE else 0o700, parents=True, exist_ok=True)
        entry: Any = (_stamp(data["files"]), data)
        content = marshal.dumps(entry)
        write_new(file, _checksum(content) + content, overwrite=True)
        known = sorted(file.parent.glob("taxonomy-*"), key=lambda each: each.stat().st_mtime)
        for old in known[:-_MOST]:
            old.unlink()


def _checksum(data: bytes | memoryview) -> bytes:
    """Return what tells damage, which would be met only when a part is used."""
    from zlib import crc32

    return crc32(data).to_bytes(_CHECKSUM, "little")


def _stamp(files: Sequence[str]) -> tuple[Any, ...]:
    """Return what identifies the code that prepares taxonomies, the build of Python, and the contents of files."""
    code = [(each.name, each.stat().st_mtime_ns) for each in sorted(Path(__file__).parent.glob("*.py"))]
    return __version__, sys.version, code, [(file, _digest(Path(file).read_bytes())) for file in files]


def _digest(data: bytes) -> str:
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()
