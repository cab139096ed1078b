"""The rule `text/conflict-marker`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.checks.common.prose import leaf
from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_MARKER = lazy(r"(?:^|(?<=[\r\n]))(?:(<{7})(?:[ \t][^\r\n]*)?|={7}|>{7}(?:[ \t]([^\r\n]*))?)(?![^\r\n])")
# What git writes after `>>>>>>>`: a branch, or a commit and its message. Nested quotes have words there.
_OTHER_SIDE = lazy(r"[0-9a-f]{7,40}\b.*|[^\s>]+\s*", re.IGNORECASE)


def conflict_marker(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Report each complete conflict once, at its first marker, and each marker of an incomplete one."""
    source = document.source
    if "<<<<<<<" not in source.text and ">>>>>>>" not in source.text:
        return
    opened: list[int] = []
    for match in _MARKER.finditer(source.text):
        start = match.start()
        block = leaf(document, start)
        if block is not None and block.kind == "code":
            continue  # an example
        if match[1]:
            yield from _left_over(opened[:1], "<<<<<<<")
            opened = [start]
        elif match[0][0] == "=":
            if opened:
                opened.append(start)
        elif len(opened) > 1:
            values = {"end": source.line_at(start) + 1}
            yield RawDiagnostic(Span(opened[0], opened[0] + 7), values, message="conflict")
            opened = []
        elif match[2] is not None and _OTHER_SIDE.fullmatch(match[2]):
            yield from _left_over(opened[:1], "<<<<<<<")
            yield from _left_over([start], ">>>>>>>")
            opened = []
    yield from _left_over(opened[:1], "<<<<<<<")


def _left_over(offsets: list[int], marker: str) -> Iterator[RawDiagnostic]:
    for offset in offsets:
        yield RawDiagnostic(Span(offset, offset + 7), {"marker": marker}, message="marker")
