"""The labels that are most similar to a heading, for "did you mean". Linear in the number of labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from shelfread.taxonomy.labels import Label, Labels
from shelfread.taxonomy.words import label_key, singular

_MIN_SIMILARITY = 0.8
"""A label this similar to a heading may be meant."""
_MIN_NEAR = 0.55
"""A label this similar is worth a look."""
_MAX_CANDIDATES = 10
_MAX_OF_PART = 400
"""The most labels that are compared because of one word."""
_MAX_LENGTH = 80
_PART = 3
"""The letters at the start and end of a label by which it is found if no word is the same."""


def near_index(labels: Labels) -> dict[str, list[tuple[str, int]]]:
    """Return labels, as keys and indexes, by their words, first and last letters."""
    index: dict[str, list[tuple[str, int]]] = {}
    seen: set[str] = set()
    for number, label in enumerate(labels):
        key = label_key(label.text)
        if key not in seen:
            seen.add(key)
            candidate = key, number  # one object for all parts, which is written once
            for part in _parts(key):
                index.setdefault(part, []).append(candidate)
    return index


class NearLabels(NamedTuple):
    """Labels, and what `near_index` returned for them."""

    labels: Labels
    by_part: Mapping[str, Sequence[tuple[str, int]]]

    def suggest(self, heading: str) -> Label | None:
        """Return the label that is most similar to a heading, None if none is similar enough."""
        found = self.nearest(heading, 1, _MIN_SIMILARITY)
        return found[0] if found else None

    def nearest(self, heading: str, count: int, similarity: float = _MIN_NEAR) -> list[Label]:
        """Return labels of up to `count` concepts, the most similar ones first."""
        from difflib import SequenceMatcher

        key = label_key(heading)
        if not key or len(key) > _MAX_LENGTH:
            return []
        shares: dict[tuple[str, int], int] = {}
        for part in _parts(key):
            for candidate in self.by_part.get(part, ())[:_MAX_OF_PART]:
                shares[candidate] = shares.get(candidate, 0) + 1
        # A slip of the pen leaves most words, or the start or the end, as they are.
        least = 2 if " " in key and similarity >= _MIN_SIMILARITY else 1
        fitting = (
            each
            for each, shared in shares.items()
            if shared >= least and _may_be_similar(len(each[0]), len(key), similarity)
        )
        ranked = sorted(fitting, key=lambda each: (-shares[each], abs(len(each[0]) - len(key)), each))
        ratios: dict[int, float] = {}
        matcher = SequenceMatcher(None, "", key)
        for name, number in ranked[: _MAX_CANDIDATES * count]:
            matcher.set_seq1(name)
            if matcher.real_quick_ratio() >= similarity and matcher.quick_ratio() >= similarity:
                ratio = matcher.ratio()
                if ratio >= similarity:
                    ratios[number] = ratio
        best: dict[str, Label] = {}
        for number in sorted(ratios, key=lambda number: -ratios[number]):
            label = self.labels[number]
            best.setdefault(label.concept, label)
        return list(best.values())[:count]


def _parts(key: str) -> Iterable[str]:
    joined = key.replace(" ", "")
    words = {singular(word) for word in key.split() if len(word) > 1}
    return words | {f"^{joined[:_PART]}", f"{joined[-_PART:]}$"}


def _may_be_similar(one: int, other: int, similarity: float) -> bool:
    return 2 * min(one, other) >= similarity * (one + other)
