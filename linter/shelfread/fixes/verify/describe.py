"""What is different, in the words of the user: the gravest thing first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from shelfread.fixes.verify.edit_scope import NEWLINE
from shelfread.fixes.verify.tokens import GLUED, NESTED, PROSE, Key, Token

_GRAVEST = ("url", "bare", "word", "raw", "text", "code", "tag", "link", "block", "list", "mark")
_NAMES = {"url": "the address", "bare": "the address", "code": "the code", "tag": "the HTML"}
_LONGEST = 60


def compare(old: Sequence[Token], new: Sequence[Token], text: str) -> str | None:
    """The gravest difference between what should be the same; `text` is the one before."""
    was = [lexeme[:2] for lexeme in old]
    now = [lexeme[:2] for lexeme in new]
    if was == now:
        for one, other in zip(old, new, strict=True):
            if other.joined and not one.joined:
                return f"it would join {_name(one[:2])} to the word before it{_line(one, text)}"
        return None
    delta = Counter(now)
    delta.subtract(was)
    pairs = enumerate(zip(was, now, strict=False))
    at = next((i for i, (one, other) in pairs if one != other), min(len(was), len(now)))
    if not any(delta.values()):
        return f"it would put {_name(was[at])} elsewhere{_line(old[at], text)}"
    gone = [i for i in range(at, len(was)) if delta[was[i]] < 0]
    at = min(gone, key=lambda i: _gravity(was[i]), default=at)
    place = old[at] if at < len(old) else old[-1] if old else None
    return harm(delta) + _line(place, text)


def harm(delta: Mapping[Key, int]) -> str:
    """The gravest of what came (positive) and went (negative)."""
    gone = min((key for key in delta if delta[key] < 0), key=_gravity, default=None)
    come = min((key for key in delta if delta[key] > 0), key=_gravity, default=None)
    if gone and come and gone[0] == come[0]:
        if gone[0] in PROSE and gone[1] == GLUED + come[1]:
            return f"it would part {_name(gone)} from the word before it"
        if gone[0] in PROSE and come[1] == GLUED + gone[1]:
            return f"it would join {_name(gone)} to the word before it"
        if _name(gone) == _name(come):
            return f"it would change the nesting of {_name(gone)}"
        return f"it would turn {_name(gone)} into {_name(come)}"
    if come and (not gone or _gravity(come) < _gravity(gone)):
        return f"it would add {_name(come)}"
    return f"it would lose {_name(gone)}" if gone else "it would change nothing"


def _gravity(key: Key) -> int:
    return _GRAVEST.index(key[0])


def _name(key: Key) -> str:
    """A lexeme as the user would call it."""
    kind, value = key
    if kind in ("block", "list", "link", "mark"):
        return value.split(NESTED)[0]
    shown = value.removeprefix(GLUED)
    if len(shown) > _LONGEST:
        shown = shown[: _LONGEST - 3] + "..."
    return f'{_NAMES.get(kind, "the word")} "{shown}"'


def _line(lexeme: Token | None, text: str) -> str:
    return f" (line {len(NEWLINE.findall(text, 0, lexeme.start if lexeme else 0)) + 1})"
