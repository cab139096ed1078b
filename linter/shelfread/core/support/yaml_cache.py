"""A cache of the bundled YAML as JSON next to it, like Python's bytecode."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

from shelfread import __version__
from shelfread.core.errors import InputError, UserError


def load_table(file: Path) -> dict[str, Any]:
    """Return a table of data that stands beside the module that uses it."""
    table: dict[str, Any] = load_cached(file.parent, [file], _parse, file.stem)[file.name]
    return table


def _parse(file: Path) -> Any:
    from shelfread.core.support.strict_yaml import read

    return read(file, UserError).data


def load_cached(
    folder: Path, files: Iterable[Path], parse: Callable[[Path], Any], name: str = "shelfread"
) -> dict[str, Any]:
    """Return the data of files by their paths relative to `folder`, from the cache if it is current.

    The cache is current if the version, and names, sizes and times of the files are the same. It is updated if the
    folder is writable.
    """
    stamp: list[object] = [__version__]
    for file in files:
        status = file.stat()
        stamp.append([file.relative_to(folder).as_posix(), status.st_mtime_ns, status.st_size])
    kept = folder / "__pycache__" / f"{name}.json"
    with suppress(OSError, ValueError, KeyError, TypeError), kept.open(encoding="utf-8") as stream:
        known = json.load(stream)
        if known["stamp"] == stamp:
            data: dict[str, Any] = known["data"]
            return data
    data = {file.relative_to(folder).as_posix(): parse(file) for file in files}
    with suppress(OSError, InputError):
        from shelfread.core.atomic_write import write_new

        kept.parent.mkdir(exist_ok=True)
        text = json.dumps({"stamp": stamp, "data": data}, ensure_ascii=False)
        write_new(kept, text.encode(), overwrite=True)
    return data
