"""Edits of a text, and spans that they must not touch."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from shelfread.core.diagnostics import Edit, Span


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


def find_overlapping(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """Yield those of some sorted, disjoint spans that overlap `text[start:end]`, or hold `start` where that is empty."""
    for span in islice(spans, bisect_right(spans, start, key=lambda span: span.end), None):
        if span.start >= end:
            break
        yield span
