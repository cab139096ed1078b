"""Taxonomies in the form in which checks use them, kept next to the modules like Python's bytecode.

Reading, merging and checking the YAML of a large taxonomy takes longer than checking a list. Parts that not every run
needs are kept as bytes of their own, and decoded when they are used.
"""

from __future__ import annotations

import marshal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

from shelfread import __version__
from shelfread.core.support.resources import PACKAGE

_MOST = 32
"""The most taxonomies that are kept."""

Prepared = dict[str, Any]
"""What marshal can write: `files` are the paths that it was made of, the first one being that of the taxonomy."""


def load_prepared(path: Path, prepare: Callable[[], Prepared]) -> Prepared:
    """Return what `prepare` returns for a file, from the cache if neither it nor a file that it extends has changed."""
    kept = (
        PACKAGE
        / "__pycache__"
        / f"taxonomy-{_digest(str(path.resolve()).encode())}.{sys.implementation.cache_tag}"
    )
    with suppress(OSError, ValueError, EOFError, TypeError, KeyError):
        stamp, data = marshal.loads(kept.read_bytes())
        if stamp == _stamp(data["files"]):
            found: Prepared = data
            return found
    data = prepare()
    _keep(kept, data)
    return data


def packed(value: Any) -> bytes:
    """Return a part that is decoded when it is used."""
    return marshal.dumps(value)


def unpacked(value: bytes) -> Any:
    """Return a part that was packed."""
    return marshal.loads(value)


def _keep(file: Path, data: Mapping[str, Any]) -> None:
    """Keep a taxonomy instead of the oldest one, if the folder is writable."""
    from shelfread.core.atomic_write import write_new
    from shelfread.core.errors import InputError

    with suppress(OSError, ValueError, InputError):
        file.parent.mkdir(exist_ok=True)
        content: Any = (_stamp(data["files"]), data)
        write_new(file, marshal.dumps(content), overwrite=True)
        known = sorted(file.parent.glob("taxonomy-*"), key=lambda each: each.stat().st_mtime)
        for old in known[:-_MOST]:
            old.unlink()


def _stamp(files: Sequence[str]) -> tuple[Any, ...]:
    """Return what identifies the code that prepares taxonomies, the build of Python, and the contents of files."""
    code = [(each.name, each.stat().st_mtime_ns) for each in sorted(Path(__file__).parent.glob("*.py"))]
    return __version__, sys.version, code, [(file, _digest(Path(file).read_bytes())) for file in files]


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()
