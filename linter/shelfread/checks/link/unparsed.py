"""Links that a slip has turned into text: CommonMark shows their brackets instead of a link."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from shelfread.checks.link.references import LONGEST_TEXT, is_dated, shortened
from shelfread.core.diagnostics import STRUCTURE, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.core.source import Source
from shelfread.document.model import Document
from shelfread.document.passages import blocks_around, is_text, opening
from shelfread.index.context import RuleContext
from shelfread.markdown.node import Block, Link, walk_blocks, walk_inlines

# `)[` and a URL: one with a scheme, an anchor, a path, or the name of a page.
_REVERSED = lazy(
    r"(?i)\)\[(<?(?:https?://|www\.|mailto:|\.{1,2}/|#[^\W\d]|[\w./-]+\.(?:md|html?|pdf)(?=[#\]]))[^\s\[\]<>]*>?)\]"
)
_SLIP_WORDS = lazy(r"(?:[^\[\]()<>`|]|\([^\[\]()<>`|]{0,120}\)){1,120}")
_BEFORE_ITEM = lazy(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]*)?")
_LEAST_SIBLINGS = 3
_ALL = -1


def reversed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield `(text)[url]` where `[text](url)` was meant."""
    text = document.source.text
    for match in _REVERSED.finditer(text):
        close = match.start()
        start = opening(text, close, "()", LONGEST_TEXT)
        words = text[start + 1 : close]
        if start < 0 or not words.strip() or "[" in words or "]" in words or text[start - 1 : start] == "\\":
            continue
        if not (is_text(document, close) and is_text(document, start)):
            continue
        url = match[1].strip("<>")
        edits: tuple[Edit, ...] = ()
        if url.count("(") == url.count(")") or match[1][0] == "<":
            places = ((start, start + 1, "["), (close, close + 2, "]("), (match.end() - 1, match.end(), ")"))
            edits = tuple(Edit(*place, STRUCTURE) for place in places)
        follows_word = text[start - 1 : start].isalnum() and start > 0
        is_guess = follows_word or (is_dated(words, document) and not begins_item(document.source, start))
        values = {"text": shortened(words), "url": shortened(url)}
        yield RawDiagnostic(Span(start, match.end()), values, edits, safe=not is_guess)


def begins_item(source: Source, offset: int) -> bool:
    """Return whether only a marker is before an offset in its line."""
    return _BEFORE_ITEM.fullmatch(source.text, source.starts[source.line_at(offset)], offset) is not None


def unopened(document: Document, close: int) -> RawDiagnostic | None:
    """Return the diagnostic of a link whose `]` at `close` was never opened, with the `[` where the items around begin."""
    text = document.source.text
    line = document.source.starts[document.source.line_at(close)]
    if text.rfind("\\[", line, close) >= 0:
        return None
    edits: tuple[Edit, ...] = ()
    safe = False
    around = pairwise(blocks_around(document, close))
    for siblings, item in [pair for pair in around if pair[1].kind == "item"][-1:]:
        start = item.blocks[0].start if item.blocks else close
        if text.startswith("**", start) and text.count("**", start, close) == 1:
            start += 2
        if start < close and _SLIP_WORDS.fullmatch(text, start, close):
            edits = (Edit(start, start, "[", STRUCTURE),)
            counts, own = _count_items(document), Counter([_begins_with_link(item)])
            others = counts[id(siblings)] - own
            if others[True] + others[False] < _LEAST_SIBLINGS:
                others = counts[_ALL] - own
            safe = others[True] >= max(_LEAST_SIBLINGS, 9 * others[False])
    return RawDiagnostic(Span(close, close + 1), {}, edits, safe, message="unopened")


@lru_cache(maxsize=1)
def _count_items(document: Document) -> dict[int, Counter[bool | None]]:
    """Return how many items begin with a link, or have one elsewhere: of each list by its identity, and of all."""
    counts = {_ALL: Counter[bool | None]()}
    for block in walk_blocks(document.tree.blocks):
        if block.kind == "list":
            counts[id(block)] = Counter(map(_begins_with_link, block.blocks))
            counts[_ALL] += counts[id(block)]
    return counts


def _begins_with_link(item: Block) -> bool | None:
    """Return whether the text of an item begins with a link; None if it has none."""
    nodes = walk_inlines(item.blocks[0].inlines if item.blocks else ())
    link = next((node for node in nodes if isinstance(node, Link) and not node.image), None)
    return None if link is None else link.start - item.blocks[0].start <= len("**")


