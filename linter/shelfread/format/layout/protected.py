"""What is left alone: what belongs to a tool, and what a comment has switched off."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.markdown.node import Tree

_SWITCH = re.compile(r"<!--\s*shelfread-format\s+(?P<word>off|on)\b")


def find_frozen(source: Source, tree: Tree) -> list[Span]:
    """Generated parts, and what stands between `shelfread-format off` and `on`; sorted."""
    text = source.text
    zones = [
        zone for zone in tree.protected if text.startswith("<!--", zone.start) and _is_region(text, zone)
    ]
    opened: int | None = None
    for comment in tree.comments:
        match = _SWITCH.match(comment.value)
        if match is not None and match["word"] == "off" and opened is None:
            opened = comment.start
        elif match is not None and match["word"] == "on" and opened is not None:
            zones.append(Span(opened, comment.end))
            opened = None
    if opened is not None:
        zones.append(Span(opened, len(text)))
    return sorted(zones)


def meets(start: int, end: int, sorted_spans: Sequence[Span]) -> bool:
    """Whether a stretch, or the place that it is where it is empty, lies in one of them."""
    at = bisect_right(sorted_spans, start, key=lambda span: span.end)
    return at < len(sorted_spans) and sorted_spans[at].start < max(end, start + 1)


def _is_region(text: str, zone: Span) -> bool:
    return text.find("-->", zone.start) + 3 < zone.end
