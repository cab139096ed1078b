"""Fields in a text, and what goes with them: brackets, marks, tags, dates, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.imports.insert.forms import Part, kinds_in

Found: TypeAlias = "tuple[int, int, Part]"
"""A field and where it stands."""

_OTHER = lazy(
    r"!\[[^\]\n]{0,200}\]\([^()\s]{0,500}\)|<img\b[^<>]{0,500}>|`[^`\n]{1,60}`|\[(?!(?:19|20)\d\d)[^\[\]\n]{1,60}\](?![(\[:])"
    r"|(?::[a-z][a-z0-9_+-]{1,30}:){2,9}"
    r"|(?P<date>(?<!\d)(?:(?P<month>(?:19|20)\d\d(?P<mark>[-/.])(?:0[1-9]|1[0-2]|[1-9])(?![-/.]?\d))"
    r"|(?:\d{1,2}(?:st|nd|rd|th)?\s)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?,?\s(?:\d{1,2},?\s)?(?:19|20)\d\d"
    r"|(?:19|20)\d\d(?:[-/.]\d\d?){0,2})(?!\d))"
)
"""Pictures, code, words in brackets, ratings, dates."""
_PAIRS = {"(": ")", "[": "]", "（": "）", "*": "*", "_": "_", "`": "`", '"': '"'}
_OPENING_TAG = lazy(r"<(b|i|u|em|ins|strong|sub|sup|code|small)>\Z")
_LONGEST_TAG = 8


def is_inside(inner: Span, outer: Span) -> bool:
    """Return whether a span, which is not empty, is inside another one."""
    return outer.start <= inner.start < inner.end <= outer.end


def around(span: Span, text: str) -> Span:
    """Return a span with the brackets, marks and tags that hold nothing else."""
    start, end = span
    while start and _PAIRS.get(text[start - 1]) == text[end : end + 1]:
        start, end = start - 1, end + 1
    return with_tags(Span(start, end), text)


def with_tags(span: Span, text: str) -> Span:
    """Return a span with the tags that hold nothing else."""
    tag = _OPENING_TAG.search(text, max(0, span.start - _LONGEST_TAG), span.start)
    if tag is None or not text.startswith(f"</{tag[1]}>", span.end):
        return span
    return Span(tag.start(), span.end + len(tag[1]) + 3)


def field(kind: str, span: Span, text: str) -> Found:
    """Return a span as a field, with the brackets around it."""
    return group(around(span, text), [(*span, Part(kind))], text)


def group(span: Span, inner: Sequence[Found], text: str) -> Found:
    """Return a span as one group, with fields in it."""
    parts: list[Part] = []
    done = span.start
    for start, end, part in sorted(inner, key=lambda item: item[:2]):
        parts += [*_text(text[done:start]), part]
        done = end
    parts += _text(text[done : span.end])
    return span.start, span.end, Part("group", "", tuple(parts))


def states_year(found: Iterable[Found]) -> bool:
    """Return whether a field states the year."""
    kinds = {kind for _, _, part in found for kind in kinds_in((part,))}
    return not kinds.isdisjoint(("year", "short_year", "citation"))


def literal_parts(text: str, year: int | None, stated: bool) -> Iterator[Part]:
    """Yield the text between fields, and what it has of its own: the first date is the year, unless that is stated.

    The marks around what another entry would not have go with it.
    """
    done = 0
    for match in _OTHER.finditer(text):
        start, end = match.span()
        if match["month"]:
            part = Part("month", match["mark"])
        elif not stated and match["date"] is not None and str(year) in match["date"]:
            part, stated = Part("year"), True
        else:
            part = Part("other")
            start, end = around(Span(start, end), text)
        if start < done:
            continue
        yield from _text(text[done:start])
        yield part
        done = end
    yield from _text(text[done:])


def _text(text: str) -> Iterator[Part]:
    if text:
        yield Part("text", text)
