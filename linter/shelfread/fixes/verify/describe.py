"""Describe in words what is different: the most severe difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from shelfread.fixes.verify.tokens import GLUED, NESTED, PROSE, Token, TokenKey

_BY_SEVERITY = ("url", "bare", "word", "raw", "text", "code", "tag", "link", "block", "list", "mark")
_NAMES = {"url": "the URL", "bare": "the URL", "code": "the code", "tag": "the HTML"}
_MAX_LENGTH = 60


class Difference(NamedTuple):
    """A difference in words, its offset in the old text, and whether all tokens are still there."""

    reason: str
    offset: int
    is_moved: bool = False


def describe_difference(old: Sequence[Token], new: Sequence[Token]) -> Difference | None:
    """Return the most severe difference between tokens that should be equal."""
    old_keys = [token[:2] for token in old]
    new_keys = [token[:2] for token in new]
    if old_keys == new_keys:
        for before, after in zip(old, new, strict=True):
            if after.joined and not before.joined:
                return Difference(f"it would join {_name(before[:2])} to the word before it", before.start)
        return None
    delta = Counter(new_keys)
    delta.subtract(old_keys)
    pairs = enumerate(zip(old_keys, new_keys, strict=False))
    index = next((i for i, (before, after) in pairs if before != after), min(len(old), len(new)))
    if not any(delta.values()):
        return Difference(f"it would move {_name(old_keys[index])}", old[index].start, is_moved=True)
    removed = [i for i in range(index, len(old)) if delta[old_keys[i]] < 0]
    index = min(removed, key=lambda i: _severity(old_keys[i]), default=index)
    token = old[index] if index < len(old) else old[-1] if old else None
    return Difference(describe_damage(delta), token.start if token else 0)


def describe_damage(delta: Mapping[TokenKey, int]) -> str:
    """Return the most severe of the added (positive) and removed (negative) tokens in words."""
    removed = min((key for key in delta if delta[key] < 0), key=_severity, default=None)
    added = min((key for key in delta if delta[key] > 0), key=_severity, default=None)
    if removed and added and removed[0] == added[0]:
        if removed[0] in PROSE and removed[1] == GLUED + added[1]:
            return f"it would separate {_name(removed)} from the word before it"
        if removed[0] in PROSE and added[1] == GLUED + removed[1]:
            return f"it would join {_name(removed)} to the word before it"
        if _name(removed) == _name(added):
            return f"it would change the nesting of {_name(removed)}"
        return f"it would turn {_name(removed)} into {_name(added)}"
    if added and (not removed or _severity(added) < _severity(removed)):
        return f"it would add {_name(added)}"
    return f"it would lose {_name(removed)}" if removed else "it would change nothing"


def _severity(key: TokenKey) -> int:
    return _BY_SEVERITY.index(key[0])


def _name(key: TokenKey) -> str:
    """Return what users call a token."""
    kind, value = key
    if kind in ("block", "list", "link", "mark"):
        return value.split(NESTED)[0]
    shown = value.removeprefix(GLUED)
    if len(shown) > _MAX_LENGTH:
        shown = shown[: _MAX_LENGTH - 3] + "..."
    return f'{_NAMES.get(kind, "the word")} "{shown}"'
