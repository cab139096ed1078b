"""The edits of a fix as one replacement, for formats that apply one at a time."""

from __future__ import annotations

from collections.abc import Sequence

from shelfread.core.diagnostics import Edit, Span
from shelfread.core.edits import apply_edits
from shelfread.core.source import Source


def merge(edits: Sequence[Edit], source: Source) -> tuple[Span, str]:
    """Return the span from the first edit to the last, and its new text."""
    span = Span(min(edit.start for edit in edits), max(edit.end for edit in edits))
    return span, apply_edits(source.text, edits, *span)
