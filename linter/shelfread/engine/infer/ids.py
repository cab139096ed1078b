"""Ids for labels, as a taxonomy has them: lower-case letters, digits and hyphens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unicodedata import normalize

from shelfread.core.support.regex import lazy
from shelfread.engine.infer.yaml_scalar import scalar

_NOT_ID = lazy(r"[^a-z0-9]+")
_LONGEST = 60


def make_ids(labels: Mapping[str, str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return an id for each label, by the same keys: its words, and a number if that is taken."""
    used = set(taken)
    next_number: dict[str, int] = {}
    ids: dict[str, str] = {}
    for key, label in labels.items():
        stem = id = _stem(label)
        number = next_number.get(stem, 2)
        while id in used:
            id, number = f"{stem}-{number}", number + 1
        next_number[stem] = number
        used.add(id)
        ids[key] = scalar(id)
    return ids


def _stem(label: str) -> str:
    plain = normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    words = _NOT_ID.sub("-", plain).strip("-")
    if len(words) > _LONGEST:
        words = words[: _LONGEST + 1].rpartition("-")[0] or words[:_LONGEST]
    return words or "subject"
