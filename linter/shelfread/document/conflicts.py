"""Markers that a merge left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.document.model import Document
from shelfread.document.passages import leaf

_MARKER = lazy(r"(?:^|(?<=[\r\n]))(?:(<{7})(?:[ \t][^\r\n]*)?|={7}|>{7}(?:[ \t]([^\r\n]*))?)(?![^\r\n])")
# What git writes after `>>>>>>>`: a branch, or a commit and its message. Nested quotes have words there.
_OTHER_SIDE = lazy(r"[0-9a-f]{7,40}\b.*|[^\s>]+\s*", re.IGNORECASE)


class Conflict(NamedTuple):
    """The offset of the first marker of a conflict, and of its last one; None for a marker alone."""

    start: int
    end: int | None


def find_conflicts(document: Document) -> Iterator[Conflict]:
    """Yield each complete conflict, and each marker of an incomplete one; `=======` if it is text, no heading's line."""
    source = document.source
    if not any(mark in source.text for mark in ("<<<<<<<", ">>>>>>>", "=======")):
        return
    opened: int | None = None
    is_divided = False
    for match in _MARKER.finditer(source.text):
        start = match.start()
        block = leaf(document, start)
        if block is not None and block.kind == "code":
            continue  # an example
        if match[1]:
            if opened is not None:
                yield Conflict(opened, None)
            opened, is_divided = start, False
        elif match[0][0] == "=":
            is_divided = opened is not None
            if opened is None and block is not None and block.kind == "paragraph" and start > 0:
                yield Conflict(start, None)
        elif opened is not None and is_divided:
            yield Conflict(opened, start)
            opened = None
        elif match[2] is not None and _OTHER_SIDE.fullmatch(match[2]):
            if opened is not None:
                yield Conflict(opened, None)
            yield Conflict(start, None)
            opened = None
    if opened is not None:
        yield Conflict(opened, None)
