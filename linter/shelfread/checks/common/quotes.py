"""Double quotes of a passage that have no partner."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Text

_CURLY = "“”„"
_LEAST_LOW = 3
CURLY = lazy(f"[{_CURLY}]")
_QUOTE = lazy(r"[\"“”„]")
_TWICE = lazy(r"(?<!')''(?!')")


class Quote(NamedTuple):
    """A quote, its offset, and whether its neighbours let it open or close a quotation."""

    start: int
    sign: str
    opens: bool
    closes: bool
    measure: bool = False
    """After a digit: inches or seconds perhaps."""


class UnpairedQuotes(NamedTuple):
    """One quote without a partner, or two that do not go together and the signs that would be right for them."""

    first: Quote
    second: Quote | None
    right: tuple[str, str] | None


def curly_quotes(text: str) -> list[int]:
    """Return the offsets of quotes that are not straight."""
    return [match.start() for match in CURLY.finditer(text)] if any(sign in text for sign in _CURLY) else []


def closes_low_straight(lows: int, others: int) -> bool:
    """Return whether most low quotes of a text are closed by straight ones, as keyboards write them: `„so"`.

    `others` are the curly ones that are not low.
    """
    return lows >= _LEAST_LOW and others * 2 < lows


def find_unpaired_quotes(
    nodes: Sequence[Text], straight: bool, low_straight: bool = False
) -> UnpairedQuotes | None:
    """Return the first quotes that do not pair.

    `straight` tells whether the list mostly uses straight ones, `low_straight` whether these close its low ones.
    """
    quotes = _quotes(nodes)
    if low_straight:
        quotes = _without_low(quotes)
    curly = _without_measures([quote for quote in quotes if quote.sign != '"'])
    plain = _without_measures([quote for quote in quotes if quote.sign == '"'])
    if len(curly) == len(plain) == 1:
        first, second = sorted((*curly, *plain))
        if first.opens and second.closes:
            return UnpairedQuotes(first, second, ('"', '"') if straight else ("“", "”"))
    if len(plain) % 2:
        apostrophes = _double_apostrophe(nodes) if len(plain) == 1 else None
        if apostrophes is not None and plain[0].opens and apostrophes.start > plain[0].start:
            return UnpairedQuotes(plain[0], apostrophes, ('"', '"'))
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
            if value == '"' and node.end - node.start > 2:
                found.append(Quote(node.start, value, True, True))  # &quot;
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


def _without_low(quotes: list[Quote]) -> list[Quote]:
    """Return the quotes without low ones that a straight one closes, and without that."""
    kept: list[Quote] = []
    for quote in quotes:
        if quote.sign == '"' and quote.closes and kept and kept[-1].sign == "„":
            kept.pop()
        else:
            kept.append(quote)
    return kept


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


def _double_apostrophe(nodes: Sequence[Text]) -> Quote | None:
    """Return the two apostrophes that are used as a closing quote, if there is only one such pair."""
    found = [
        Quote(node.start + match.start(), "''", False, True)
        for node in nodes
        if node.end - node.start == len(node.value)
        for match in _TWICE.finditer(node.value)
    ]
    return found[0] if len(found) == 1 else None
