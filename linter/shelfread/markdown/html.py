"""Raw HTML, split into tags, comments and text, with their offsets in the content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from shelfread.core.patterns import lazy

_TAG = lazy(
    r"""</?([A-Za-z][A-Za-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*/?>"""
)
_COMMENT = lazy(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)
_RAW = {name: lazy(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style", "textarea")}
_ATTRIBUTE = lazy(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")


class HtmlPiece(NamedTuple):
    """A tag (`a`, `/a`), a comment (`!`) or text (empty name), with its half-open range."""

    name: str
    start: int
    end: int


class Attribute(NamedTuple):
    """An attribute's value, with character references resolved, and the range of the value as written."""

    value: str
    start: int
    end: int


def split_html(content: str) -> Iterator[HtmlPiece]:
    """Yield the pieces of `content`. An unclosed comment reaches to its end; the body of a script is text."""
    offset = text_start = 0
    while (offset := content.find("<", offset)) >= 0:
        if match := _COMMENT.match(content, offset):
            name, end = "!", match.end()
        elif match := _TAG.match(content, offset):
            name, end = ("/" if content[offset + 1] == "/" else "") + match.group(1).lower(), match.end()
        else:
            offset += 1
            continue
        if offset > text_start:
            yield HtmlPiece("", text_start, offset)
        yield HtmlPiece(name, offset, end)
        offset = text_start = end
        if name in _RAW:
            close = _RAW[name].search(content, end)
            offset = close.start() if close else len(content)
    if text_start < len(content):
        yield HtmlPiece("", text_start, len(content))


def attributes(tag: str) -> dict[str, Attribute]:
    """Return the attributes of a tag (`<a href=x>`) by lower-case name. The first of a name counts."""
    values: dict[str, Attribute] = {}
    match = _TAG.match(tag)
    if match is None:
        return values
    for attribute in _ATTRIBUTE.finditer(tag, match.start(2), match.end(2)):
        for group in (2, 3, 4):
            if attribute.group(group) is not None:
                value = attribute.group(group)
                value = unescape(value) if "&" in value else value
                values.setdefault(attribute.group(1).lower(), Attribute(value, *attribute.span(group)))
                break
        else:
            values.setdefault(attribute.group(1).lower(), Attribute("", attribute.end(), attribute.end()))
    return values
