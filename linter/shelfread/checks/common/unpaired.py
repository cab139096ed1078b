"""Brackets and quotes of a passage that have no partner: the findings of two rules, found in one pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from shelfread.core.diagnostics import MARKUP, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.passages import passages_of, texts, within
from shelfread.markdown.node import Block, Link, Text

_OPENING = "([{（［｛【《「『〈〔〖"
_CLOSING = ")]}）］｝】》」』〉〕〗"
_ASCII = 3  # the first three brackets are ASCII; the next three are their full-width forms
# The same for brackets that differ at most in direction and width.
_KIND = {
    sign: index % _ASCII if index < 2 * _ASCII else index
    for signs in (_OPENING, _CLOSING)
    for index, sign in enumerate(signs)
}
_PARTNER = {**dict(zip(_OPENING, _CLOSING, strict=True)), **dict(zip(_CLOSING, _OPENING, strict=True))}
FULL_WIDTH = frozenset(_OPENING[_ASCII:] + _CLOSING[_ASCII:])  # brackets of CJK scripts

_PAIRS = tuple(zip(_OPENING, _CLOSING, strict=True))
_BRACKET = lazy(r"[(\[{（［｛【《「『〈〔〖)\]}）］｝】》」』〉〕〗]")
# `1)`, `a)`, `iv)`, and the mouths of emoticons.
_NUMBER = lazy(
    r"(?:^|[^\w-])(?:\d{1,3}|[A-Za-z]|[ivx]{2,4})[.]?[)）]$|[\u3400-\u9fff，。；：、]\d{1,2}[)）]$"
)
_EMOTICON = lazy(r"(?:^|[^\w])?[:;=8xX][-~'o^]?[()\[\]]$|[-^_;T][)）]$|<[(]$")
_CONTEXT = 6
CURLY = lazy("[“”„]")
_QUOTE = lazy(r"[\"“”„]")
_MANY = 4
_LABEL = lazy(r"\w[\w +-]{0,20}")
_WIDE_WORD = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NARROW_WORD = lazy(r"\(\w")
_FULL_WORD = lazy(r"（\w")
_DESTINATION = lazy(r"[({（][({（]?(?:<?https?:|www\.|/|\./|#)")


class Bracket(NamedTuple):
    """A bracket and its span, which includes a backslash before it."""

    start: int
    end: int
    sign: str


class Unpaired(NamedTuple):
    """One bracket without a partner, or two of different kinds or widths."""

    opening: Bracket | None
    closing: Bracket | None


class Quote(NamedTuple):
    """A quote, its offset, and whether its neighbours let it open or close a quotation."""

    start: int
    sign: str
    opens: bool
    closes: bool
    measure: bool = False  # after a digit: inches or seconds perhaps


@lru_cache(maxsize=1)  # two rules share it
def unpaired(document: Document) -> tuple[RawDiagnostic, ...]:
    """Return the signs that do not pair, as `values`; `message` is `unopened`, `unclosed`, `mismatched` or `quote`."""
    return tuple(_find(document))


def _find(document: Document) -> RawDiagnostics:
    source = document.source
    text = source.text
    is_straight = text.count('"') >= text.count("“")
    is_uneven = _uneven_spans(text)
    curly = {source.line_at(match.start()) for match in CURLY.finditer(text)}
    for block, around in passages_of(document, sorted(curly.union(find_uneven_lines(source)))):
        shown = list(texts(block.inlines))
        if all(is_uneven(start, end) for start, end in ((block.start, block.end), *around)):
            found = _find_unpaired(shown, text, document.tree.protected)
            # Where many do not pair, they are not used as brackets.
            for pair in found if len(found) <= _MANY else ():
                yield from _bracket(document, block, pair)
        yield from _find_unpaired_quotes(shown, straight=is_straight)


def _bracket(document: Document, block: Block, pair: Unpaired) -> RawDiagnostics:
    text = document.source.text
    opening, closing = pair
    if any(bracket is not None and _is_of_link(text, bracket) for bracket in pair):
        return  # link/malformed reports it
    if opening is not None and closing is not None:
        edits, safe = _match(document, block, opening, closing)
        values = {"opening": opening.sign, "closing": closing.sign}
        yield RawDiagnostic(Span(closing.start, closing.end), values, edits, safe, message="mismatched")
    elif opening is not None:
        values = {"opening": opening.sign, "closing": _PARTNER[opening.sign]}
        edits = _close(document, block, opening)
        yield RawDiagnostic(Span(opening.start, opening.end), values, edits, message="unclosed")
    elif closing is not None:
        values = {"opening": _PARTNER[closing.sign], "closing": closing.sign}
        edits, safe = _open(document, block, closing), True
        if not edits:
            edits, safe = _remove_from_label(document, block, closing)
        yield RawDiagnostic(Span(closing.start, closing.end), values, edits, safe, message="unopened")


def _is_of_link(text: str, bracket: Bracket) -> bool:
    """Return whether a bracket is one of those around a URL, or before them, in a link that is shown as text."""
    if bracket.sign in "]］":
        return text[bracket.start - 1] != "]" and _DESTINATION.match(text, bracket.end) is not None
    return bracket.sign in "(（{" and _DESTINATION.match(text, bracket.start) is not None


def _match(
    document: Document, block: Block, opening: Bracket, closing: Bracket
) -> tuple[tuple[Edit, ...], bool]:
    """Return the edit that makes two brackets a pair, of the width that the words between need, and if it is safe."""
    text = document.source.text
    kind, is_full = _KIND[opening.sign], opening.sign in FULL_WIDTH
    if is_full is (closing.sign in FULL_WIDTH) or kind != _KIND[closing.sign]:
        edit = Edit(closing.start, closing.end, _PARTNER[opening.sign], MARKUP)
        tight = any(link.start == opening.end and link.end == closing.start for link in _links(block))
        return (edit,), tight
    wide = _WIDE_WORD.search(text[opening.end : closing.start]) is not None
    keep, change = (opening, closing) if is_full is wide else (closing, opening)
    edit = Edit(change.start, change.end, _PARTNER[keep.sign], MARKUP)
    # Among an odd number of them, a third one may be the partner of one of the two.
    is_even = sum(_KIND.get(sign) == kind for sign in text[block.start : block.end]) % 2 == 0
    return (edit,), wide is _is_wide(document) and is_even


@lru_cache(maxsize=1)
def _is_wide(document: Document) -> bool:
    """Return whether most parentheses of a list are full-width ones."""
    text = document.source.text
    return len(_FULL_WORD.findall(text)) > len(_NARROW_WORD.findall(text))


def _close(document: Document, block: Block, opening: Bracket) -> tuple[Edit, ...]:
    """Return the edit that closes the brackets of a label as those of the entry's other labels are closed."""
    text = document.source.text
    for link in _links(block):
        if opening.sign == "[" and link.start == opening.end and text[link.end : link.end + 1] != "]":
            is_usual = _are_in_brackets(text, block, link)
            return (Edit(link.end, link.end, "]", MARKUP),) if is_usual else ()
    return ()


