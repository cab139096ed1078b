"""Brackets and double quotes of a passage that have no partner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.passages import within
from shelfread.markdown.node import Text

_OPENING = "([{（［｛【《「『〈〔〖"
_CLOSING = ")]}）］｝】》」』〉〕〗"
_ASCII = 3  # the first three brackets are ASCII; the next three are their full-width forms
# The same for brackets that differ at most in direction and width.
KIND = {
    sign: index % _ASCII if index < 2 * _ASCII else index
    for signs in (_OPENING, _CLOSING)
    for index, sign in enumerate(signs)
}
PARTNER = {**dict(zip(_OPENING, _CLOSING, strict=True)), **dict(zip(_CLOSING, _OPENING, strict=True))}
FULL_WIDTH = frozenset(_OPENING[_ASCII:] + _CLOSING[_ASCII:])  # brackets of CJK scripts

_PAIRS = tuple(zip(_OPENING, _CLOSING, strict=True))
_BRACKET = lazy(r"[(\[{（［｛【《「『〈〔〖)\]}）］｝】》」』〉〕〗]")
# `1)`, `a)`, `iv)`, and the mouths of emoticons.
_NUMBER = lazy(
    r"(?:^|[^\w-])(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.]?[)）]$|[\u3400-\u9fff，。；：、]\d{1,2}[)）]$"
)
_EMOTICON = lazy(r"(?:^|[^\w])?[:;=8xX][-~'o^]?[()\[\]]$|[-^_;T][)）]$|<[(]$")
_CONTEXT = 6
_CURLY = "“”„"
CURLY = lazy(f"[{_CURLY}]")
_QUOTE = lazy(r"[\"“”„]")


class Bracket(NamedTuple):
    """A bracket and its span, which includes a backslash before it."""

    start: int
    end: int
    sign: str


class Unpaired(NamedTuple):
    """One bracket without a partner, or two of different kinds or widths."""

    opening: Bracket | None
    closing: Bracket | None


def find_uneven_lines(source: Source) -> list[int]:
    """Return the lines, from 0, with unequal numbers of opening and closing brackets, or an odd one of `"`."""
    pairs = [pair for pair in _PAIRS if pair[0] in source.text or pair[1] in source.text]
    uneven = {number for number, line in enumerate(source.lines) if line.count('"') % 2}
    for opening, closing in pairs:
        uneven.update(
            [n for n, line in enumerate(source.lines) if line.count(opening) != line.count(closing)]
        )
    return sorted(uneven)


def uneven_spans(text: str) -> Callable[[int, int], bool]:
    """Return what says whether a span has unequal numbers of opening and closing brackets; what was counted once is not again."""
    counted: dict[int, tuple[int, list[int]]] = {}

    def is_uneven(start: int, end: int) -> bool:
        done, surplus = counted.get(start, (start, [0] * len(_PAIRS)))
        if done > end:
            done, surplus = start, [0] * len(_PAIRS)
        part = text[done:end]
        surplus = [
            more + part.count(pair[0]) - part.count(pair[1])
            for more, pair in zip(surplus, _PAIRS, strict=True)
        ]
        counted[start] = end, surplus
        return any(surplus)

    return is_uneven


def find_unpaired(nodes: Iterable[Text], text: str, opaque: Sequence[Span]) -> list[Unpaired]:
    """Return the unpaired brackets of text nodes; those of numbers, emoticons and intervals may be unpaired."""
    brackets = [
        Bracket(node.start + match.start(), node.start + match.end(), match[0])
        if node.end - node.start == len(node.value)
        else Bracket(node.start, node.end, match[0])
        for node in nodes
        for match in _BRACKET.finditer(node.value)
    ]
    # Formulas are in text nodes.
    brackets = [bracket for bracket in brackets if not within(opaque, bracket.start)]
    found = _pair(brackets)
    if not found or not (exempt := _exempt(brackets, text)):
        return found
    # `1) Oaks (BLT)`: what has a partner is no emoticon. `(oaks :) and elms)`: an emoticon is no partner.
    kept = [pair for pair in found if any(part and part.start not in exempt for part in pair)]
    return min(kept, _pair([bracket for bracket in brackets if bracket.start not in exempt]), key=len)


def _pair(brackets: Sequence[Bracket]) -> list[Unpaired]:
    """Pair each closing bracket with the last open one of its kind and return what stays unpaired."""
    opened: list[Bracket] = []
    counts: Counter[int] = Counter()
    unpaired: list[Unpaired] = []
    for bracket in brackets:
        kind = KIND[bracket.sign]
        if bracket.sign in _OPENING:
            opened.append(bracket)
            counts[kind] += 1
        elif not counts[kind]:
            unpaired.append(Unpaired(None, bracket))
        else:
            while True:
                last = opened.pop()
                counts[KIND[last.sign]] -= 1
                if KIND[last.sign] == kind:
                    break
                unpaired.append(Unpaired(last, None))
            if PARTNER[last.sign] != bracket.sign:
                unpaired.append(Unpaired(last, bracket))
    unpaired += [Unpaired(bracket, None) for bracket in opened]
    unpaired.sort(key=lambda pair: (pair.closing or pair.opening or brackets[0]).start)
    if len(unpaired) == 2 and unpaired[0].opening and not unpaired[0].closing and not unpaired[1].opening:
        return [Unpaired(unpaired[0].opening, unpaired[1].closing)]
    return unpaired


def _exempt(brackets: Sequence[Bracket], text: str) -> set[int]:
    """Return the offsets of brackets that need no partner."""
    found: set[int] = set()
    for bracket in brackets:
        before = text[max(0, bracket.start - _CONTEXT) : bracket.start] + bracket.sign
        if _EMOTICON.search(before) or (bracket.sign in ")）" and _NUMBER.search(before)):
            found.add(bracket.start)
    return found


class Quote(NamedTuple):
    """A quote, its offset, and whether its neighbours let it open or close a quotation."""

    start: int
    sign: str
    opens: bool
    closes: bool
    measure: bool = False  # after a digit: inches or seconds perhaps


class UnpairedQuotes(NamedTuple):
    """One quote without a partner, or two that do not go together and the signs that would be right for them."""

    first: Quote
    second: Quote | None
    right: tuple[str, str] | None


def curly_quotes(text: str) -> list[int]:
    """Return the offsets of quotes that are not straight."""
    return [match.start() for match in CURLY.finditer(text)] if any(sign in text for sign in _CURLY) else []


def find_unpaired_quotes(nodes: Sequence[Text], straight: bool) -> UnpairedQuotes | None:
    """Return the first quotes that do not pair; `straight` tells whether the list mostly uses straight ones."""
    quotes = _quotes(nodes)
    curly = _without_measures([quote for quote in quotes if quote.sign != '"'])
    plain = _without_measures([quote for quote in quotes if quote.sign == '"'])
    if len(curly) == len(plain) == 1:
        first, second = sorted((*curly, *plain))
        if first.opens and second.closes:
            return UnpairedQuotes(first, second, ('"', '"') if straight else ("“", "”"))
    if len(plain) % 2:
        return UnpairedQuotes(_odd_quote(plain), None, None)
    if len(curly) % 2:
        return UnpairedQuotes(_odd_quote(curly), None, None)
    for first, second in zip(curly[::2], curly[1::2], strict=True):
        if first.sign == "”" and second.sign == "“" and first.opens and second.closes:
            return UnpairedQuotes(first, second, ("“", "”"))
    return None


def _quotes(nodes: Sequence[Text]) -> list[Quote]:
    """Return the quotes of text nodes without escaped ones, most of which are LaTeX's."""
    found: list[Quote] = []
    for node in nodes:
        value = node.value
        if node.end - node.start != len(value):
            continue
        for match in _QUOTE.finditer(value):
            index = match.start()
            before, after = value[max(0, index - 1) : index], value[index + 1 : index + 2]
            opens = not before or not (before.isalnum() or before in ".,!?)…")
            closes = not after or not after.isalnum()
            measure = before.isdigit() and match[0] != "“"
            found.append(Quote(node.start + index, match[0], opens, closes, measure))
    return found


def _without_measures(quotes: list[Quote]) -> list[Quote]:
    """Return the quotes, and if their number is odd, without those of measures."""
    return [quote for quote in quotes if not quote.measure] if len(quotes) % 2 else quotes


def _odd_quote(quotes: Sequence[Quote]) -> Quote:
    """Return which of an odd number of quotes has no partner: where two in a row open or two in a row close."""
    opened: Quote | None = None
    for quote in quotes:
        if opened is None:
            if quote.closes and not quote.opens:
                return quote
            opened = quote
        elif quote.opens and not quote.closes:
            return opened
        else:
            opened = None
    return opened or quotes[-1]
