"""Suggestions for unknown names."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'x'?` with the known name nearest to `name`; empty if none is near."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f", did you mean '{near[0]}'?" if near else ""
