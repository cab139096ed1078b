"""The label that is most similar to a heading, for "did you mean".

The work for a heading does not grow with the number of labels: at most some hundreds are looked at for each word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import NamedTuple

from shelfread.taxonomy.labels import Label, Labels
from shelfread.taxonomy.words import label_key, singular

_MIN_SIMILARITY = 0.8
_MAX_CANDIDATES = 10
_MAX_OF_PART = 400
"""The most labels that are compared because of one word."""
_MAX_LENGTH = 80
_MAX_PARTS = 12
"""The most words of a heading by which labels are looked up: the rarest."""
_PART = 3
"""The letters at the start and end of a label by which it is found if no word is the same."""
_BYTES = 32
"""The size of a signature: eight bits for each letter."""


class NearIndex(NamedTuple):
    """Different labels as keys, their indexes, and the positions of keys by words, first and last letters."""

    keys: Sequence[str]
    numbers: Sequence[int]
    signatures: bytes
    """What letters a key has, and how often, so that most keys are known to differ too much by one operation."""
    by_part: Mapping[str, Sequence[int]]


def near_index(labels: Iterable[Label]) -> NearIndex:
    """Return the index of labels that NearLabels takes."""
    keys: dict[str, int] = {}
    by_part: dict[str, list[int]] = {}
    for number, label in enumerate(labels):
        key = label_key(label.text)
        if keys.setdefault(key, number) == number:
            for part in _parts(key):
                by_part.setdefault(part, []).append(len(keys) - 1)
    signatures = b"".join(_signature(key).to_bytes(_BYTES, "little") for key in keys)
    return NearIndex([*keys], [*keys.values()], signatures, by_part)


class NearLabels:
    """Labels and their index."""

    def __init__(self, labels: Labels, index: NearIndex) -> None:
        self._labels, self._index = labels, index
        self._sets: dict[str, frozenset[int]] = {}

    def suggest(self, heading: str) -> Label | None:
        """Return the label that is most similar to a heading, None if none is similar enough."""
        key = label_key(heading)
        if not key or len(key) > _MAX_LENGTH:
            return None
        best, most = None, _MIN_SIMILARITY
        for index in self._candidates(key):
            similarity = _similarity(key, self._index.keys[index])
            if similarity > most or (similarity == most and best is None):
                best, most = index, similarity
        return None if best is None else self._labels[self._index.numbers[best]]

    def _candidates(self, key: str) -> list[int]:
        """Return the positions of the keys that share most with one, and may be similar enough."""
        found = [found for part in _parts(key) if (found := self._with_part(part))]
        found = sorted(found, key=len)[:_MAX_PARTS]
        # A slip of the pen leaves most words, or the start or the end, as they are: of a word one part is the same, of
        # several words two, and of four or more three, which are three pairs.
        spaces = key.count(" ")
        pairs = (a & b for a, b in combinations(found, 2))
        shares = Counter(chain.from_iterable(pairs if spaces else found))
        fewest = 3 if spaces > 2 else 1
        keys, signatures = self._index.keys, self._index.signatures
        own, length, read = _signature(key), len(key), int.from_bytes
        least = _MIN_SIMILARITY / 2
        ranked = sorted(
            (-count, abs(len(keys[index]) - length), keys[index], index)
            for index, count in shares.items()
            if count >= fewest
            and (own & read(signatures[_BYTES * index : _BYTES * index + _BYTES], "little")).bit_count()
            >= least * (length + len(keys[index]))
        )
        return [index for *_, index in ranked[:_MAX_CANDIDATES]]

    def _with_part(self, part: str) -> frozenset[int]:
        if part not in self._sets:
            self._sets[part] = frozenset(self._index.by_part.get(part, ())[:_MAX_OF_PART])
        return self._sets[part]


def _parts(key: str) -> set[str]:
    joined = key.replace(" ", "")
    words = {singular(word) for word in key.split() if len(word) > 1}
    return words | {f"^{joined[:_PART]}", f"{joined[-_PART:]}$"}


def _similarity(one: str, other: str) -> float:
    """Return twice the length of the longest common subsequence, relative to the length of both texts.

    The bits of `rest` that are unset count the letters of it (H. Hyyrö, Bit-Parallel LCS-length Computation
    Revisited, 2004), some ten times as fast as difflib.
    """
    positions: dict[str, int] = {}
    for index, letter in enumerate(one):
        positions[letter] = positions.get(letter, 0) | 1 << index
    every = (1 << len(one)) - 1
    rest = every
    for letter in other:
        found = rest & positions.get(letter, 0)
        rest = (rest + found | rest - found) & every
    return 2 * (len(one) - rest.bit_count()) / (len(one) + len(other))


def _signature(key: str) -> int:
    """Return a bit for the first, second, to eighth time that a letter occurs; 32 letters are told apart.

    So the bits that two signatures share are no fewer than the letters that two keys share, unless one of them is in
    both more than eight times.
    """
    counts: Counter[int] = Counter(ord(letter) % 32 for letter in key)
    return sum(((1 << min(count, 8)) - 1) << (8 * letter) for letter, count in counts.items())
