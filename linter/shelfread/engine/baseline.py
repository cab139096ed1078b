"""The baseline: a JSON file of known findings, one per line and without line numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shelfread.core.errors import ConfigError, reason_of
from shelfread.core.file_writing import write_new
from shelfread.core.patterns import lazy
from shelfread.engine.fingerprint import Fingerprint

VERSION = 1
_MAX_BYTES = 64 << 20
_MAX_COUNT = 1_000_000_000
_START = lazy(r"\s*\{\s*\"version\":\s*\d+,\s*\"findings\":\s*\[")
_AGAIN = "create it again with --write-baseline"


def write(path: str, known: Mapping[Fingerprint, int]) -> None:
    """Write a baseline, sorted so that its diffs are small; its folder is made if needed."""
    rows = [
        json.dumps({**fingerprint._asdict(), "count": count}, ensure_ascii=False)
        for fingerprint, count in sorted(known.items())
        if count > 0
    ]
    text = "\n".join([f'{{"version": {VERSION}, "findings": [', ",\n".join(rows), "]}", ""])
    write_new(Path(path), text.encode("utf-8", "backslashreplace"), overwrite=True, make_folder=True)


def is_baseline(text: str) -> bool:
    """Return whether a text is a baseline, of any version, and perhaps not valid any more."""
    if _START.match(text):
        return True
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(data, dict) and data.keys() == {"version", "findings"}


def load(path: str) -> Counter[Fingerprint]:
    """Return the findings in a baseline with their counts; raises ConfigError if it is not one."""
    data = _parse(_read(path), path)
    version = data.get("version") if isinstance(data, dict) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise ConfigError(f"not a baseline of shelfread: {_AGAIN}", path)
    if version != VERSION:
        raise ConfigError(f"baseline of version {version}, but version {VERSION} is needed: {_AGAIN}", path)
    rows = data.get("findings")
    if not isinstance(rows, list):
        raise ConfigError(f"baseline without 'findings': {_AGAIN}", path)
    known: Counter[Fingerprint] = Counter()
    for number, row in enumerate(rows, 1):
        known[_fingerprint(row, number, path)] += row["count"]
    return known


def _fingerprint(row: Any, number: int, path: str) -> Fingerprint:
    if isinstance(row, dict) and row.keys() == {*Fingerprint._fields, "count"}:
        texts = [row[field] for field in Fingerprint._fields]
        count = row["count"]
        is_count = isinstance(count, int) and not isinstance(count, bool) and 0 < count <= _MAX_COUNT
        if is_count and all(isinstance(text, str) for text in texts):
            return Fingerprint(*texts)
    raise ConfigError(f"finding {number} of the baseline is not valid: {_AGAIN}", path)


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError("no such baseline: create it with --write-baseline", path) from None
    except OSError as error:
        raise ConfigError(f"cannot be read: {reason_of(error)}", path) from None
    if len(data) > _MAX_BYTES:
        raise ConfigError(f"larger than {_MAX_BYTES >> 20} MiB, not a baseline: {_AGAIN}", path)
    return data


def _parse(data: bytes, path: str) -> Any:
    try:
        return json.loads(data.decode("utf-8"))
    except json.JSONDecodeError as error:
        raise ConfigError(f"not valid JSON ({error.msg}): {_AGAIN}", path, error.lineno) from None
    except (ValueError, RecursionError):
        raise ConfigError(f"not valid JSON: {_AGAIN}", path) from None
