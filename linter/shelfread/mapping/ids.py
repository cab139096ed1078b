"""Ids for labels, as a taxonomy has them: lower-case letters of any script, digits and hyphens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from unicodedata import combining, normalize

from shelfread.core.support.regex import lazy
from shelfread.mapping.yaml_scalar import scalar

# The letters of scripts that have no Latin spelling, as the schema of taxonomies has them.
_NOT_ID = lazy(
    r"[^a-z0-9\u03ac-\u03ce\u0430-\u045f\u0561-\u0587\u05d0-\u05ea\u0620-\u064a\u0904-\u0939\u0e01-\u0e30"
    r"\u10d0-\u10fa\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+"
)
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
    letters = normalize("NFKD", label).lower()
    plain = normalize("NFKC", "".join(letter for letter in letters if not combining(letter)))
    words = _NOT_ID.sub("-", plain.replace("\u2019", "").replace("'", "")).strip("-")
    if len(words) > _LONGEST:
        words = words[: _LONGEST + 1].rpartition("-")[0] or words[:_LONGEST]
    return words or "subject"
