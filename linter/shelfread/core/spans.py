"""Spans of a text, and edits of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, Span


def find_overlapping(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """Yield the spans that overlap `text[start:end]`; if that is empty, the span that holds `start`.

    The spans are sorted and disjoint.
    """
    for span in islice(spans, bisect_right(spans, start, key=lambda span: span.end), None):
        if span.start >= end:
            break
        yield span


def find_parents(spans: Sequence[Span]) -> list[int]:
    """Return for each span the index of the innermost span around it, -1 for none.

    The spans are sorted by their start, outer spans before inner ones.
    """
    parents: list[int] = []
    open_spans: list[int] = []
    for index, span in enumerate(spans):
        while open_spans and spans[open_spans[-1]].end <= span.start:
            open_spans.pop()
        parents.append(open_spans[-1] if open_spans else -1)
        open_spans.append(index)
    return parents


def around(text: str, start: int, end: int, before: int, after: int) -> str:
    """Return `text[start:end]` with at most so many characters before and after it in the same lines."""
    first = text.rfind("\n", max(0, start - before), start) + 1 or max(0, start - before)
    last = text.find("\n", end, end + after)
    return text[first : last if last >= 0 else end + after]


class TextEdit(NamedTuple):
    """`text[start:end]` becomes the edit's `text`."""

    start: int
    end: int
    text: str


def apply_edits(text: str, edits: Iterable[TextEdit | Edit], start: int = 0, end: int | None = None) -> str:
    """Return `text[start:end]` with the edits made, which may come in any order.

    Of edits that overlap only the first is made. Edits that reach beyond `text[start:end]` are left out.
    """
    end = len(text) if end is None else end
    parts: list[str] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= start and edit.end <= end:
            parts += (text[start : edit.start], edit.text)
            start = edit.end
    return "".join([*parts, text[start:end]])


def merged(spans: Iterable[Span]) -> list[Span]:
    """Return spans sorted, with those that overlap or touch joined."""
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged
