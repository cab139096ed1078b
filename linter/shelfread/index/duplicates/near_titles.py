"""Titles that are one but for a slip or a name: found by how they begin and end, in linear time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from shelfread.core.support.edit_distance import is_slip

_LEAST_WORDS = 5
_LONGEST = 400
_AFFIX = 20
"""Of one slip, the title's first so many letters or its last are free."""
_BLOCK = 12
"""So many titles may begin or end alike."""
_CHANGED = 2
"""So many words may be others, but for little ones."""
_LONG = 5
"""Words of so many letters are one in spite of a slip."""
LITTLE = frozenset("a an and the of for in on to with via by using from at as its is are or".split())
_ENDINGS = frozenset(["", "s", "es", "e", "ed", "d", "ing", "er", "r", "or", "ion", "y", "ies"])


def near_titles(titles: Mapping[str, str]) -> dict[str, str]:
    """Folded titles that are nearly those of others, each with the first of its kind.

    They come, in order, with the names that they begin with (`name` of `name a study of jobs`).
    """
    near: dict[str, str] = {}
    cores: dict[str, str] = {}
    for title, name in titles.items():
        core = title[len(name) + 1 :] if name and title.startswith(f"{name} ") else title
        if core.count(" ") + 1 >= _LEAST_WORDS:
            first = cores.setdefault(core, title)
            if first != title and not _is_next(name, titles[first]):
                near[title] = near[first] = first
    for one, other in _candidates(titles):
        first = near.get(one, one)
        if near.get(other) != first and is_near(one, other):
            near[one] = first
            near[other] = first
    return near


def _is_next(one: str, other: str) -> bool:
    """Whether one name is the other's next version: `X` and `X++`, `X` and `X2`."""
    return bool(one and other) and (one.startswith(other) or other.startswith(one))


def _candidates(titles: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of titles that begin or end alike; where too many do, it is a subject and they are given up."""
    blocks: dict[str, list[str]] = {}
    for title in titles:
        if _AFFIX + 8 < len(title) < _LONGEST:
            blocks.setdefault(title[:_AFFIX], []).append(title)
            blocks.setdefault(f"-{title[-_AFFIX:]}", []).append(title)
    for block in blocks.values():
        if not 1 < len(block) <= _BLOCK:
            continue
        words = [set(title.split()) - LITTLE for title in block]
        for one, other in combinations(range(len(block)), 2):
            gone = words[one] - words[other]
            if len(gone) <= _CHANGED and len(gone) == len(words[other] - words[one]):
                yield block[one], block[other]


def is_near(one: str, other: str) -> bool:
    """Whether two folded titles are one but for little words and a slip or ending in a long one.

    Numbers and short words tell things apart: GPT-3 and GPT-4, LM and LLM.
    """
    first, second = one.split(), other.split()
    if any(len(word) < _LONG for word in set(first).symmetric_difference(second) - LITTLE):
        return False
    from rapidfuzz.distance import Levenshtein

    changed = 0
    for step in Levenshtein.opcodes(first, second):
        if step.tag == "equal":
            continue
        gone = [word for word in first[step.src_start : step.src_end] if word not in LITTLE]
        come = [word for word in second[step.dest_start : step.dest_end] if word not in LITTLE]
        if len(gone) != len(come) or not all(map(_is_same_word, gone, come)):
            return False
        changed += len(gone)
    return changed <= _CHANGED and max(len(first), len(second)) - changed >= _LEAST_WORDS - 1


def is_typo(one: str, other: str) -> bool:
    """Whether two folded titles differ in one word alone, and there in one letter that is no ending."""
    words = [(a, b) for a, b in zip(one.split(), other.split(), strict=False) if a != b]
    if len(words) != 1 or one.count(" ") != other.count(" "):
        return False
    return _is_same_word(*words[0]) and not _is_inflected(*words[0])


def _is_inflected(one: str, other: str) -> bool:
    """Whether two words have one stem and other endings."""
    stem = next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return stem >= 4 and one[stem:] in _ENDINGS and other[stem:] in _ENDINGS


def _is_same_word(one: str, other: str) -> bool:
    """Whether two long words are one: another ending, or one letter that is not the first."""
    if one == other:
        return True
    if min(len(one), len(other)) < _LONG or one[0] != other[0] or not (one.isalpha() and other.isalpha()):
        return False
    return _is_inflected(one, other) or is_slip(one, other)
