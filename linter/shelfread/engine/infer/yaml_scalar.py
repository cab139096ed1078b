"""Values as YAML writes them, for files that are written with their comments."""

from __future__ import annotations

from collections.abc import Iterable

import yaml


def scalar(value: str) -> str:
    """A text on one line, quoted where it has to be."""
    written: str = yaml.safe_dump([value], default_flow_style=True, allow_unicode=True, width=1 << 20)
    return written.strip()[1:-1]


def row(values: Iterable[str]) -> str:
    """`[a, b]`."""
    return f"[{', '.join(map(scalar, values))}]"
