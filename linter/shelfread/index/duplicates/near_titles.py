"""Titles that differ only by a typo or a name, found by how they begin and end, in linear time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from shelfread.core.wording import is_slip

_MIN_WORDS = 5
_MAX_LENGTH = 400
_AFFIX = 20
"""A title with one typo keeps its first or its last so many characters."""
_MAX_BLOCK = 12
"""At most so many titles may begin or end in the same way."""
_MIN_LETTERS = 5
"""Shorter words may not have a typo."""
STOP_WORDS = frozenset("a an and the of for in on to with via by using from at as its is are or".split())
_ENDINGS = frozenset(["", "s", "es", "e", "ed", "d", "ing", "er", "r", "or", "ion", "y", "ies"])


def near_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the folded titles that are nearly equal to others, each with the first of its group.

    `titles` are in order, each with the name at its start (`name` of `name a study of jobs`) or "".
    """
    near: dict[str, str] = {}
    cores: dict[str, str] = {}
    for title, name in titles.items():
        core = title[len(name) + 1 :] if name and title.startswith(f"{name} ") else title
        if core.count(" ") + 1 >= _MIN_WORDS:
            first = cores.setdefault(core, title)
            if first != title:
                near[title] = near[first] = first
    for title, other in _candidates(titles):
        first = near.get(title, title)
        if near.get(other) != first and is_near(title, other):
            near[title] = near[other] = first
    return near


def _candidates(titles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield pairs of titles that begin or end in the same way; too many of a kind are about one subject, and left out."""
    blocks: dict[str, list[str]] = {}
    for title in titles:
        if _AFFIX + 8 < len(title) < _MAX_LENGTH:
            blocks.setdefault(title[:_AFFIX], []).append(title)
            blocks.setdefault(f"-{title[-_AFFIX:]}", []).append(title)
    for block in blocks.values():
        if not 1 < len(block) <= _MAX_BLOCK:
            continue
        words = [set(title.split()) - STOP_WORDS for title in block]
        for first, second in combinations(range(len(block)), 2):
            removed = words[first] - words[second]
            if len(removed) <= 1 and len(removed) == len(words[second] - words[first]):
                yield block[first], block[second]


def is_near(title: str, other: str) -> bool:
    """Return whether two folded titles differ only in one long word, by a typo or its ending.

    Numbers and short words must be equal: GPT-3 and GPT-4, LM and LLM are different things.
    """
    first, second = title.split(), other.split()
    differing = [pair for pair in zip(first, second, strict=False) if pair[0] != pair[1]]
    return len(first) == len(second) >= _MIN_WORDS and len(differing) == 1 and _is_same_word(*differing[0])


def _is_inflected(word: str, other: str) -> bool:
    """Return whether two words have the same stem and different endings."""
    pairs = enumerate(zip(word, other, strict=False))
    stem = next((index for index, (a, b) in pairs if a != b), min(len(word), len(other)))
    return stem >= 4 and word[stem:] in _ENDINGS and other[stem:] in _ENDINGS


def _is_same_word(word: str, other: str) -> bool:
    """Return whether two long words differ only in the ending, or in one letter that is not the first."""
    if min(len(word), len(other)) < _MIN_LETTERS or word[0] != other[0]:
        return False
    return word.isalpha() and other.isalpha() and (_is_inflected(word, other) or is_slip(word, other))
