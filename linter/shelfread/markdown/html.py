"""Raw HTML, split into tags, comments and text with their offsets; and plain text and URLs as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from shelfread.core.patterns import lazy
from shelfread.core.wording import one_line

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


_ACTIVE = lazy(
    r"[\\`*\[\]<]|(?<!\w)_+|_+(?!\w)|&(?=#?\w{1,40};)|~(?=~)|(?<=~)~|(?:(?<=\S)\$|\$(?!\s))"
)  # a dollar between blanks is no math
_TICKS = lazy(r"`+")
_BLOCK_START = lazy(r"(?:[-+#>=]|\d{1,9}(?=[.)](?: |$)))")


def escape(text: str, *, in_table: bool = False) -> str:
    """Return the Markdown of a text in one line, in which nothing is markup."""
    text = escape_inside(one_line(text))
    if in_table:
        return text.replace("|", "\\|")
    if start := _BLOCK_START.match(text):
        sign = start[0]
        return (f"{sign}\\" if sign.isdigit() else f"\\{sign}") + text[start.end() :]
    return text


def escape_inside(text: str) -> str:
    """Return the Markdown of a text that does not begin a line."""
    return _ACTIVE.sub(lambda match: "".join(f"\\{sign}" for sign in match[0]), text)


def code_span(text: str) -> str:
    """Return a text as a code span, between so many backticks as it has nowhere."""
    ticks = "`" * (max((len(run) for run in _TICKS.findall(text)), default=0) + 1)
    ends = {text[:1], text[-1:]}
    space = " " if not ends.isdisjoint(("", "`")) or (" " in ends and not text.isspace()) else ""
    return f"{ticks}{space}{text}{space}{ticks}"


def destination(url: str, *, in_table: bool = False) -> str:
    """Return a URL as the destination of a link; `##[` in it would be a command to a runner that shows the text in a log."""
    url = (
        one_line(url)
        .replace("##[", "##%5B")
        .replace("\\", "%5C")
        .replace(" ", "%20")
        .replace("<", "%3C")
        .replace(">", "%3E")
    )
    url = url.replace("|", "%7C") if in_table else url
    return url.replace("(", "\\(").replace(")", "\\)") if url.count("(") != url.count(")") else url