_JOINT = lazy(r"\](?:\(|（(?=https?://))")
_ADDRESS = lazy(r"(?i)[(（]((?:https?://|www\.|\.{1,2}/)(?:[^\s()<>\[\]{}（）|\\\"`]|\([^\s()<>\[\]]*\))+)")
_SPACED = lazy(r"(?i)\(((?:<?https?:/{0,2}|www\.|\.{1,2}/)[^\s()<>\"']*(?:[ \t]+[^\s()<>\"'][^\s()<>]*)+)\)")
_WORDS = lazy(r"\(([^()\[\]<>\r\n]{1,300})\)")
# What follows a link, and would not go on in a URL with spaces.
_END_OF_LINK = lazy(r"[ \t]*(?:$|[\r\n|\[]|<(?:br|/))|[ \t]+[-–—:|•·][ \t]", re.IGNORECASE)
_GOES_ON = lazy(r"[ \t]+(?![\"'])\S")
# The last signs of a URL that are rather of the text behind it, and what may be the end of a URL with spaces.
_NOT_OF_URL = ".,;:”’»*"
_REST_OF_URL = lazy(
    r"(?i)^\s*[^\s/]+/[^\s/]|\.(?:pdf|html?|docx?|pptx?|xlsx?|zip|md|txt|png|jpe?g|mp[34]|epub)\b"
)
# What a template's engine is to replace.
_PLACEHOLDER = lazy(r"\{\{|\{%|<%|\$\{")
_CLOSED_BELOW = lazy(r"[ \t]*(?:\r\n|[\r\n])[ \t>]*[^\s>()\[\]][^\s()\[\]]*\)")
_MARKS = ".,;:!?。，；：”’»*"
_LONGEST_TEXT = 500


class _Joint(NamedTuple):
    """`](` where no link is."""

    open: int  # the offset of the bracket before it, -1 if there is none
    close: int
    line_end: int


def unparsed(document: Document, context: RuleContext) -> RawDiagnostics:
    """Yield a diagnostic for each `](` that is left over as text, and for other brackets around a URL, in order."""
    source = document.source
    text = source.text
    ends = {link.text.end for link in document.links if link.form == "inline"}
    if text.count("](") == len(ends) and "]（http" not in text:
        return
    blocked = find_blocked(document)
    done = -1
    for match in _JOINT.finditer(text):
        close = match.start()
        if close in ends or close < done or text[close - 1 : close] == "\\" or is_blocked(blocked, close):
            continue
        number = source.line_at(close)
        line_end = source.starts[number] + len(source.lines[number])
        joint = _Joint(opening(text, close, "[]", _LONGEST_TEXT), close, line_end)
        raw = _judge(document, context, joint)
        if raw is not None:
            done = max(close + 1, raw.span.end)
            yield raw


def find_blocked(document: Document) -> list[Span]:
    """Return the sorted spans of links without their texts, of definitions, and of what is not text."""
    spans = [
        Span(link.text.end if link.form == "inline" and not link.image else link.start, link.end)
        for link in document.links
        if link.form != "bare"
    ]
    spans += [Span(definition.start, definition.end) for definition in document.tree.definitions]
    return sorted([*spans, *document.tree.protected])


def is_blocked(spans: list[Span], close: int) -> bool:
    """Return whether one of the sorted spans extends from before `]` beyond it; nested ones end before."""
    first = bisect_right(spans, close, key=lambda span: span.start)
    return any(span.end > close + 1 for span in spans[max(0, first - 8) : first])


def _judge(document: Document, context: RuleContext, joint: _Joint) -> RawDiagnostic | None:
    """Return what is wrong with a link that is shown as text; None if it may be meant as text."""
    text = document.source.text
    after = joint.close + 1
    address = _ADDRESS.match(text, after, joint.line_end)
    shown = address.end() + 2 if address else min(joint.line_end, after + _LONGEST_TEXT)
    if _PLACEHOLDER.search(text, joint.open if joint.open >= 0 else joint.close, shown):
        return None
    if joint.open < 0:
        return unopened(document, joint.close) if address else None
    if joint.open == joint.close - 1:
        return None
    spaced = _SPACED.match(text, after, joint.line_end)
    if address is None:
        is_code = text[joint.open - 1 : joint.open].isalnum()  # `a[i](j k)`
        return None if is_code else _space_inside(spaced) if spaced else _words(text, after, joint.line_end)
    if spaced and not _END_OF_LINK.match(text, address.end(), joint.line_end):
        return _space_inside(spaced)
    found = _slip(text, joint, address)
    first = bisect_right(document.links, joint.open, key=lambda link: link.start)
    inner = document.links[first : first + 1]
    if found is not None and any(link.start < joint.close and not link.image for link in inner):
        return found._replace(edits=())  # it stays text in any case
    return found


