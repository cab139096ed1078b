"""The label that is most similar to a heading, for "did you mean". Linear in the number of labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from shelfread.taxonomy.labels import Label
from shelfread.taxonomy.words import label_key, singular

_MIN_SIMILARITY = 0.8
_MAX_CANDIDATES = 60
_MAX_LENGTH = 80
_PART = 3
"""The letters at the start and end of a label by which it is found if no word is the same."""


class NearLabels:
    """Labels by their words, first and last letters."""

    def __init__(self, labels: Mapping[str, Label]) -> None:
        self._labels = labels

    def suggest(self, heading: str) -> Label | None:
        """Return the label that is most similar to a heading, None if none is similar enough."""
        from difflib import SequenceMatcher

        key = label_key(heading)
        if not key or len(key) > _MAX_LENGTH:
            return None
        shares: dict[str, int] = {}
        for part in _parts(key):
            for name in self._index.get(part, ()):
                shares[name] = shares.get(name, 0) + 1
        fitting = (name for name in shares if _may_be_similar(len(name), len(key)))
        candidates = sorted(fitting, key=lambda name: (-shares[name], abs(len(name) - len(key)), name))
        best, similarity = None, _MIN_SIMILARITY
        matcher = SequenceMatcher(None, "", key)
        for name in candidates[:_MAX_CANDIDATES]:
            matcher.set_seq1(name)
            if matcher.real_quick_ratio() >= similarity and matcher.quick_ratio() >= similarity:
                ratio = matcher.ratio()
                if ratio > similarity or (ratio == similarity and best is None):
                    best, similarity = name, ratio
        return self._labels[best] if best else None

    @cached_property
    def _index(self) -> Mapping[str, list[str]]:
        index: dict[str, list[str]] = {}
        for name in self._labels:
            for part in _parts(name):
                index.setdefault(part, []).append(name)
        return index


def _parts(key: str) -> Iterable[str]:
    joined = key.replace(" ", "")
    words = {singular(word) for word in key.split() if len(word) > 1}
    return words | {f"^{joined[:_PART]}", f"{joined[-_PART:]}$"}


def _may_be_similar(one: int, other: int) -> bool:
    return 2 * min(one, other) >= _MIN_SIMILARITY * (one + other)
