"""Suggests the known name that is nearest to a mistyped one."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most similar; None if none is similar enough."""
    import difflib

    return next(iter(difflib.get_close_matches(name, list(known), n=1)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return `, did you mean 'x'?` for the most similar known name, empty if none is similar enough."""
    near = nearest(name, known)
    return f", did you mean '{near}'?" if near else ""
