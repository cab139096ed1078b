"""The edits of a fix as one replacement, for formats that apply one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Edit, Span
from shelfread.core.source import Source


def merge(edits: Sequence[Edit], source: Source) -> tuple[Span, str]:
    """The stretch from the first edit to the last, and what it becomes."""
    ordered = sorted(edits, key=lambda edit: edit[:2])
    start = at = ordered[0].start
    pieces = []
    for edit in ordered:
        pieces += [source.text[at : edit.start], edit.text]
        at = edit.end
    return Span(start, at), "".join(pieces)
