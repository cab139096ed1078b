"""Bare URLs in text, which GitHub makes links of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from shelfread.core.diagnostics import Span
from shelfread.core.support.regex import lazy
from shelfread.markdown.node import Link, Text

_URL = lazy(r"(?<![A-Za-z0-9])(?:https?://|www\.)[^\s<>\"]+", re.IGNORECASE)
_TRAILING = "?!.,:;*_~'"
_OPENED_BY = {")": "(", "]": "["}


def may_contain_url(text: str) -> bool:
    """Whether a look for URLs is worth its while."""
    return "://" in text or "www." in text


def text_and_urls(value: str, first: int, find: Callable[[int], int]) -> Iterator[Text | Link]:
    """Some text as nodes; it begins at the offset `first` of a content whose places `find` knows."""
    done = 0
    for at, to, url in find_urls(value):
        if at > done:
            yield Text(find(first + done), find(first + at), value[done:at])
        span = Span(find(first + at), find(first + to))
        yield Link(*span, "bare", url, span, span, None, "", False, (Text(*span, value[at:to]),))
        done = to
    if done < len(value):
        yield Text(find(first + done), find(first + len(value)), value[done:])


def find_urls(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each bare URL begins and ends, and the address that it leads to."""
    for match in _URL.finditer(text):
        start, end = match.start(), _trim(text, match.start(), match.end())
        url = text[start:end]
        if "." in url:
            yield start, end, url if "://" in url else "http://" + url


def _trim(text: str, start: int, end: int) -> int:
    """Where a URL ends: before closing punctuation and before a bracket that was opened outside of it."""
    opened = {"(": 0, "[": 0}
    for at in range(start, end):
        character = text[at]
        if character in opened:
            opened[character] += 1
        elif character in _OPENED_BY:
            opened[_OPENED_BY[character]] -= 1
            if opened[_OPENED_BY[character]] < 0:
                end = at
                break
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return end
