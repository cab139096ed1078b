"""Brackets of a passage, held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from shelfread.checks.common.prose import within
from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Text

_OPENING = "([{（［｛【《「『〈〔〖"
_CLOSING = ")]}）］｝】》」』〉〕〗"
_HALF = 3
"""So many kinds have a full-width form, which comes next."""
_KIND = {
    mark: at % _HALF if at < 2 * _HALF else at for all in (_OPENING, _CLOSING) for at, mark in enumerate(all)
}
PARTNER = {**dict(zip(_OPENING, _CLOSING, strict=True)), **dict(zip(_CLOSING, _OPENING, strict=True))}
FULL = frozenset((_OPENING + _CLOSING)[_HALF : len(_OPENING)] + _CLOSING[_HALF:])
"""Brackets of CJK scripts."""

_PAIRS = tuple(zip(_OPENING, _CLOSING, strict=True))
_WIDE = _PAIRS[_HALF:]
_CODES = bytes((*range(1, 9), *range(14, 32)))[: 2 * len(_WIDE)]
"""Codes that no text has stand for full-width brackets, which are no single bytes."""
_WIDE_BEGINS = frozenset(sign.encode()[:2] for pair in _WIDE for sign in pair)
_OTHERS = bytes(set(range(256)) - set(b'()[]{}"\n') - set(_CODES))
_MARK = lazy(r"[(\[{（［｛【《「『〈〔〖)\]}）］｝】》」』〉〕〗]")
# `1)`, `a)`, `iv)`, and the mouths of faces.
_NUMBER = lazy(
    r"(?:^|[^\w-])(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.]?[)）]$|[\u3400-\u9fff，。；：、]\d{1,2}[)）]$"
)
_FACE = lazy(r"(?:^|[^\w])?[:;=8xX][-~'o^]?[()\[\]]$|[-^_;T][)）]$|<[(]$")
_INTERVAL = lazy(r"(?:\[[-+\w.∞ ]{1,12},[-+\w.∞ ]{1,12}\)|\([-+\w.∞ ]{1,12},[-+\w.∞ ]{1,12}\])")
_CONTEXT = 6


class Mark(NamedTuple):
    """A bracket and where it is written, its escape included."""

    start: int
    end: int
    sign: str


class Unpaired(NamedTuple):
    """Brackets that do not pair: one alone, or two that do not go together."""

    opening: Mark | None
    closing: Mark | None


def lines_that_differ(source: Source) -> list[int]:
    """The lines, from 0, with other numbers of opening and closing brackets, or an odd one of straight quotes.

    Asked of every line of every list: what is no such mark is dropped from the whole text at once, and of
    what is left there are few kinds.
    """
    text = source.text if "\r" not in source.text else "\n".join(source.lines)
    pairs = list(zip("([{", ")]}", strict=True))
    data = text.encode("utf-8", "replace")
    if any(begin in data for begin in _WIDE_BEGINS):
        codes = _CODES.decode("ascii")
        pairs += zip(codes[::2], codes[1::2], strict=True)
        for (one, other), (opening, closing) in zip(_WIDE, pairs[_HALF:], strict=True):
            text = text.replace(one, opening).replace(other, closing)
        data = text.encode("utf-8", "replace")
    lines = data.translate(None, _OTHERS).split(b"\n")
    wrong = {
        line for line in set(lines) if line.count(b'"') % 2 or _counts_differ(line.decode("ascii"), pairs)
    }
    return [number for number, line in enumerate(lines) if line in wrong] if wrong else []


def differs(text: str) -> bool:
    """Whether a text has not as many closing brackets as opening ones."""
    return _counts_differ(text, _PAIRS)


def _counts_differ(text: str, pairs: Sequence[tuple[str, str]]) -> bool:
    return any(text.count(one) != text.count(other) for one, other in pairs)


def find_unpaired(nodes: Iterable[Text], text: str, opaque: Sequence[Span]) -> list[Unpaired]:
    """The brackets of some pieces of text that do not pair; numbers, faces and intervals may stand alone."""
    marks = [
        Mark(node.start + match.start(), node.start + match.end(), match[0])
        if node.end - node.start == len(node.value)
        else Mark(node.start, node.end, match[0])
        for node in nodes
        for match in _MARK.finditer(node.value)
    ]
    marks = [mark for mark in marks if not within(opaque, mark.start)]  # formulas stand within text
    found = _held(marks)
    if found:
        excused = _excused(marks, text)
        if excused:
            found = min(found, _held([mark for mark in marks if mark.start not in excused]), key=len)
    return found


def _held(marks: Sequence[Mark]) -> list[Unpaired]:
    """Each closing bracket against the last one of its kind that is open."""
    open_marks: list[Mark] = []
    counts: Counter[int] = Counter()
    alone: list[Unpaired] = []
    for mark in marks:
        kind = _KIND[mark.sign]
        if mark.sign in _OPENING:
            open_marks.append(mark)
            counts[kind] += 1
        elif not counts[kind]:
            alone.append(Unpaired(None, mark))
        else:
            while True:
                last = open_marks.pop()
                counts[_KIND[last.sign]] -= 1
                if _KIND[last.sign] == kind:
                    break
                alone.append(Unpaired(last, None))
            if PARTNER[last.sign] != mark.sign:
                alone.append(Unpaired(last, mark))
    alone += [Unpaired(mark, None) for mark in open_marks]
    alone.sort(key=lambda one: (one.closing or one.opening or marks[0]).start)
    if len(alone) == 2 and alone[0].opening and not alone[0].closing and not alone[1].opening:
        return [Unpaired(alone[0].opening, alone[1].closing)]
    return alone


def _excused(marks: Sequence[Mark], text: str) -> set[int]:
    """Where brackets stand that pair with none."""
    found: set[int] = set()
    for mark in marks:
        before = text[max(0, mark.start - _CONTEXT) : mark.start] + mark.sign
        if _FACE.search(before) or (mark.sign in ")）" and _NUMBER.search(before)):
            found.add(mark.start)
    for match in _INTERVAL.finditer(text, marks[0].start, marks[-1].end):
        found |= {match.start(), match.end() - 1}
    return found


def same_kind(one: Mark, other: Mark) -> bool:
    """Whether two brackets differ in width alone."""
    return _KIND[one.sign] == _KIND[other.sign]


def is_cut_off(text: str, start: int, end: int) -> bool:
    """Whether a text breaks off behind an offset, and what was opened with it."""
    rest = text[start:end]
    return ".." in rest or "…" in rest
