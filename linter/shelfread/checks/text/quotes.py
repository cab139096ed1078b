"""Double quotes of a passage, held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Text

_CURLY = "“”„"
CURLY = lazy(f"[{_CURLY}]")
_QUOTE = lazy(r"[\"“”„]")
_TWICE = lazy(r"(?<!')''(?!')")


class Quote(NamedTuple):
    """A quote, where it stands, and whether it looks like one that opens or one that closes."""

    start: int
    sign: str
    opens: bool
    closes: bool
    measure: bool = False
    """Perhaps of inches or seconds."""


class Amiss(NamedTuple):
    """Quotes that do not pair: one alone, or two that do not go together, and what would be right for them."""

    first: Quote
    second: Quote | None
    right: tuple[str, str] | None


def curly_quotes(text: str) -> list[int]:
    """Where quotes that are no straight ones stand."""
    if not any(sign in text for sign in _CURLY):
        return []
    return [match.start() for match in CURLY.finditer(text)]


def find_amiss(nodes: Sequence[Text], straight: bool) -> Amiss | None:
    """The first quotes that do not pair; `straight` says that the list's own are so."""
    quotes = _quotes(nodes)
    curly = _evened([quote for quote in quotes if quote.sign != '"'])
    plain = _evened([quote for quote in quotes if quote.sign == '"'])
    if len(curly) == len(plain) == 1:
        one, other = sorted((*curly, *plain))
        if one.opens and other.closes:
            return Amiss(one, other, ('"', '"') if straight else ("“", "”"))
    if len(plain) % 2:
        doubled = _doubled(nodes) if len(plain) == 1 else None
        if doubled is not None and plain[0].opens and doubled.start > plain[0].start:
            return Amiss(plain[0], doubled, ('"', '"'))
        return Amiss(_alone(plain), None, None)
    if len(curly) % 2:
        return Amiss(_alone(curly), None, None)
    for first, second in zip(curly[::2], curly[1::2], strict=True):
        if first.sign == "”" and second.sign == "“" and first.opens and second.closes:
            return Amiss(first, second, ("“", "”"))
    return None


def _quotes(nodes: Sequence[Text]) -> list[Quote]:
    """The quotes of some pieces of text; an escaped one is LaTeX's more often than not."""
    found: list[Quote] = []
    for node in nodes:
        value = node.value
        if node.end - node.start != len(value):
            if value == '"' and node.end - node.start > 2:
                found.append(Quote(node.start, value, True, True))  # &quot;
            continue
        for match in _QUOTE.finditer(value):
            at = match.start()
            before, after = value[max(0, at - 1) : at], value[at + 1 : at + 2]
            opens = not before or not (before.isalnum() or before in ".,!?)…")
            closes = not after or not after.isalnum()
            measure = before.isdigit() and match[0] != "“"
            found.append(Quote(node.start + at, match[0], opens, closes, measure))
    return found


def _evened(quotes: list[Quote]) -> list[Quote]:
    """The quotes without measures, where their number is odd."""
    return [quote for quote in quotes if not quote.measure] if len(quotes) % 2 else quotes


def _alone(quotes: Sequence[Quote]) -> Quote:
    """Of an odd number of quotes the one that has no other: where two open, or two close, in a row."""
    open_quote: Quote | None = None
    for quote in quotes:
        if open_quote is None:
            if quote.closes and not quote.opens:
                return quote
            open_quote = quote
        elif quote.opens and not quote.closes:
            return open_quote
        else:
            open_quote = None
    return open_quote or quotes[-1]


def _doubled(nodes: Sequence[Text]) -> Quote | None:
    """The two apostrophes that serve as one quote, where there is one pair of them."""
    found = [
        Quote(node.start + match.start(), "''", False, True)
        for node in nodes
        if node.end - node.start == len(node.value)
        for match in _TWICE.finditer(node.value)
    ]
    return found[0] if len(found) == 1 else None
