"""The nearest of the known names, for those who mistyped one."""

from __future__ import annotations

from collections.abc import Iterable


def guess(name: str, known: Iterable[str]) -> str:
    """`, did you mean 'x'?`, or nothing when no known name is near."""
    import difflib

    near = difflib.get_close_matches(name, list(known), n=1)
    return f", did you mean '{near[0]}'?" if near else ""
