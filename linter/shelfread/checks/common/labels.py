"""Labels of links in the text."""

from __future__ import annotations

from shelfread.core.diagnostics import Span
from shelfread.document.model import LabelledLink


def span_of(label: LabelledLink, text: str) -> Span:
    """Return the span of a label's words, or of the link's whole text if markup divides them."""
    start = text.find(label.label, *label.link.text)
    return Span(start, start + len(label.label)) if start >= 0 else label.link.text
