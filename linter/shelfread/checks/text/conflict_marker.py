"""What a merge left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shelfread.checks.common.prose import leaf
from shelfread.core.diagnostics import RawDiagnostic, Span
from shelfread.core.support.regex import lazy
from shelfread.document.model import Document
from shelfread.index.context import RuleContext

_MARKER = lazy(r"^(?:(<{7})(?:[ \t].*)?|={7}|>{7}(?:[ \t](.*))?)\r?$", re.MULTILINE)
# What git writes behind `>>>>>>>`: a branch, or a commit and its message; quotes of quotes have words there.
_OTHER_SIDE = lazy(r"[0-9a-f]{7,40}\b.*|[^\s>]+\s*", re.IGNORECASE)


def conflict_marker(document: Document, context: RuleContext) -> Iterator[RawDiagnostic]:
    """Markers of a conflict: each whole conflict once, at its beginning, else the markers that were left."""
    source = document.source
    if "<<<<<<<" not in source.text and ">>>>>>>" not in source.text:
        return
    opened: list[int] = []
    for match in _MARKER.finditer(source.text):
        at = match.start()
        block = leaf(document, at)
        if block is not None and block.kind == "code":
            continue  # shown as an example
        if match[1]:
            yield from _left(opened)
            opened = [at]
        elif match[0][0] == "=":
            if opened:
                opened.append(at)
        elif len(opened) > 1:
            lines = f", up to line {source.line_at(at) + 1}"
            yield RawDiagnostic(Span(opened[0], opened[0] + 7), {"marker": "<<<<<<<", "extent": lines})
            opened = []
        elif match[2] is not None and _OTHER_SIDE.fullmatch(match[2].rstrip("\r")):
            yield from _left(opened)
            yield RawDiagnostic(Span(at, at + 7), {"marker": ">>>>>>>", "extent": ""})
            opened = []
    yield from _left(opened)


def _left(opened: list[int]) -> Iterator[RawDiagnostic]:
    """The beginning of a conflict whose end is missing."""
    if opened:
        yield RawDiagnostic(Span(opened[0], opened[0] + 7), {"marker": "<<<<<<<", "extent": ""})
