"""Findings that are known and wait: a file with one of them a line, which no line's number is in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shelfread.core.atomic_write import write_new
from shelfread.core.errors import ConfigError
from shelfread.engine.fingerprint import Fingerprint

VERSION = 1
_MAX_BYTES = 64 << 20
_MOST = 1_000_000_000
_AGAIN = "write it anew with --write-baseline"


def write(path: str, known: Mapping[Fingerprint, int]) -> None:
    """Write a baseline: sorted, so that what changes is what a diff shows."""
    rows = [
        json.dumps({**print._asdict(), "count": count}, ensure_ascii=False)
        for print, count in sorted(known.items())
        if count > 0
    ]
    text = "\n".join([f'{{"version": {VERSION}, "findings": [', ",\n".join(rows), "]}", ""])
    write_new(Path(path), text.encode("utf-8", "backslashreplace"), overwrite=True)


def load(path: str) -> Counter[Fingerprint]:
    """The findings in a baseline; raises ConfigError with what to do."""
    data = _parse(_read(path), path)
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise ConfigError(f"no baseline of shelfread: {_AGAIN}", path)
    if version != VERSION:
        raise ConfigError(f"a baseline of version {version}, this is for {VERSION}: {_AGAIN}", path)
    rows = data.get("findings")
    if not isinstance(rows, list):
        raise ConfigError(f"a baseline without 'findings': {_AGAIN}", path)
    known: Counter[Fingerprint] = Counter()
    for number, row in enumerate(rows, 1):
        known[_finding(row, number, path)] += row["count"]
    return known


def _finding(row: Any, number: int, path: str) -> Fingerprint:
    if isinstance(row, dict) and row.keys() == {*Fingerprint._fields, "count"}:
        texts = [row[field] for field in Fingerprint._fields]
        count = row["count"]
        whole = isinstance(count, int) and not isinstance(count, bool) and 0 < count <= _MOST
        if whole and all(isinstance(text, str) for text in texts):
            return Fingerprint(*texts)
    raise ConfigError(f"the baseline's finding {number} is none: {_AGAIN}", path)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError("there is no such baseline: --write-baseline makes it", path) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {(error.strerror or str(error)).lower()}", path) from None
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"larger than {_MAX_BYTES >> 20} MiB, no baseline: {_AGAIN}", path)
    return data


def _parse(data: bytes, path: str) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(
            f"no baseline, it is not JSON ({error.msg}): {_AGAIN}", path, error.lineno
        ) from None
    except (ValueError, RecursionError):
        raise ConfigError(f"no baseline, it is not JSON: {_AGAIN}", path) from None
