"""Two texts word by word: what went, what came, and as much of the rest as tells where."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from shelfread.core.support.regex import lazy

_TOKEN = lazy(r"\w+|\s+|[^\w\s]")
_MOST_TOKENS = 600
_LEAST_SAME = 0.4
"""The part of the letters that must be the same, or two texts are better read one after the other."""
_BESIDE = 30
"""So many letters of what is the same are shown on either side of what is not."""
_WORTH = 30
"""To leave out less than so many letters is not worth it."""


class Stretch(NamedTuple):
    """A stretch of two texts: what went and what came, or what both have."""

    gone: str
    come: str
    same: str = ""


def changed_words(before: str, after: str, ellipsis: str) -> list[Stretch] | None:
    """Two texts as stretches; None where they have too little in common, or are too long."""
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    if not old or not new or max(len(old), len(new)) > _MOST_TOKENS:
        return None
    from rapidfuzz.distance import Levenshtein

    found: list[Stretch] = []
    same = 0
    for step in Levenshtein.opcodes(old, new):
        gone = "".join(old[step.src_start : step.src_end])
        come = "".join(new[step.dest_start : step.dest_end])
        if step.tag == "equal":
            same += len(gone)
            found.append(Stretch("", "", gone))
        else:
            found.append(Stretch(gone, come))
    if same < _LEAST_SAME * max(len(before), len(after)):
        return None
    joined = list(_joined(found))
    last = len(joined) - 1
    return [_shortened(one, at == 0, at == last, ellipsis) for at, one in enumerate(joined)]


def _joined(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Neighbouring changes as one, over blanks between them too."""
    waiting: list[Stretch] = []
    for one in stretches:
        if one.same.strip() or (one.same and not waiting):
            yield from _together(waiting)
            waiting = []
            yield one
        else:
            waiting.append(one)
    yield from _together(waiting)


def _together(waiting: list[Stretch]) -> Iterator[Stretch]:
    blanks = waiting.pop() if waiting and waiting[-1].same else None
    if waiting:
        yield Stretch(*("".join(one[side] + one.same for one in waiting) for side in (0, 1)))
    if blanks:
        yield blanks


def _shortened(one: Stretch, first: bool, last: bool, ellipsis: str) -> Stretch:
    """What is the same cut, between words, to what is beside a change."""
    text = one.same
    if len(text) <= _BESIDE * (2 - first - last) + _WORTH:
        return one
    head = "" if first else text[: text.rfind(" ", 0, _BESIDE) + 1 or _BESIDE]
    at = text.find(" ", len(text) - _BESIDE)
    tail = "" if last else text[at if at >= 0 else len(text) - _BESIDE :]
    return Stretch("", "", f"{head}{ellipsis}{tail}")
