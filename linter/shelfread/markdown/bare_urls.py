"""Bare URLs in text, which GitHub turns into links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.patterns import lazy
from shelfread.markdown.node import Link, Text

_URL = lazy(r"(?<![A-Za-z0-9])(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
_TRAILING = "?!.,:;*_~'"
_OPENED_BY = {")": "(", "]": "["}


_LONGEST = 500
"""How much of a text before and behind a delimiter is looked at: a line may have thousands of them."""
_EDGES = ' \t\n<>"'


def url_end(text: str, offset: int, end: int) -> int:
    """Return where the bare URL ends that a character is within; `offset` if it is in none."""
    first = max(0, offset - _LONGEST)
    first = max(first, *(text.rfind(edge, first, offset) + 1 for edge in _EDGES))
    if may_contain_url(text[first:offset]):
        for match in _URL.finditer(text, first, min(end, offset + _LONGEST)):
            if match.start() >= offset:
                break
            if (last := _trim(text, match.start(), match.end())) > offset:
                return last
    return offset


def may_contain_url(text: str) -> bool:
    """Return False if the text surely contains no bare URL. A cheap test before `find_urls`."""
    return "://" in text or "www." in text


def text_and_urls(value: str, first: int, to_source: Callable[[int], int]) -> Iterator[Text | Link]:
    """Yield the text and link nodes of `value`.

    `first` is the offset of `value` in its block's content; `to_source` maps such offsets to the source.
    """
    done = 0
    for start, end, url in find_urls(value):
        if start > done:
            yield Text(to_source(first + done), to_source(first + start), value[done:start])
        span = Span(to_source(first + start), to_source(first + end))
        yield Link(*span, "bare", url, span, span, None, "", False, (Text(*span, value[start:end]),))
        done = end
    if done < len(value):
        yield Text(to_source(first + done), to_source(first + len(value)), value[done:])


def find_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the start, end and destination of each bare URL; `www.` gets the scheme `http`."""
    for match in _URL.finditer(text):
        start, end = match.start(), _trim(text, match.start(), match.end())
        url = text[start:end]
        if "." in url:
            yield start, end, url if "://" in url else "http://" + url


def _trim(text: str, start: int, end: int) -> int:
    """Return where a URL ends: before closing punctuation, and before a bracket opened outside of it."""
    opened = {"(": 0, "[": 0}
    for index in range(start, end):
        character = text[index]
        if character in opened:
            opened[character] += 1
        elif character in _OPENED_BY:
            opened[_OPENED_BY[character]] -= 1
            if opened[_OPENED_BY[character]] < 0:
                end = index
                break
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end