def _slip(text: str, joint: _Joint, address: re.Match[str]) -> RawDiagnostic | None:
    """Return the bracket that is wrong or missing around the URL of a link."""
    url, end = Span(*address.span(1)), address.end()
    begin = joint.close + 1
    edits = [Edit(begin, begin + 1, "(", STRUCTURE)] if text[begin] != "(" else []
    sign = text[end : end + 1]
    if sign == ")":
        return _wrong_bracket(text, edits) if edits else None
    if sign == "]" or text.startswith("\\]", end):
        if _closes_outer(text, joint, end):
            if sign == "]" and text.startswith("](", end) and text[joint.open - 1] != "!":
                return RawDiagnostic(url, message="unclosed")  # a link within the text of another one
            edits.append(Edit(end, end, ")", STRUCTURE))
            return RawDiagnostic(url, edits=tuple(edits), message="unclosed")
        edits.append(Edit(end, end + len(sign) + (sign == "\\"), ")", STRUCTURE))
        return _wrong_bracket(text, edits)
    if sign == "）":
        edits.append(Edit(end, end + 1, ")", STRUCTURE))
        return _wrong_bracket(text, edits)
    if _CLOSED_BELOW.match(text, end):
        return RawDiagnostic(url, message="line-break")
    return _unclosed(text, joint, url, edits)


def _unclosed(text: str, joint: _Joint, url: Span, edits: list[Edit]) -> RawDiagnostic:
    """Return a link without its `)`, which belongs behind the URL if that ends for certain."""
    start, end = url
    stop = start + len(text[start:end].rstrip(_MARKS))
    if text[stop - 1] == text[joint.open - 1] == "_":
        stop -= 1  # `_[Tool](https://example.org_`
    ends = _END_OF_LINK.match(text, end, joint.line_end) is not None
    if stop == end and not ends and not _GOES_ON.match(text, end, joint.line_end):
        return RawDiagnostic(url, message="unclosed")
    rest = text[end : min(joint.line_end, end + _LONGEST_TEXT)]
    is_certain = not (
        text[stop:end].strip(_NOT_OF_URL)
        or ("*" in text[stop:end] and "*" not in text[max(0, joint.open - _LONGEST_TEXT) : joint.open])
        or rest.count(")") > rest.count("(")  # the last one may end a URL with spaces
        or (not ends and _REST_OF_URL.search(rest.partition("[")[0]))
    )
    edits = [*edits, Edit(stop, stop, ")", STRUCTURE)]
    return RawDiagnostic(Span(start, stop), {}, tuple(edits), is_certain, message="unclosed")


def _closes_outer(text: str, joint: _Joint, end: int) -> bool:
    """Return whether `]` behind a URL closes a bracket around the link: `[[pdf](url]`, `[![badge](url](url)`."""
    before = joint.open - (text[joint.open - 1 : joint.open] == "!")
    follows = end + 2 if text[end] == "\\" else end + 1
    return text[before - 1 : before] == "[" and text[follows : follows + 1] not in ("]", "\\")


def _wrong_bracket(text: str, edits: list[Edit]) -> RawDiagnostic:
    """Return the diagnostic of the first of some wrong brackets."""
    first = edits[0]
    values = {"found": text[first.start : first.end], "expected": first.text}
    return RawDiagnostic(Span(first.start, first.end), values, tuple(edits), message="wrong-bracket")


def _words(text: str, after: int, line_end: int) -> RawDiagnostic | None:
    """Return a link whose URL is words."""
    words = _WORDS.match(text, after, line_end)
    if words is None or " " not in words[1].strip() or words[1].lstrip()[:1] in ('"', "'"):
        return None
    return RawDiagnostic(Span(*words.span(1)), message="words")


def _space_inside(match: re.Match[str]) -> RawDiagnostic:
    start, end = match.span(1)
    gap = re.fullmatch(r"https?://([ \t]+)\S+", match[1], re.IGNORECASE)
    edits = (Edit(start + gap.start(1), start + gap.end(1), "", STRUCTURE),) if gap else ()
    return RawDiagnostic(Span(start, end), edits=edits, message="space-inside")
