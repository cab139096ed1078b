"""What blocks begin with."""

from __future__ import annotations

from markdown_it.common.html_blocks import block_names
from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

from shelfread.core.support.named_tuple import NamedTuple
from shelfread.core.support.regex import lazy
from shelfread.format.layout.github.line import Line

HEADING = lazy(r"(#{1,6})(?:[ \t]+|$)")
FENCE = lazy(r"`{3,}(?=[^`]*$)|~{3,}")
SETEXT = lazy(r"(=+|-+)[ \t]*$")
RULE = lazy(r"([*_-])[ \t]*(?:\1[ \t]*){2,}$")
FOOTNOTE = lazy(r"\[\^([^\] \t\r\n\0]+)\]:[ \t]*")
TASK = lazy(r"[ \t\v\f]*(?:[-+*]|\d+.)[ \t\v\f]+\[([ xX])\](?=[ \t\v\f])")
_BLOCK_NAMES = sorted({*block_names, "source"} - {"search"})
_HTML = [
    lazy(pattern)
    for pattern in (
        r"(?i)<(?:script|pre|textarea|style)(?:[ \t\v\f>]|$)",
        r"<!--",
        r"<\?",
        r"<![A-Z]",
        r"<!\[CDATA\[",
        rf"(?i)</?(?:{'|'.join(_BLOCK_NAMES)})(?:[ \t\v\f]|/?>|$)",
        rf"{HTML_OPEN_CLOSE_TAG_STR.removeprefix('^')}[ \t\f]*$",
    )
]
_HTML_ENDS = [
    lazy(pattern) for pattern in (r"(?i)</(?:script|pre|textarea|style)>", r"-->", r"\?>", r">", r"\]\]>")
]
_BULLET = lazy(r"[-+*](?=[ \t\v\f]|$)")
_NUMBER = lazy(r"(\d{1,9})([.)])(?=[ \t\v\f]|$)")
LONE_TAG = 6


class Marker(NamedTuple):
    """A list marker: where it ends, and the number and the character that a list is known by."""

    end: int
    start: int
    character: str


def html_start(text: str, offset: int, in_paragraph: bool) -> int | None:
    """Return which kind of HTML block begins here, if one does; a lone tag of another name is in no paragraph."""
    if not text.startswith("<", offset):
        return None
    return next(
        (
            kind
            for kind, pattern in enumerate(_HTML)
            if pattern.match(text, offset) and not (kind == LONE_TAG and in_paragraph)
        ),
        None,
    )


def ends_with_blank_line(kind: int) -> bool:
    """Return whether a blank line ends HTML of a kind."""
    return kind >= len(_HTML_ENDS)


def is_html_end(text: str, kind: int) -> bool:
    """Return whether a line ends HTML of a kind that blank lines don't end."""
    return kind < len(_HTML_ENDS) and _HTML_ENDS[kind].search(text) is not None


def list_marker(line: Line, in_paragraph: bool) -> Marker | None:
    """Return the list marker that is next; a list in a paragraph begins with 1, and not with an empty item."""
    text, first = line.text, line.first
    match = _BULLET.match(text, first) or _NUMBER.match(text, first)
    if match is None:
        return None
    number = int(match[1]) if match.lastindex else 0
    if in_paragraph and (not text[match.end() :].strip(" \t") or (match.lastindex and number != 1)):
        return None
    return Marker(match.end(), number, match[0][-1])
