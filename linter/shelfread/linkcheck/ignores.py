"""Links that a list's maintainers silence, until a day: by address, by `*`, or by a regular expression."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from shelfread.core.support.regex import compile_untrusted
from shelfread.project.config import REGEX, Silence


def silenced(url: str, silences: Iterable[Silence], today: date) -> Silence | None:
    """The first silence that holds today (its last day is `until`) for an address, with its fragment or without."""
    return next((one for one in silences if not _is_over(one, today) and _fits(url, one.pattern)), None)


def expired(url: str, silences: Iterable[Silence], today: date) -> Silence | None:
    """The silence that held longest for an address and is over: why it is spoken of again.

    Of an address that another one silences nothing is spoken: ask `silenced` first.
    """
    over = [one for one in silences if _is_over(one, today) and _fits(url, one.pattern)]
    return max(over, key=lambda one: one.until or date.min, default=None)


def _is_over(silence: Silence, today: date) -> bool:
    return silence.until is not None and silence.until < today


def _fits(url: str, pattern: str) -> bool:
    """Whether a pattern means an address; a regular expression may stand anywhere in it."""
    if pattern.startswith(REGEX):
        return compile_untrusted(pattern[len(REGEX) :]).search(url) is not None
    bare = url.partition("#")[0]
    return _globs(url, pattern) or (bare != url and _globs(bare, pattern))


def _globs(text: str, pattern: str) -> bool:
    """Whether `*` stands for what is between the pieces: each is sought from where the last one ended."""
    first, *middle = pattern.split("*")
    if not middle:
        return text == pattern
    last = middle.pop()
    end = len(text) - len(last)
    at = len(first)
    if at > end or not text.startswith(first) or not text.endswith(last):
        return False
    for piece in middle:
        at = text.find(piece, at, end)
        if at < 0:
            return False
        at += len(piece)
    return True
