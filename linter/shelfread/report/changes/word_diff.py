"""Word by word differences of two texts, with as much unchanged text as is needed to find them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy

_TOKEN = lazy(r"\w+|\s+|[^\w\s]")
_MOST_TOKENS = 600
_LEAST_SAME = 0.4
"""The least share of unchanged characters; with less, two texts are easier to read one after the other."""
_CONTEXT = 30
"""The number of unchanged characters that are shown on either side of a change."""
_LEAST_CUT = 30
"""Cuts of fewer characters are not made."""


class Stretch(NamedTuple):
    """A part of two texts: what was removed and inserted, or what both have."""

    gone: str
    come: str
    same: str = ""


def changed_words(before: str, after: str, ellipsis: str) -> list[Stretch] | None:
    """Return the stretches of two texts; None if they have too little in common or are too long."""
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
    return [_shortened(stretch, index == 0, index == last, ellipsis) for index, stretch in enumerate(joined)]


def _joined(stretches: Iterable[Stretch]) -> Iterator[Stretch]:
    """Yield neighbouring changes as one, even if there are spaces between them."""
    waiting: list[Stretch] = []
    for stretch in stretches:
        if stretch.same.strip() or (stretch.same and not waiting):
            yield from _together(waiting)
            waiting = []
            yield stretch
        else:
            waiting.append(stretch)
    yield from _together(waiting)


def _together(waiting: list[Stretch]) -> Iterator[Stretch]:
    spaces = waiting.pop() if waiting and waiting[-1].same else None
    if waiting:
        yield Stretch(*("".join(part[side] + part.same for part in waiting) for side in (0, 1)))
    if spaces:
        yield spaces


def _shortened(stretch: Stretch, first: bool, last: bool, ellipsis: str) -> Stretch:
    """Return unchanged text cut between words to the context of the changes next to it."""
    text = stretch.same
    if len(text) <= _CONTEXT * (2 - first - last) + _LEAST_CUT:
        return stretch
    start = "" if first else text[: text.rfind(" ", 0, _CONTEXT) + 1 or _CONTEXT]
    space = text.find(" ", len(text) - _CONTEXT)
    end = "" if last else text[space if space >= 0 else len(text) - _CONTEXT :]
    return Stretch("", "", f"{start}{ellipsis}{end}")
