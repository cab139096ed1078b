"""Inputs that once showed a fault, kept as files: the tests examine all of them for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

CASES = Path(__file__).with_name("cases")


class Case(NamedTuple):
    """An input, and the target that it is for; the name says what was wrong."""

    target: str
    name: str
    data: bytes


def read_cases(folder: Path = CASES) -> Iterator[Case]:
    """Yield the kept cases: `<target>/<name>.case`, whose bytes are the input."""
    for path in sorted(folder.glob("*/*.case")):
        yield Case(path.parent.name, path.stem, path.read_bytes())


def keep(target: str, kind: str, data: bytes, folder: Path = CASES) -> Path:
    """Write an input as a case, and return its file."""
    words = re.sub(r"[^a-z0-9]+", "-", kind.lower()).strip("-")[:60]
    path = folder / target / f"{words}-{sha256(data).hexdigest()[:6]}.case"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path
