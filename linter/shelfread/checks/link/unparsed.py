"""Links that a slip has turned into text: CommonMark shows their brackets instead of a link."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from shelfread.checks.link.slips import unopened
from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import opening
from shelfread.index.context import RuleContext

_JOINT = lazy(r"\](?:\(|（(?=https?://))")
_ADDRESS = lazy(r"(?i)[(（]((?:https?://|www\.|\.{1,2}/)(?:[^\s()<>\[\]{}（）|\\\"`]|\([^\s()<>\[\]]*\))+)")
_SPACED = lazy(r"(?i)\(((?:<?https?:/{0,2}|www\.|\.{1,2}/)[^\s()<>\"']*(?:[ \t]+[^\s()<>\"'][^\s()<>]*)+)\)")
_WORDS = lazy(r"\(([^()\[\]<>\r\n]{1,300})\)")
# What follows a link, and would not go on in a URL with spaces.
_END_OF_LINK = lazy(r"[ \t]*(?:$|[\r\n|\[]|<(?:br|/))|[ \t]+[-–—:|•·][ \t]", re.IGNORECASE)
_GOES_ON = lazy(r"[ \t]+(?![\"'(])\S")
# What a template's engine is to replace.
_PLACEHOLDER = lazy(r"\{\{|\{%|<%|\$\{")
_CLOSED_BELOW = lazy(r"[ \t]*(?:\r\n|[\r\n])[ \t>]*[^\s>()\[\]][^\s()\[\]]*\)")
_MARKS = ".,;:!?。，；："
_LONGEST_TEXT = 500


class _Joint(NamedTuple):
    """`](` where no link is."""

    open: int
    """The offset of the bracket before it, -1 if there is none."""
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
        return unopened(document, context, joint.close) if address else None
    if joint.open == joint.close - 1:
        return None
    if address is None:
        is_code = text[joint.open - 1 : joint.open].isalnum()  # `a[i](j k)`
        return None if is_code else _no_address(text, after, joint.line_end)
    spaced = _SPACED.match(text, after, joint.line_end)
    if spaced and not _END_OF_LINK.match(text, address.end(), joint.line_end):
        return _space_inside(spaced)
    return _slip(text, joint, address)


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
    stop = end
    while text[stop - 1] in _MARKS:
        stop -= 1
    applicability = Applicability.UNSAFE
    if _END_OF_LINK.match(text, end, joint.line_end):
        if stop == end and not _is_closed_later(text[end : min(joint.line_end, end + _LONGEST_TEXT)]):
            applicability = Applicability.SAFE
    elif stop == end and not _GOES_ON.match(text, end, joint.line_end):
        return RawDiagnostic(url, message="unclosed")
    edits = [*edits, Edit(stop, stop, ")", STRUCTURE)]
    return RawDiagnostic(Span(start, stop), {}, tuple(edits), applicability, message="unclosed")


def _is_closed_later(text: str) -> bool:
    """Return whether a text has a `)` without its `(`, which may end a URL with spaces."""
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return True
    return False


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


def _no_address(text: str, after: int, line_end: int) -> RawDiagnostic | None:
    """Return a link whose URL has spaces, or words that are no URL."""
    if spaced := _SPACED.match(text, after, line_end):
        return _space_inside(spaced)
    words = _WORDS.match(text, after, line_end)
    if words is None or " " not in words[1].strip() or words[1].lstrip()[:1] in ('"', "'"):
        return None
    return RawDiagnostic(Span(*words.span(1)), message="words")


def _space_inside(match: re.Match[str]) -> RawDiagnostic:
    (start, end), written = match.span(1), match[1]
    after_scheme = re.fullmatch(r"(https?://)[ \t]+(\S+)", written, re.IGNORECASE)
    edits: tuple[Edit, ...] = ()
    if after_scheme:
        edits = (Edit(start + len(after_scheme[1]), end - len(after_scheme[2]), "", STRUCTURE),)
    return RawDiagnostic(Span(start, end), edits=edits, message="space-inside")
