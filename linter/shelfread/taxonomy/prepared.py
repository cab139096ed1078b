"""Taxonomies as checks use them, kept beside the modules or for the user: their YAML takes longer to read than a list to check."""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from shelfread import __version__
from shelfread.core.file_writing import read_kept, write_kept
from shelfread.core.folders import PACKAGE, cache_path

_MOST = 32  # the most taxonomies that are kept

# What marshal can write: `files` are the paths that it was made of, the first one being that of the taxonomy.
# Parts that not every run needs are bytes of their own, which `marshal.loads` decodes when they are used.
Prepared = dict[str, Any]


def load_prepared(path: Path, prepare: Callable[[], Prepared]) -> Prepared:
    """Return what `prepare` returns for a file, from the cache if neither it nor a file that it extends has changed."""
    name = _digest(f"{PACKAGE}|{os.path.realpath(path)}".encode())
    kept = _folder() / f"taxonomy-{name}.{sys.implementation.cache_tag}"
    with suppress(OSError, ValueError, EOFError, TypeError, KeyError):
        if content := read_kept(kept):
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


def _keep(file: Path, data: Mapping[str, Any]) -> None:
    """Keep a taxonomy instead of the oldest one, if the folder is writable."""
    with suppress(OSError, ValueError):
        entry: Any = (_stamp(data["files"]), data)
        write_kept(file, marshal.dumps(entry))
        known = sorted(file.parent.glob("taxonomy-*"), key=lambda each: each.stat().st_mtime)
        for old in known[:-_MOST]:
            old.unlink()


def _stamp(files: Sequence[str]) -> tuple[Any, ...]:
    """Return what identifies the code that prepares taxonomies, the build of Python, and the contents of files."""
    code = [(each.name, each.stat().st_mtime_ns) for each in sorted(Path(__file__).parent.glob("*.py"))]
    return __version__, sys.version, code, [(file, _digest(Path(file).read_bytes())) for file in files]


def _digest(data: bytes) -> str:
    from hashlib import blake2b

    return blake2b(data, digest_size=16).hexdigest()
