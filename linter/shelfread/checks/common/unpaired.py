"""Brackets and quotes without a partner: the findings of two rules, found in one pass."""

from __future__ import annotations

from functools import lru_cache

from shelfread.checks.common.pairs import (
    FULL_WIDTH,
    KIND,
    PARTNER,
    Bracket,
    Unpaired,
    UnpairedQuotes,
    curly_quotes,
    find_uneven_lines,
    find_unpaired,
    find_unpaired_quotes,
    uneven_spans,
)
from shelfread.core.diagnostics import MARKUP, STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import passages_of, texts
from shelfread.markdown.node import Block, Link

_MANY = 4
_LABEL = lazy(r"\w[\w +-]{0,20}")
_WIDE_WORD = lazy(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_NARROW_WORD = lazy(r"\(\w")
_FULL_WORD = lazy(r"（\w")
_DESTINATION = lazy(r"[({（][({（]?(?:<?https?:|www\.|/|\./|#)")


@lru_cache(maxsize=1)  # two rules share it
def unpaired(document: Document) -> tuple[RawDiagnostic, ...]:
    """Return the signs that do not pair, as `values`; `message` is `unopened`, `unclosed`, `mismatched` or `quote`."""
    return tuple(_find(document))


def _find(document: Document) -> RawDiagnostics:
    source = document.source
    text = source.text
    is_straight = text.count('"') >= text.count("“")
    is_uneven = uneven_spans(text)
    curly = {source.line_at(offset) for offset in curly_quotes(text)}
    for block, around in passages_of(document, sorted(curly.union(find_uneven_lines(source)))):
        shown = list(texts(block.inlines))
        if all(is_uneven(start, end) for start, end in ((block.start, block.end), *around)):
            found = find_unpaired(shown, text, document.tree.protected)
            # Where many do not pair, they are not used as brackets.
            for pair in found if len(found) <= _MANY else ():
                yield from _bracket(document, block, pair)
        quotes = find_unpaired_quotes(shown, straight=is_straight)
        if quotes is not None:
            yield _quote(quotes)


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
        values = {"opening": opening.sign, "closing": PARTNER[opening.sign]}
        edits = _close(document, block, opening)
        yield RawDiagnostic(Span(opening.start, opening.end), values, edits, message="unclosed")
    elif closing is not None:
        values = {"opening": PARTNER[closing.sign], "closing": closing.sign}
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
    kind, is_full = KIND[opening.sign], opening.sign in FULL_WIDTH
    if is_full is (closing.sign in FULL_WIDTH) or kind != KIND[closing.sign]:
        edit = Edit(closing.start, closing.end, PARTNER[opening.sign], MARKUP)
        tight = any(link.start == opening.end and link.end == closing.start for link in _links(block))
        return (edit,), tight
    wide = _WIDE_WORD.search(text[opening.end : closing.start]) is not None
    keep, change = (opening, closing) if is_full is wide else (closing, opening)
    edit = Edit(change.start, change.end, PARTNER[keep.sign], MARKUP)
    # Among an odd number of them, a third one may be the partner of one of the two.
    is_even = sum(KIND.get(sign) == kind for sign in text[block.start : block.end]) % 2 == 0
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
            form = _label_form(text, block, link)
            offset = {"outer": link.end, "inner": link.text.end}.get(form)
            return () if offset is None else (Edit(offset, offset, "]", MARKUP),)
    return ()


def _open(document: Document, block: Block, closing: Bracket) -> tuple[Edit, ...]:
    """Return the edit that opens the brackets of a label as those of the entry's other labels are opened."""
    text = document.source.text
    if text[closing.start - 1] == closing.sign == "]" and _DESTINATION.match(text, closing.end):
        offset = text.rfind("[", block.start, closing.start)
        if offset >= 0 and _label_form(text, block, None) == "inner":
            return (Edit(offset, offset, "[", STRUCTURE),)  # `[Code]](u)` is no link yet
    for link in _links(block):
        if closing.sign == "]" and link.end == closing.start and _label_form(text, block, link) == "outer":
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


def _label_form(text: str, block: Block, link: Link | None) -> str:
    """Return where the other labels of a passage have their brackets: `outer`, `inner`, or "" if they differ."""
    forms = set()
    for other in _links(block):
        if other is link:
            continue
        if text[other.start - 1 : other.start] == "[" and text[other.end : other.end + 1] in ("]", "\\"):
            forms.add("outer")
        elif text.startswith("[", other.text.start) and text[other.text.end - 1 : other.text.end] == "]":
            forms.add("inner")
    return forms.pop() if len(forms) == 1 else ""


def _quote(quotes: UnpairedQuotes) -> RawDiagnostic:
    first, second, right = quotes
    if second is None:
        return RawDiagnostic(Span(first.start, first.start + 1), {"quote": first.sign}, message="quote")
    edits = tuple(
        Edit(quote.start, quote.start + len(quote.sign), sign, MARKUP)
        for quote, sign in zip((first, second), right or (), strict=True)
        if quote.sign != sign
    )
    span = Span(second.start, second.start + len(second.sign))
    return RawDiagnostic(span, {"opening": first.sign, "closing": second.sign}, edits, message="mismatched")
