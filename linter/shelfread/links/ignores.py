"""Links that a configuration ignores, some until a day: by URL, by `*`, or by a regular expression."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from shelfread.core.support.regex import compile_untrusted
from shelfread.project.config import REGEX, IgnoredUrl


def matching_ignore(url: str, ignores: Iterable[IgnoredUrl], today: date) -> IgnoredUrl | None:
    """Return the first ignore that matches a URL, with or without its fragment, and is valid; `until` is its last day."""
    valid = (ignore for ignore in ignores if not _has_ended(ignore, today))
    return next((ignore for ignore in valid if _matches(url, ignore.pattern)), None)


def expired_ignore(url: str, ignores: Iterable[IgnoredUrl], today: date) -> IgnoredUrl | None:
    """Return the ignore for a URL that ended last: the reason why the URL is reported again.

    Call `matching_ignore` first: a URL that another ignore matches is not reported.
    """
    ended = [ignore for ignore in ignores if _has_ended(ignore, today) and _matches(url, ignore.pattern)]
    return max(ended, key=lambda ignore: ignore.until or date.min, default=None)


def _has_ended(ignore: IgnoredUrl, today: date) -> bool:
    return ignore.until is not None and ignore.until < today


def _matches(url: str, pattern: str) -> bool:
    """Whether a pattern matches a URL: a regular expression anywhere in it, any other pattern all of it."""
    if pattern.startswith(REGEX):
        return compile_untrusted(pattern[len(REGEX) :]).search(url) is not None
    page = url.partition("#")[0]
    return _glob_matches(url, pattern) or (page != url and _glob_matches(page, pattern))


def _glob_matches(text: str, pattern: str) -> bool:
    """Whether a pattern with `*` matches a text, in linear time: each piece is searched after the previous one."""
    first, *middle = pattern.split("*")
    if not middle:
        return text == pattern
    last = middle.pop()
    end = len(text) - len(last)
    index = len(first)
    if index > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in middle:
        index = text.find(piece, index, end)
        if index < 0:
            return False
        index += len(piece)
    return True
