"""Link reference definitions, parsed again for the spans of their parts."""

from __future__ import annotations

import re
from typing import Any

from markdown_it.common.utils import normalizeReference, unescapeAll
from markdown_it.helpers import parseLinkDestination

from shelfread.core.diagnostics import Span
from shelfread.core.source import Source
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Definition
from shelfread.markdown.source_map import SourceMap

_LABEL = lazy(r"\[((?:[^\[\]\\]|\\.)*)\]:[ \t\n]*", re.DOTALL)
_SPACES = " \t\n"


def build_definitions(env: dict[str, Any], source: Source) -> tuple[Definition, ...]:
    """Return the definitions in order. `env` has the lines and columns that the block parser recorded."""
    return tuple(_build(first, columns, source) for first, columns in env.get("definitions", ()))


def _build(first: int, columns: list[int], source: Source) -> Definition:
    lines = [source.lines[first + i][column:] for i, column in enumerate(columns)]
    offsets = [0]
    for line in lines[:-1]:
        offsets.append(offsets[-1] + len(line) + 1)
    source_offsets = [source.starts[first + i] + column for i, column in enumerate(columns)]
    to_source = SourceMap(offsets, source_offsets).to_source
    text = "\n".join(lines)
    match = _LABEL.match(text)
    assert match is not None, "the parser read a label here"
    start = match.end()
    end = after = parseLinkDestination(text, start, len(text)).pos
    if text.startswith("<", start):
        start, end = start + 1, end - 1
    title = text[after:].strip(_SPACES)
    opening = len(text) - len(text[after:].lstrip(_SPACES))
    return Definition(
        to_source(0),
        to_source(len(text.rstrip(_SPACES))),
        normalizeReference(match.group(1)),
        Span(to_source(1), to_source(match.end(1))),
        unescapeAll(text[start:end]),
        Span(to_source(start), to_source(end)),
        Span(to_source(opening + 1), to_source(opening + len(title) - 1)) if len(title) > 2 else None,
    )
