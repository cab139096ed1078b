"""YAML values as text, for files that are written with comments."""

from __future__ import annotations

from collections.abc import Iterable

import yaml


def scalar(value: str) -> str:
    """Return a text as a YAML scalar on one line, quoted if necessary."""
    written: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=1 << 20)
    return written.strip()[1:-1]


def sequence(values: Iterable[str]) -> str:
    """Return texts as a YAML sequence on one line: `[a, b]`."""
    return f"[{', '.join(map(scalar, values))}]"
