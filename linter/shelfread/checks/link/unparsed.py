"""Links that a slip has turned into text: CommonMark shows their brackets instead of a link."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from typing import NamedTuple

from shelfread.checks.link.slips import unopened
from shelfread.core.diagnostics import STRUCTURE, Applicability, Edit, RawDiagnostic, RawDiagnostics, Span
from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import opening
from shelfread.index.anchors import slug_of
from shelfread.index.context import RuleContext

_JOINT = lazy(r"\]\(")
_ANY_JOINT = lazy(r"\]\(|[\]］][({（](?=\{?https?://)")
_ODD_JOINTS = tuple(
    f"{joint}{brace}http" for joint in ("]{", "]（", "］(", "］{", "］（") for brace in ("", "{")
)
_ADDRESS = lazy(
    r"(?i)[({（](\(?)((?:https?://|www\.|\.{1,2}/)(?:[^\s()<>\[\]{}（）|\\\"`]|\([^\s()<>\[\]]*\))+)"
)
_SPACED = lazy(r"(?i)\(((?:<?https?:/{0,2}|www\.|\.{1,2}/)[^\s()<>\"']*(?:[ \t]+[^\s()<>\"'][^\s()<>]*)+)\)")
_ANCHOR = lazy(r"\((#[^\s()<>]+(?:[ \t]+[^\s()<>]+)+)\)")
_WORDS = lazy(r"\(([^()\[\]<>\r\n]{1,300})\)")
# What follows a link, and would not go on in a URL with spaces.
_END_OF_LINK = lazy(r"[ \t]*(?:$|[\r\n|\[]|<(?:br|/))|[ \t]+[-–—:|•·][ \t]", re.IGNORECASE)
_GOES_ON = lazy(r"[ \t]+(?![\"'(])\S")
_CLOSED_BELOW = lazy(r"[ \t]*(?:\r\n|[\r\n])[ \t>]*[^\s()\[\]]+\)")
_FILE_END = lazy(r"[ \t](?:\S*/\S*|\S*\.\w{2,5})$")
# What a template's engine is to replace.
_PLACEHOLDER = lazy(r"\{\{|\{%|<%|\$\{")
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
    is_odd = any(joint in text for joint in _ODD_JOINTS)
    if text.count("](") == len(ends) and not is_odd:
        return
    blocked = find_blocked(document)
    done = -1
    for match in (_ANY_JOINT if is_odd else _JOINT).finditer(text):
        close = match.start()
        if close in ends or close < done or text[close - 1 : close] == "\\" or is_blocked(blocked, close):
            continue
        number = source.line_at(close)
        start = source.starts[number]
        joint = _Joint(_find_opening(text, close, start), close, start + len(source.lines[number]))
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


def _find_opening(text: str, close: int, line_start: int) -> int:
    """Return the offset of the bracket that `]` or its full-width form ends; -1 if there is none."""
    floor = max(line_start, close - _LONGEST_TEXT)
    wide = text.rfind("［", floor, close)
    if text[close] == "］":
        return max(wide, text.rfind("[", floor, close))
    found = opening(text, close, "[]", _LONGEST_TEXT)
    return wide if found < 0 else found


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
    inner = _find_inner(document)
    index = bisect_left(inner, (joint.open + 1, 0))
    if index < len(inner) and inner[index].end <= joint.close:
        return _nested(text, joint, inner[index])
    if address is None:
        is_code = text[joint.open - 1 : joint.open].isalnum()  # `a[i](j k)`
        return None if is_code else _no_address(document, context, after, joint.line_end)
    spaced = _SPACED.match(text, after, joint.line_end)
    if spaced and not _END_OF_LINK.match(text, address.end(), joint.line_end):
        return _space_inside(spaced)
    return _slip(text, joint, address)


def _slip(text: str, joint: _Joint, address: re.Match[str]) -> RawDiagnostic | None:
    """Return the bracket that is wrong or missing around the URL of a link."""
    url, end = Span(*address.span(2)), address.end()
    edits = [
        Edit(offset, offset + 1, right, STRUCTURE)
        for offset, right in ((joint.open, "["), (joint.close, "]"), (joint.close + 1, "("))
        if text[offset] != right
    ]
    sign = text[end : end + 1]
    if sign == ")":
        return _wrong_bracket(text, edits) if edits else _doubled(text, address)
    if address[1]:
        return RawDiagnostic(url, message="unclosed")
    if sign == "]" or text.startswith("\\]", end):
        if _closes_outer(text, joint, end):
            if sign == "]" and text.startswith("](", end) and text[joint.open - 1] != "!":
                return RawDiagnostic(url, message="unclosed")  # a link within the text of another one
            edits.append(Edit(end, end, ")", STRUCTURE))
            return RawDiagnostic(url, edits=tuple(edits), message="unclosed")
        edits.append(Edit(end, end + len(sign) + (sign == "\\"), ")", STRUCTURE))
        return _wrong_bracket(text, edits)
    if sign and sign in "）}":
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


def _doubled(text: str, address: re.Match[str]) -> RawDiagnostic | None:
    """Return `[text]((url)`, whose second parenthesis is not closed."""
    if not address[1] or text[address.end() + 1 : address.end() + 2] == ")":
        return None
    values = {"found": "((", "expected": "("}
    edit = Edit(*address.span(1), "", STRUCTURE)
    return RawDiagnostic(Span(*address.span(1)), values, (edit,), message="wrong-bracket")


def _wrong_bracket(text: str, edits: list[Edit]) -> RawDiagnostic:
    """Return the diagnostic of the first of some wrong brackets."""
    first = edits[0]
    values = {"found": text[first.start : first.end], "expected": first.text}
    return RawDiagnostic(Span(first.start, first.end), values, tuple(edits), message="wrong-bracket")


def _no_address(document: Document, context: RuleContext, after: int, line_end: int) -> RawDiagnostic | None:
    """Return a link whose URL has spaces: a slip after its scheme, an anchor, or words that are no URL."""
    text = document.source.text
    if spaced := _SPACED.match(text, after, line_end):
        return _space_inside(spaced)
    if anchor := _ANCHOR.match(text, after, line_end):
        return _spaced_anchor(document, context, anchor)
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
    elif _FILE_END.search(written) and not written.startswith("<"):
        edits = (Edit(start, start, "<", STRUCTURE), Edit(end, end, ">", STRUCTURE))
    applicability = Applicability.SAFE if after_scheme else Applicability.UNSAFE
    return RawDiagnostic(Span(start, end), edits=edits, applicability=applicability, message="space-inside")


def _spaced_anchor(document: Document, context: RuleContext, match: re.Match[str]) -> RawDiagnostic:
    """Return `[text](#two words)`; the fix writes the anchor of the heading with these words."""
    slugs = context.slugs
    slug = slug_of(match[1][1:], slugs)
    _, anchors = context.own_anchors(document)
    edits = (Edit(*match.span(1), f"#{slug}", STRUCTURE),)
    applicability = Applicability.SAFE if slug in anchors else Applicability.UNSAFE
    return RawDiagnostic(Span(*match.span(1)), {}, edits, applicability, message="space-inside")


@lru_cache(maxsize=1)
def _find_inner(document: Document) -> list[Span]:
    """Return the spans of the links that cannot be in the text of another link, sorted."""
    return sorted(
        Span(link.start, link.end)
        for link in document.links
        if not link.image and link.form not in ("bare", "autolink")
    )


def _nested(text: str, joint: _Joint, inner: Span) -> RawDiagnostic:
    """Return a link around another one; if both are the same, the inner one is enough."""
    words = _WORDS.match(text, joint.close + 1, joint.line_end)
    address = _ADDRESS.match(text, joint.close + 1, joint.line_end)
    end = words.end() if words else address.end() if address else joint.close + 2
    edits: tuple[Edit, ...] = ()
    if words and inner == (joint.open + 1, joint.close) and text.endswith(words[0], 0, joint.close):
        kept, whole = text[slice(*inner)], text[joint.open : words.end()]
        edits = (Edit.reduce(Span(joint.open, words.end()), whole, kept),)
    return RawDiagnostic(Span(joint.close + 1, end), {}, edits, message="inner-link")
