"""The edits of a fix as one replacement, for formats that apply one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Edit, Span
from shelfread.core.source import Source


def merge(edits: Sequence[Edit], source: Source) -> tuple[Span, str]:
    """Return the span from the first edit to the last, and its new text."""
    ordered = sorted(edits, key=lambda edit: edit[:2])
    start = offset = ordered[0].start
    pieces = []
    for edit in ordered:
        pieces += [source.text[offset : edit.start], edit.text]
        offset = edit.end
    return Span(start, offset), "".join(pieces)
