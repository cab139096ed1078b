"""Raw HTML, split into tags, comments and text, each at its place in the content."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from shelfread.core.support.regex import lazy

_TAG = lazy(
    r"""</?([A-Za-z][A-Za-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*)\s*/?>"""
)
_COMMENT = lazy(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)
_RAW = {name: lazy(rf"</{name}\b", re.IGNORECASE) for name in ("script", "style", "textarea")}
_ATTRIBUTE = lazy(r"""([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")


class Piece(NamedTuple):
    """A tag (`a`, `/a`), a comment (`!`) or a text (empty name), with its half-open range."""

    name: str
    start: int
    end: int


class Attribute(NamedTuple):
    """An attribute's value, character references resolved, and the range of what is written."""

    value: str
    start: int
    end: int


def split_html(content: str) -> Iterator[Piece]:
    """The pieces of some HTML; a comment without end reaches to the end, and a script is text."""
    pos = text = 0
    while (pos := content.find("<", pos)) >= 0:
        if match := _COMMENT.match(content, pos):
            name, end = "!", match.end()
        elif match := _TAG.match(content, pos):
            name, end = ("/" if content[pos + 1] == "/" else "") + match.group(1).lower(), match.end()
        else:
            pos += 1
            continue
        if pos > text:
            yield Piece("", text, pos)
        yield Piece(name, pos, end)
        pos = text = end
        if name in _RAW:
            close = _RAW[name].search(content, end)
            pos = close.start() if close else len(content)
    if text < len(content):
        yield Piece("", text, len(content))


def attributes(tag: str) -> dict[str, Attribute]:
    """The attributes of a tag as written (`<a href=x>`), by lower-case name; the first of a name counts."""
    found: dict[str, Attribute] = {}
    match = _TAG.match(tag)
    if match is None:
        return found
    for attribute in _ATTRIBUTE.finditer(tag, match.start(2), match.end(2)):
        for group in (2, 3, 4):
            if attribute.group(group) is not None:
                value = attribute.group(group)
                value = unescape(value) if "&" in value else value
                found.setdefault(attribute.group(1).lower(), Attribute(value, *attribute.span(group)))
                break
        else:
            found.setdefault(attribute.group(1).lower(), Attribute("", attribute.end(), attribute.end()))
    return found