def _open(document: Document, block: Block, closing: Bracket) -> tuple[Edit, ...]:
    """Return the edit that opens the brackets of a label as those of the entry's other labels are opened."""
    text = document.source.text
    for link in _links(block):
        if closing.sign == "]" and link.end == closing.start and _are_in_brackets(text, block, link):
            others = [other.start for other in _links(block) if other is not link]
            is_escaped = any(text.endswith("\\[", 0, start) for start in others)
            return (Edit(link.start, link.start, "\\[" if is_escaped else "[", MARKUP),)
    return ()


def _remove_from_label(document: Document, block: Block, closing: Bracket) -> tuple[tuple[Edit, ...], bool]:
    """Return the edit that makes `[Code]` of a label `[Code)]`; it is safe if the list has that label elsewhere."""
    text = document.source.text
    link = next((link for link in _links(block) if link.text.end == closing.end), None)
    if link is None or not _LABEL.fullmatch(text, link.text.start, closing.start):
        return (), False
    label = text[link.text.start : closing.start]
    known = any(text.startswith(f"{label}]", other.text.start) for other in document.links)
    return (Edit(closing.start, closing.end, "", MARKUP),), known


def _links(block: Block) -> list[Link]:
    return [node for node in block.inlines if isinstance(node, Link) and not node.image]


def _are_in_brackets(text: str, block: Block, link: Link) -> bool:
    """Return whether another label of a passage stands in brackets, and none has them in its text."""
    is_usual = False
    for other in _links(block):
        if other is link:
            continue
        if text[other.start - 1 : other.start] == "[" and text[other.end : other.end + 1] in ("]", "\\"):
            is_usual = True
        elif text.startswith("[", other.text.start) and text[other.text.end - 1 : other.text.end] == "]":
            return False
    return is_usual


def find_uneven_lines(source: Source) -> list[int]:
    """Return the lines, from 0, with unequal numbers of opening and closing brackets, or an odd one of `"`."""
    pairs = [pair for pair in _PAIRS if pair[0] in source.text or pair[1] in source.text]
    uneven = {number for number, line in enumerate(source.lines) if line.count('"') % 2}
    for opening, closing in pairs:
        uneven.update(
            [n for n, line in enumerate(source.lines) if line.count(opening) != line.count(closing)]
        )
    return sorted(uneven)


def _uneven_spans(text: str) -> Callable[[int, int], bool]:
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


def _find_unpaired(nodes: Iterable[Text], text: str, opaque: Sequence[Span]) -> list[Unpaired]:
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
        kind = _KIND[bracket.sign]
        if bracket.sign in _OPENING:
            opened.append(bracket)
            counts[kind] += 1
        elif not counts[kind]:
            unpaired.append(Unpaired(None, bracket))
        else:
            while True:
                last = opened.pop()
                counts[_KIND[last.sign]] -= 1
                if _KIND[last.sign] == kind:
                    break
                unpaired.append(Unpaired(last, None))
            if _PARTNER[last.sign] != bracket.sign:
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


def _find_unpaired_quotes(nodes: Sequence[Text], straight: bool) -> RawDiagnostics:
    """Yield the first quotes that do not pair; `straight` tells whether the list mostly uses straight ones."""
    quotes = _quotes(nodes)
    curly = _without_measures([quote for quote in quotes if quote.sign != '"'])
    plain = _without_measures([quote for quote in quotes if quote.sign == '"'])
    if len(curly) == len(plain) == 1:
        first, second = sorted((*curly, *plain))
        if first.opens and second.closes:
            yield _mismatched(first, second, ('"', '"') if straight else ("“", "”"))
            return
    odd = next((quotes for quotes in (plain, curly) if len(quotes) % 2), None)
    if odd is not None:
        quote = _odd_quote(odd)
        yield RawDiagnostic(Span(quote.start, quote.start + 1), {"quote": quote.sign}, message="quote")


def _mismatched(first: Quote, second: Quote, right: tuple[str, str]) -> RawDiagnostic:
    """Return what to say of two quotes that do not go together, with the signs that would be right for them."""
    edits = tuple(
        Edit(quote.start, quote.start + 1, sign, MARKUP)
        for quote, sign in zip((first, second), right, strict=True)
        if quote.sign != sign
    )
    values = {"opening": first.sign, "closing": second.sign}
    return RawDiagnostic(Span(second.start, second.start + 1), values, edits, message="mismatched")


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
