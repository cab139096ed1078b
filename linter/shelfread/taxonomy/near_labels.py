"""The label most similar to a heading, for "did you mean": of some hundreds for each word, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from shelfread.taxonomy.concept import (
    MAX_CANDIDATES,
    MAX_LENGTH,
    MAX_OF_PART,
    MAX_PARTS,
    MIN_NEAR,
    MIN_SIMILARITY,
    MIN_WORD,
    PART_LETTERS,
    Label,
    Labels,
)
from shelfread.taxonomy.label_forms import is_misspelt, label_key, singular, stem


class NearIndex(NamedTuple):
    """Different labels as keys, their indexes, and the positions of keys by words, first and last letters."""

    keys: Sequence[str]
    numbers: Sequence[int]
    by_part: Mapping[str, Sequence[int]]


def near_index(labels: Iterable[Label]) -> NearIndex:
    keys: dict[str, int] = {}
    by_part: dict[str, list[int]] = {}
    for number, label in enumerate(labels):
        key = label_key(label.text)
        if keys.setdefault(key, number) == number:
            for part in _parts(key):
                by_part.setdefault(part, []).append(len(keys) - 1)
    return NearIndex([*keys], [*keys.values()], by_part)


class NearLabels:
    def __init__(self, labels: Labels, index: NearIndex) -> None:
        self._labels, self._index = labels, index
        self._sets: dict[str, frozenset[int]] = {}

    def suggest(self, heading: str) -> Label | None:
        """Return the label that is most similar to a heading, None if none is similar enough."""
        key = label_key(heading)
        if not key or len(key) > MAX_LENGTH:
            return None
        for index in self._candidates(key):
            if all(_similarity(*rest) >= MIN_SIMILARITY for rest in _rest(self._index.keys[index], key)):
                return self._labels[self._index.numbers[index]]
        return None

    def nearest(self, heading: str, count: int, languages: Collection[str]) -> list[Label]:
        """Return labels in some languages of up to `count` concepts that share words or letters with a heading, the nearest first."""
        key = label_key(heading)
        if not key or len(key) > MAX_LENGTH:
            return []
        keys = self._index.keys
        shares = Counter(
            index
            for part in _parts(key)
            for index in self._with_part(part)
            if self._labels[self._index.numbers[index]].language in languages
        )
        ranked = sorted(shares, key=lambda each: (-shares[each], abs(len(keys[each]) - len(key)), keys[each]))
        ratios = {index: _similarity(key, keys[index]) for index in ranked[: MAX_CANDIDATES * count]}
        best: dict[str, Label] = {}
        for index in sorted(
            (each for each in ratios if ratios[each] >= MIN_NEAR), key=lambda each: -ratios[each]
        ):
            label = self._labels[self._index.numbers[index]]
            best.setdefault(label.concept, label)
        return list(best.values())[:count]

    def concepts_with(self, words: Sequence[str]) -> set[str]:
        """Return the concepts with a label that has all of these words."""
        shared = set[int].intersection(*(set(self._with_part(word)) for word in words)) if words else ()
        return {self._labels[self._index.numbers[index]].concept for index in shared}

    def likely_word(self, word: str) -> str | None:
        """Return the word of labels that a word is misspelt from; None if it is one of them, or like none."""
        key = label_key(word)
        if len(key) < MIN_WORD or not key.isalpha() or singular(key) in self._index.by_part:
            return None
        from shelfread.core.wording import is_slip

        own = singular(key)
        lengths = range(len(own) - 1, len(own) + 2)
        others = (other for length in lengths for other in self._words.get((own[:PART_LETTERS], length), ()))
        near = sorted(other for other in others if is_slip(own, other))
        if any(stem(own) == stem(other) and not is_misspelt(own, other) for other in near):
            return None  # a form of a word
        is_long = len(stem(own)) >= MIN_WORD  # `Scales` is no `Scala`, `Planting` no `Planning`
        likely = next((other for other in near if is_long or stem(own) == stem(other)), None)
        if likely is None:
            return None
        likely += key[len(own) :] if key.startswith(own) else ""
        start = word.casefold().find(key)
        right = likely.capitalize() if word[start : start + 1].isupper() else likely
        return None if start < 0 else word[:start] + right + word[start + len(key) :]

    @cached_property
    def _words(self) -> Mapping[tuple[str, int], Sequence[str]]:
        """The words of labels, by their first letters and their number of letters."""
        words: dict[tuple[str, int], list[str]] = {}
        for part in self._index.by_part:
            if len(part) >= MIN_WORD - 1 and part[0] != "^" and part[-1] != "$":
                words.setdefault((part[:PART_LETTERS], len(part)), []).append(part)
        return words

    def _candidates(self, key: str) -> list[int]:
        """Return the positions of the keys that may be similar enough to one, those of most of its letters first."""
        words = key.count(" ") + 1
        # A slip of the pen leaves most words as they are. Of two words it leaves the start or the end, of one the start:
        # many words end in the same way.
        parts = _words(key) if words > 2 else _parts(key)
        parts = {part for part in parts if words == 2 or not part.endswith("$")}
        sets = sorted((found for part in parts if (found := self._with_part(part))), key=len)
        same = 1 if words == 1 else 2 if words < 4 else 3
        shared: set[int] = set()
        for first, *others in combinations(sets[:MAX_PARTS], same):
            shared |= first.intersection(*others)
        keys = self._index.keys
        shares = ((_similarity(key, keys[index]), index) for index in shared)
        ranked = [
            (-share, abs(len(keys[index]) - len(key)), keys[index], index)
            for share, index in shares
            if share >= MIN_SIMILARITY
        ]
        return [index for *_, index in sorted(ranked)[:MAX_CANDIDATES]]

    def _with_part(self, part: str) -> frozenset[int]:
        if part not in self._sets:
            self._sets[part] = frozenset(self._index.by_part.get(part, ())[:MAX_OF_PART])
        return self._sets[part]


def _similarity(one: str, other: str) -> float:
    from rapidfuzz.distance.Indel import normalized_similarity

    return normalized_similarity(one, other)


def _rest(one: str, other: str) -> list[tuple[str, str]]:
    """Return what two labels have besides the words of both, if both have: `Power` and `Password` Management."""
    own, others = one.split(), other.split()
    rest = [word for word in own if word not in others], [word for word in others if word not in own]
    return [(" ".join(rest[0]), " ".join(rest[1]))] if all(rest) else []


def _parts(key: str) -> set[str]:
    joined = key.replace(" ", "")
    return _words(key) | {f"^{joined[:PART_LETTERS]}", f"{joined[-PART_LETTERS:]}$"}


def _words(key: str) -> set[str]:
    return {singular(word) for word in key.split() if len(word) > 1}
