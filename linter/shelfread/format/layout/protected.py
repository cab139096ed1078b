"""Parts of a text that are not formatted: generated ones, and those that comments switch off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.spans import find_overlapping
from shelfread.markdown.node import Tree

_SWITCH = re.compile(r"<!--\s*shelfread-format\s+(?P<state>off|on)\b")


def find_protected(source: Source, tree: Tree) -> list[Span]:
    """Return the generated parts, and what is between `shelfread-format off` and `on`, sorted."""
    text = source.text
    # An opaque span that reaches beyond its first comment is a part between two markers of a tool.
    protected = [
        span
        for span in tree.protected
        if text.startswith("<!--", span.start) and text.find("-->", span.start) + 3 < span.end
    ]
    off: int | None = None
    for comment in tree.comments:
        match = _SWITCH.match(comment.value)
        if match is not None and match["state"] == "off" and off is None:
            off = comment.start
        elif match is not None and match["state"] == "on" and off is not None:
            protected.append(Span(off, comment.end))
            off = None
    if off is not None:
        protected.append(Span(off, len(text)))
    return sorted(protected)


def overlaps_any(start: int, end: int, sorted_spans: Sequence[Span]) -> bool:
    """Return whether one of the spans overlaps `text[start:end]`; an empty range counts as one character."""
    return any(find_overlapping(sorted_spans, start, max(end, start + 1)))
