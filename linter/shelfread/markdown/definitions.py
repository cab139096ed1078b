"""Link reference definitions, read again for the places of their parts."""

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
_BLANK = " \t\n"


def build_definitions(env: dict[str, Any], source: Source) -> tuple[Definition, ...]:
    """The definitions in order; `env` holds what the parser noted of their lines."""
    return tuple(_build(first, columns, source) for first, columns in env.get("definitions", ()))


def _build(first: int, columns: list[int], source: Source) -> Definition:
    parts = [source.lines[first + i][column:] for i, column in enumerate(columns)]
    at = [0]
    for part in parts[:-1]:
        at.append(at[-1] + len(part) + 1)
    find = SourceMap(at, [source.starts[first + i] + column for i, column in enumerate(columns)]).to_source
    text = "\n".join(parts)
    match = _LABEL.match(text)
    assert match is not None, "the parser read a label here"
    start = match.end()
    end = after = parseLinkDestination(text, start, len(text)).pos
    if text.startswith("<", start):
        start, end = start + 1, end - 1
    title = text[after:].strip(_BLANK)
    opening = len(text) - len(text[after:].lstrip(_BLANK))
    return Definition(
        find(0),
        find(len(text.rstrip(_BLANK))),
        normalizeReference(match.group(1)),
        Span(find(1), find(match.end(1))),
        unescapeAll(text[start:end]),
        Span(find(start), find(end)),
        Span(find(opening + 1), find(opening + len(title) - 1)) if len(title) > 2 else None,
    )
